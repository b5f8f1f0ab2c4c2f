import LullModel

/// The manifest in force, with its entries found by name.
struct Listing: Sendable {
    /// Where the manifest lists a task.
    struct Place: Sendable, Hashable {
        let app: Int
        let task: Int
    }

    let manifest: Manifest
    /// When it came into force in this host; nil: none is in force yet.
    let since: WallTime?
    /// What changes when an app's plugin or its entry does.
    private(set) var stamps: [AppIdentifier: String]
    /// The apps and their tasks again, in the form that the gates read.
    private let shared: [(app: Shared<App>, tasks: [Shared<TaskDefinition>])]
    private var places: [TaskIdentifier: Place] = [:]
    private var apps: [AppIdentifier: Int] = [:]
    /// The apps whose entry has wildcards.
    private var wildcardApps: Set<AppIdentifier> = []
    private let groups: [String: [TaskIdentifier]]
    /// The digests of tasks launched since the manifest was read, and of their apps: computing one costs as much as a
    /// decision, most of it for the app's part.
    private var digests: [Place: String] = [:]
    private var appDigests: [Int: App.Digest] = [:]

    init(
        _ manifest: Manifest = Manifest(), stamps: [AppIdentifier: String] = [:], since: WallTime? = nil
    ) {
        (self.manifest, self.stamps, self.since) = (manifest, stamps, since)
        shared = manifest.apps.map { (Shared($0), $0.tasks.map(Shared.init)) }
        groups = Dictionary(grouping: manifest.tasks.filter { $0.group != nil }) { $0.group ?? "" }
            .mapValues { $0.map(\.identifier) }
        for (place, app) in manifest.apps.enumerated() {
            apps[app.identifier] = place
            for (index, task) in app.tasks.enumerated() {
                places[task.identifier] = Place(app: place, task: index)
                if task.identifier.isWildcard { wildcardApps.insert(app.identifier) }
            }
        }
    }

    /// The same manifest with the entry at a place and its app alone.
    func alone(_ place: Place) -> Listing {
        var manifest = manifest
        var app = manifest.apps[place.app]
        app.tasks = [app.tasks[place.task]]
        manifest.apps = [app]
        return Listing(manifest, stamps: stamps, since: since)
    }

    /// The identifiers of its tasks, and its wildcards, in no order.
    var identifiers: some Collection<TaskIdentifier> { places.keys }

    /// Whether it lists the task under the task's own name.
    func names(_ task: TaskIdentifier) -> Bool { places[task] != nil }

    func has(_ app: AppIdentifier) -> Bool { apps[app] != nil }

    func app(_ identifier: AppIdentifier) -> App? { apps[identifier].map { manifest.apps[$0] } }

    func hasWildcards(_ app: AppIdentifier) -> Bool { wildcardApps.contains(app) }

    /// The tasks of a group, some of them wildcards.
    func members(of group: String) -> [TaskIdentifier] { groups[group] ?? [] }

    /// Where a task is listed, under its own name or else under the nearest wildcard that it fits.
    func place(of task: TaskIdentifier) -> Place? {
        if let place = places[task] { return place }
        if wildcardApps.isEmpty { return nil }
        return task.wildcards.lazy.compactMap { places[$0] }.first
    }

    /// The entry at a place, under the name of one of the tasks that it stands for.
    func definition(of task: TaskIdentifier, at place: Place) -> TaskDefinition {
        var definition = manifest.apps[place.app].tasks[place.task]
        definition.identifier = task
        return definition
    }

    /// The app whose transfers a listed task stands for; nil: it stands for none.
    func app(ofTransferTask task: TaskIdentifier) -> AppIdentifier? {
        guard let place = places[task], manifest.apps[place.app].tasks[place.task].kind == .transfers else {
            return nil
        }
        return manifest.apps[place.app].identifier
    }

    /// The definition and app that the gates look at.
    func shared(_ task: TaskIdentifier, at place: Place) -> (Shared<TaskDefinition>, Shared<App>) {
        let (app, tasks) = shared[place.app]
        let listed = tasks[place.task]
        if listed.identifier == task, listed.kind != .transfers { return (listed, app) }
        var definition = listed.value
        definition.identifier = task
        // The constraints apply to the transfers; the app may be told of their end at any time.
        if definition.kind == .transfers { definition.dropConstraints() }
        return (Shared(definition), app)
    }

    mutating func adopt(_ stamp: String, of app: AppIdentifier) { stamps[app] = stamp }

    /// The digest of the entry at a place, with what its task has from the app.
    mutating func digest(at place: Place) -> String {
        if let known = digests[place] { return known }
        let ofApp = appDigests[place.app] ?? manifest.apps[place.app].digest
        appDigests[place.app] = ofApp
        let digest = manifest.apps[place.app].tasks[place.task].digest(in: ofApp)
        digests[place] = digest
        return digest
    }
}

extension TaskDefinition {
    fileprivate mutating func dropConstraints() {
        requires = .none
        windows = []
        quiet = []
    }
}
