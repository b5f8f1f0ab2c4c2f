import Glibc
public import LullConditions
public import LullManifest
public import LullModel
public import LullSystem
public import LullUsage

/// The configuration of a host.
public struct HostConfiguration {
    public enum Goal: Sendable, Equatable {
        /// Until SIGTERM.
        case service
        /// Launch what may and should be launched now, wait for it, end.
        case pass
        /// Launch one task, wait for it, end.
        case launch(
            TaskIdentifier, instead: Bool = false, params: [String: String]? = nil, by: String? = nil)
        /// Discover every app, launch nothing, record nothing (`lull check`).
        case discovery

        var isLaunch: Bool {
            if case .launch = self { true } else { false }
        }
    }

    public var goal: Goal
    public var state: StateFolder
    /// The path of the manifest, absolute; read again on SIGHUP.
    public var manifestPath: String
    public var pluginPath: [String]
    public var roots: ConditionRoots
    public var usageRoots = UsageRoots()
    /// The path of `lull-worker`.
    public var worker: String
    /// The path of `lull-transfer`, which stands beside it.
    public var transferer: String {
        worker.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/lull-transfer"
    }
    /// Why nothing can be transferred here, with the remedy; nil: nothing is known against it.
    public var transferTrouble: String? {
        guard access(transferer, X_OK) == 0 else {
            return "There is no lull-transfer at \(transferer). Install it beside lull-worker."
        }
        return PluginSight.refusal(ofWorker: transferer)?.sentence
    }
    /// The program that shows a notice on the desktop, with its arguments; empty: none does.
    public var desktop: [String] = []
    /// The time between passes; nil: learned from earlier passes.
    public var passInterval: Duration?
    /// Looks at an app and its folder before its worker is started, on a thread that may hang.
    public var lookAtStart: @Sendable (App, String) -> StartSight = StartSight.look(at:folder:)
    /// Reads the manifest at a path again, with the folders of plugins and the manifest in force, on a thread that may hang.
    public var readManifest: @Sendable (String, [String], Manifest) -> ManifestResult = {
        path, pluginPath, inForce in
        var reader = ManifestReader(pluginPath: pluginPath)
        reader.inForce = { inForce }
        return reader.read(path: path)
    }
    /// The same, as if the file at the second path held these bytes.
    public var readManifestWith: @Sendable (String, [String], [UInt8], String) -> ManifestResult = {
        path, pluginPath, text, other in
        ManifestReader(pluginPath: pluginPath, fileSystem: StandInFileSystem(text, at: other)).read(
            path: path)
    }
    /// How a manifest's settings break their plugins' schemas: sentences with places but no values. Called on a thread
    /// that may hang.
    public var judgeSettings: @Sendable (Manifest) -> [String] = { _ in [] }
    /// The faults of the manifest at `manifestPath`, if the host begins with the last one that was in force.
    public var refused: [Diagnostic] = []
    /// How long the host waits for a look, and for a reading.
    public var lookWait = Limits.lookWait
    public var readWait = Limits.readWait
    /// The group whose members may read the history and ask what changes nothing; nil: none.
    public var readers: gid_t?
    /// The service manager to notify; nil: none.
    public var manager: ServiceManager?

    public init(
        goal: Goal, state: StateFolder, manifestPath: String, pluginPath: [String], roots: ConditionRoots,
        worker: String, passInterval: Duration? = nil
    ) {
        self.goal = goal
        self.state = state
        self.manifestPath = manifestPath
        self.pluginPath = pluginPath
        self.roots = roots
        self.worker = worker
        self.passInterval = passInterval
    }
}

/// What happened while a host ran.
public struct PassRecord: Sendable {
    /// The runs that ended, in the order of their ends.
    public var ended: [HistoryEvent] = []
    /// The answer to `lull launch`.
    public var answer: String?
    public var wasRefused = false
}

/// The result of a host, for the command that ran it.
public struct HostResult: Sendable {
    public var report: StatusReport
    public var pass: PassRecord
    /// The last events are missing from the history: it can't be written.
    public var trouble: Bool
}
