import LullModel

/// The needs of a manifest that are not reported at its keys already (`ManifestCheck`).
struct MachineNeeds: Equatable {
    /// Tasks that wait for an idle host, and those that only prefer one.
    var idleTasks = 0
    var quietTasks = 0
    /// Tasks that depend on the time of day, and those of them in no zone but the host's.
    var timedTasks = 0
    var localTasks = 0
    /// Files and folders that are watched for events and uses.
    var watched: Set<String> = []
    /// Whether uses are learned from accesses, which only inotify reports.
    var learnsFromAccesses = false
    var fleet = false
    /// The apps that use these.
    var brokers: [AppIdentifier] = []
    var transfers: [AppIdentifier] = []
    var pushes: [AppIdentifier] = []
    /// The most free disk space that a task requires.
    var diskFree: Int64 = 0
    var apps = 0
    /// Apps that root's host runs as an account of their own, as the host's user, and as a named user.
    var ownAccounts = 0
    var asHost = 0
    var named = 0

    init(_ manifest: Manifest) {
        fleet = manifest.fleet != nil
        for app in manifest.apps where app.enabled { add(app) }
    }

    private mutating func add(_ app: App) {
        apps += 1
        if app.namedUser != nil {
            named += 1
        } else if app.hasOwnAccount {
            ownAccounts += 1
        } else {
            asHost += 1
        }
        if let push = app.push {
            if push.mqtt == nil { pushes.append(app.identifier) } else { brokers.append(app.identifier) }
        }
        if app.transfers != nil { transfers.append(app.identifier) }
        if case .sources(let sources) = app.usage {
            for source in sources {
                switch source {
                case .log(let path, _, _): watched.insert(path)
                case .access(let path):
                    watched.insert(path)
                    learnsFromAccesses = true
                case .login, .journal: break
                }
            }
        }
        for task in app.tasks where task.enabled { add(task) }
    }

    private mutating func add(_ task: TaskDefinition) {
        switch task.requires.idle {
        case true?: idleTasks += 1
        case nil: if task.kind == .processing { quietTasks += 1 }
        case false?: break
        }
        if task.at.map({ !$0.isAtBoot }) ?? false || !task.windows.isEmpty || !task.quiet.isEmpty
            || task.days != nil
        {
            timedTasks += 1
            if task.timezone == nil { localTasks += 1 }
        }
        diskFree = max(diskFree, task.requires.diskFree ?? 0)
        for trigger in task.on {
            if case .path(let path) = trigger { watched.insert(path.path) }
        }
    }

    /// The inotify watches that are needed: each folder on the way to a path is watched once, however many paths share it.
    var watches: Int {
        var folders: Set<Substring> = []
        for path in watched {
            var rest = path[...]
            while folders.insert(rest).inserted, let slash = rest.lastIndex(of: "/") { rest = rest[..<slash] }
        }
        return folders.count + Self.ownWatches
    }

    /// One for each part of a host that watches: manifest, zone, state, conditions, uses, events.
    static let instances = 6
    /// The folders on the way to the manifest, the state and the zone, and the terminals.
    static let ownWatches = 40
    /// The descriptors of the host itself, and for each app with a worker: its socket, its two outputs, its leash, its
    /// process.
    static let ownDescriptors = 64
    static let descriptorsOfApp = 6
    var descriptors: Int { Self.ownDescriptors + apps * Self.descriptorsOfApp }
}
