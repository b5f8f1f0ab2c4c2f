internal import Glibc
public import LullModel
public import LullWire

/// What a worker is started with.
public struct WorkerSpec: Sendable, Equatable {
    /// The worker's app and number.
    public var worker: WorkerID
    /// The absolute path of the shared library.
    public var plugin: String
    /// The file that was checked; another is not loaded. Nil: any.
    public var identity: FileIdentity?
    /// The files that it maps, as they were just before; to detect that they were overwritten.
    public var files: PluginFiles
    /// The SHA-256 that the plugin must have; empty: any.
    public var sha256: String
    /// A folder of the app's own, which exists and is writable.
    public var stateFolder: String
    /// The app's settings as JSON, with the reserved key `lull` in them.
    public var settings: String
    /// The identifiers that the app may register, with their settings as JSON.
    public var permitted: [Permit]
    public var nice: Int
    public var confinement: Confinement

    public typealias Permit = SessionPermit

    public var app: AppIdentifier { worker.app }

    /// From the app's entry in the manifest. The process is as nice as its least nice task: it can't become less so later.
    ///
    /// `minor`: the worker is to offer no more than this minor version of the ABI did, to try a plugin with an older host.
    /// `state`: the folder of the host's whole state; `account`: of the app's own; `number`: of the worker, which a pool that
    /// has one worker of an app can do without.
    public init(
        app: App, stateFolder: String, state: String? = nil, account: UInt32? = nil, number: UInt64 = 1,
        minor: Int? = nil, identity: FileIdentity? = nil, files: PluginFiles = PluginFiles()
    ) {
        worker = WorkerID(app: app.identifier, number: number)
        plugin = app.plugin
        self.identity = identity
        self.files = files
        sha256 = app.sha256 ?? ""
        self.stateFolder = stateFolder
        permitted = app.tasks.map { task in
            var permit = Permit(task: task.identifier, kind: task.kind, settings: task.settings.text)
            permit.isFreeOfCPULimit = task.requires.externalPower
            permit.leavesRunning = task.leaves == .running
            (permit.limits, permit.nice, permit.ionice) = (task.limits, task.nice, task.ionice)
            return permit
        }
        confinement = Confinement(
            user: app.namedUser, account: account, limits: app.limits, plugin: app.plugin,
            stateFolder: stateFolder, state: state,
            temporary: getenv("TMPDIR").map { String(cString: $0) })
        confinement.runs = app.concurrency
        confinement.ofRuns = app.tasks.compactMap(\.limits)
        nice = app.tasks.map(\.nice).min() ?? 0
        var members: [String: JSONValue] = [:]
        if case .object(let given) = app.settings { members = given }
        var reserved = ["permitted": JSONValue.array(app.tasks.map { .string($0.identifier.text) })]
        if app.notifications { reserved["notifications"] = true }
        let leaving = app.tasks.filter { $0.leaves == .running }
        if !leaving.isEmpty {
            reserved["leaves_running"] = .array(leaving.map { .string($0.identifier.text) })
        }
        if let minor { reserved["minor"] = .integer(Int64(minor)) }
        members["lull"] = .object(reserved)
        settings = JSONValue.object(members).text
    }

    /// Why no worker can be started with this; nil when one can.
    var fault: String? {
        if let permit = permitted.first(where: { $0.settings.utf8.count > Limits.settingsBytes }) {
            return
                "The settings of \(permit.task) are longer than \(Limits.settingsBytes) bytes. Shorten them, or keep "
                + "them in a file, and write its path."
        }
        if settings.utf8.count > Limits.manifestBytes {
            return
                "The settings of \(app) are longer than \(Limits.manifestBytes) bytes. "
                + "Keep them in a file, and write its path."
        }
        for path in [plugin, stateFolder] where path.utf8.count > 4096 {
            return "The path '\(path.prefix(64))…' is longer than 4096 bytes. Use a shorter one."
        }
        return nil
    }
}
