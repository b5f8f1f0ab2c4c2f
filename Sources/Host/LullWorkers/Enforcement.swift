internal import CLullShims
internal import Glibc
public import LullModel

/// How this machine enforces an app's limits; a limit that it can't enforce is reported as such.
public struct Enforcement: Sendable, Equatable {
    /// The version of Landlock's interface; 0: the kernel has none, or it is turned off.
    public var landlock: Int
    /// Whether system calls are filtered.
    public var filtersCalls: Bool
    /// Whether changes of files' modes, owners and times can be judged one by one.
    public var judgesChanges: Bool
    public var isRoot: Bool

    public init(landlock: Int, filtersCalls: Bool, judgesChanges: Bool = true, isRoot: Bool) {
        self.landlock = landlock
        self.filtersCalls = filtersCalls
        self.judgesChanges = judgesChanges
        self.isRoot = isRoot
    }

    public static let ofThisMachine = Enforcement(
        landlock: Int(lull_landlock_abi()), filtersCalls: lull_can_filter_calls() != 0,
        judgesChanges: lull_can_ask_broker() != 0, isRoot: geteuid() == 0
    )

    /// From this version on an app can signal only what it has started.
    private static let withSignals = 6

    /// "files, tracing and signals by Landlock 7, …".
    public var sentence: String {
        var parts: [String] = []
        if landlock > 0 {
            parts.append(
                "files, tracing\(landlock >= Self.withSignals ? " and signals" : "") by Landlock \(landlock)")
        }
        if filtersCalls {
            parts.append("system calls and the network by seccomp")
            parts.append(
                judgesChanges
                    ? "files' modes, owners and times by a supervisor for each worker"
                    : "files' modes, owners and times by refusing every change (Linux 5.0 judges them one by one)"
            )
        }
        parts.append(
            "memory, processes and the processor by lull, which measures every 2 s (and by control groups if they are delegated to it)"
        )
        let kept = "Limits are enforced: " + parts.joined(separator: ", ")
        let missing = self.missing
        return kept + (missing.isEmpty ? "." : "; not enforced: " + missing.joined(separator: ", ") + ".")
    }

    /// A sentence on the limits that this machine does not enforce; nil: it enforces all.
    public var unkept: String? {
        guard !missing.isEmpty else { return nil }
        return "This machine does not enforce all limits of apps. Not enforced: "
            + missing.joined(separator: ", ")
            + "."
    }

    /// What would enforce the rest; nil: all are enforced.
    public var fix: String? {
        if landlock == 0 { return Self.landlockFix }
        if !filtersCalls { return Self.filterFix }
        guard !missing.isEmpty else { return nil }
        return "run Linux 6.12 or later, or give each app its own `user`"
    }

    private static let landlockFix =
        "turn it on (`lsm=landlock,…` on the kernel's command line), or name a `user` of its own"
    private static let filterFix = "run a kernel with seccomp"

    /// The limits that are not enforced here.
    private var missing: [String] {
        var missing: [String] = []
        if landlock == 0 { missing.append("files (the kernel has no Landlock)") }
        if landlock < Self.withSignals {
            missing.append(
                "signals to other processes of the app's user (Landlock \(Self.withSignals) is needed)")
        }
        if !filtersCalls { missing.append("the network and system calls (the kernel has no seccomp)") }
        return missing
    }

    /// A part of an app's entry in the manifest that this machine can't honour.
    public struct Shortcoming: Sendable, Equatable {
        /// The key that says it, and the one below it.
        public var key: [String]
        public var message: String
        public var fix: String
        public var isError: Bool
        /// The machine lacks something: no other manifest of the same limits would do.
        public var isOfMachine = false
    }

    /// The parts of an app's entry that this machine can't honour, each with its remedy.
    ///
    /// `accounts`: names of users to suggest in place of an unknown one.
    public func shortcomings(of app: App, accounts: [String] = []) -> [Shortcoming] {
        var found: [Shortcoming] = []
        func add(
            _ key: [String], _ message: String, _ fix: String, isError: Bool = false,
            isOfMachine: Bool = false
        ) {
            found.append(
                Shortcoming(key: key, message: message, fix: fix, isError: isError, isOfMachine: isOfMachine))
        }
        if let user = app.namedUser {
            let uid = getpwnam(user)?.pointee.pw_uid
            if uid == nil {
                let nearest = Spelling.nearest(to: user, among: accounts)
                add(
                    ["user"], "there is no user '\(user)'",
                    nearest.map { "did you mean `\($0)`?" }
                        ?? "make it with `useradd --system \(user)`, or write another user after `user:`",
                    isError: true)
            } else if !isRoot, uid != geteuid() {
                add(
                    ["user"], "only root may run an app as '\(user)'",
                    "run lull as root or as '\(user)', or take `user` out", isError: true)
            }
        } else if isRoot, app.user == nil, app.limits.keepsPrivileges {
            add(
                ["limits", "privileges"], "it runs as root, with all of root's rights",
                "name a `user`, or write `user: root` if you mean that")
        }
        guard !app.limits.keepsPrivileges else { return found }
        for (path, owner) in closedPaths(of: app) {
            add(
                ["limits", "write"],
                "it runs as its own account, not as root, and the permissions of \(path) do not let that account write there",
                "let it run as the owner with `user: \(owner)`, or let that account or everybody write there"
            )
        }
        let limitsFiles =
            app.limits.read != .all || (app.limits.write != .all && app.limits.write != .under([]))
        if limitsFiles, landlock == 0 {
            add(
                ["limits"], "this kernel has no Landlock: the app can read and write all that its user may",
                Self.landlockFix, isOfMachine: true)
        }
        if !app.limits.network, !filtersCalls {
            add(
                ["limits", "network"], "this kernel filters no system calls: the app can use the network",
                Self.filterFix, isOfMachine: true)
        }
        return found
    }

    /// Paths that the manifest lets an app of a root host write, and permissions do not; each with its owner.
    private func closedPaths(of app: App) -> [(path: String, owner: String)] {
        guard isRoot, app.hasOwnAccount, case .under(let paths) = app.limits.write else { return [] }
        return paths.compactMap { path in
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IWOTH == 0 else { return nil }
            let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
            // An owner without a name may be the app's account, which may write there.
            return owner.map { (path, $0) }
        }
    }
}
