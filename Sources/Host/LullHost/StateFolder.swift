import Foundation
import LullHistory
import LullManifest
import LullWorkers

/// The folder of a host's durable state, and where it is when nobody names it.
public struct StateFolder: Sendable {
    public let path: String

    /// `--state`, else `$LULL_STATE`, else `/var/lib/lull` for root and the XDG state folder for everybody else.
    public init(option: String?, environment: [String: String], isRoot: Bool) {
        let chosen: String
        if let option, !option.isEmpty {
            chosen = option
        } else if let variable = environment["LULL_STATE"], !variable.isEmpty {
            chosen = variable
        } else if isRoot {
            chosen = "/var/lib/lull"
        } else if let xdg = environment["XDG_STATE_HOME"], xdg.hasPrefix("/") {
            chosen = xdg + "/lull"
        } else {
            chosen = (environment["HOME"] ?? "/") + "/.local/state/lull"
        }
        path = URL(fileURLWithPath: chosen).standardizedFileURL.path
    }

    /// Makes the folder, for its owner alone, and missing ones above it; throws if anybody but this user and root could
    /// change it.
    public func create() throws(HostError) {
        do {
            try DurableFolder.make(path)
        } catch {
            // `check` has the words for a path that is no folder.
            guard error.path == path, error.code == ENOTDIR else {
                throw .stateFolder(path: path, detail: "\(error.path) can't be made: \(error.words)")
            }
        }
        try check(isWritten: true)
    }

    /// Throws if the path is no readable folder, or if a stranger may have written its contents.
    ///
    /// `isWritten`: only this user and root are trusted; for reading, the folder's owner is trusted too.
    public func check(isWritten: Bool = false) throws(HostError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .stateFolder(path: path, detail: Self.words(errno))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .stateFolder(path: path, detail: "it is a file")
        }
        if let breach = Breach.first(to: path, trusting: isWritten ? nil : status.st_uid) {
            throw .stateNotSafe(path: path, detail: breach.message, fix: breach.fix)
        }
        guard access(path, R_OK | X_OK) == 0 else {
            throw .stateFolder(
                path: path,
                detail:
                    "this user may not read it; root may, and the group that the host lets read (`lull run --readers`)"
            )
        }
        let folder: OwnFolder
        do {
            folder = try OwnFolder(path)
        } catch {
            throw .stateFolder(path: path, detail: error.words)
        }
        if let problem = StateContents(folder).problem {
            throw .stateNotSafe(path: path, detail: problem.message, fix: problem.fix)
        }
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Nil: there is none, or it can't be opened.
    var contents: OwnFolder? { try? OwnFolder(path) }

    /// The manifest that the last host of this state ran, so that `lull why` works from any folder.
    public var lastManifest: String? {
        guard let bytes = contents?.read("manifest", atMost: 64 << 10) else { return nil }
        let line = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }

    /// Kept on a best-effort basis: it only saves typing.
    func remember(manifest: String) {
        try? contents?.write(Array((manifest + "\n").utf8), to: "manifest")
    }

    /// Makes an app's own folder, which belongs to the user that the app runs as. Nil: it is there; else why not.
    ///
    /// `sight` has the users, which were looked up before. A link in the folder's place is refused.
    func createAppFolder(_ identifier: String, _ sight: StartSight) -> String? {
        let apps: OwnFolder
        let own: OwnFolder
        do throws(OwnFolder.Refusal) {
            apps = try OwnFolder(path).making("apps")
            own = try apps.making(identifier)
        } catch {
            let isOther = error.code == ENOTDIR || error.code == ELOOP
            let why =
                isOther
                ? "there is something there that is not a folder; move it away" : Self.reason(error.code)
            return "its folder \(appFolder(identifier)) can't be made: \(error.path): \(why)"
        }
        if sight.isOwnAccount, sight.user == nil {
            return
                "this machine has no account for it: none of the numbers from \(AppAccount.fewNumbers.lowerBound) on is "
                + "free here. Name a `user`, or let it run as the host does with `user: host`."
        }
        let host = geteuid()
        let (next, group) = (sight.user?.number ?? host, sight.user?.group ?? getegid())
        if let refusal = Self.handOver(own, to: next, group, sight.names) { return refusal }
        // If the user is unknown, the worker will report it.
        guard let user = sight.user, user.number != host else { return nil }
        if let fault = FolderGift.give(own.descriptor, from: host, to: user.number, group: user.group) {
            return "its folder \(own.path) can't be given to '\(user.name)': \(fault)"
        }
        return letThrough(to: apps)
    }

    /// Why a folder can't be made, and what helps.
    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOSPC:
            "the disk is full, or has no room for another file. Delete some there; `df` and `df -i` show what is short."
        case EDQUOT: "the quota of this user is used up. Delete files of that user, or raise it (`quota`)."
        default: words(code)
        }
    }

    /// Why an app may not have the folder of another user; nil: it is the app's.
    ///
    /// A former owner may have left links in the folder, and can still replace its contents: no other user, least of
    /// all root, may write by its names. The app's own account is no such user once its processes have ended: then
    /// only links are in the way.
    private static func handOver(
        _ folder: OwnFolder, to user: uid_t, _ group: gid_t, _ names: [UInt32: String]
    ) -> String? {
        let owner = folder.status.st_uid
        guard isStrange(owner: owner, host: geteuid(), for: user) else { return nil }
        let (before, now) = (names[owner] ?? "\(owner)", names[user] ?? "\(user)")
        let whose = "its folder \(folder.path) belongs to '\(before)', but the app runs as '\(now)'"
        let fresh = "move the folder away: the app then starts with an empty one."
        guard AppAccount.isAccount(owner) else {
            return "\(whose). Let it run as before with `user: \(before)`, or \(fresh)"
        }
        if AppAccount.isRunning(owner) {
            return "\(whose), and a process of '\(before)' still runs. Wait for its end."
        }
        if let link = link(in: folder.path) {
            return "\(whose), and \(link) in it is a link, which may lead elsewhere. Delete it, or \(fresh)"
        }
        return FolderGift.give(folder.descriptor, from: owner, to: user, group: group).map {
            "its folder \(folder.path) can't be given to '\(now)': \($0)"
        }
    }

    /// A symbolic link below the folder, or a file with a second name; nil: there is none.
    private static func link(in folder: String) -> String? {
        let below = FileManager.default.enumerator(atPath: folder)
        while let name = below?.nextObject() as? String {
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0 else { continue }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            if status.st_mode & S_IFMT == S_IFLNK || !isFolder && status.st_nlink > 1 { return name }
        }
        return nil
    }

    /// A folder of the host's own was not given to anybody yet.
    static func isStrange(owner: uid_t, host: uid_t, for user: uid_t) -> Bool {
        owner != host && owner != user
    }

    /// Lets other users through to their own folders; they see nothing else, neither names nor contents.
    private func letThrough(to apps: OwnFolder) -> String? {
        guard let state = contents else {
            return "other users can't be let through \(path): \(Self.words(errno))"
        }
        // Only regular files get 0600: nobody could enter a folder with that mode.
        // What `share(with:)` has given to a group stays.
        for name in state.names where !Self.sharedNames.contains(name) || !state.isShared(name) {
            state.close(toOthers: name)
        }
        let group = state.status.st_mode & S_IRGRP
        for (open, mode) in [(state, 0o711 | group), (apps, 0o711)] where fchmod(open.descriptor, mode) != 0 {
            return "other users can't be let through \(open.path): \(Self.words(errno))"
        }
        return nil
    }

    /// What a group that may read needs for `lull night` and `lull history`, beside the socket.
    private static let sharedNames: Set<String> = [
        "history.sqlite", "history.sqlite-wal", "history.sqlite-shm", "manifest",
    ]

    /// Lets a group read the history; nil: nobody but the folder's owner may any more. SQLite gives new files of the
    /// database its mode and its group.
    func share(with group: gid_t?) throws(HostError) {
        guard let state = contents else { return }
        let fail = { [path] (name: String) in
            HostError.stateFolder(
                path: path, detail: "\(name) can't be shared with a group: \(Self.words(errno))")
        }
        for name in state.names where Self.sharedNames.contains(name) {
            guard let group else {
                state.close(toOthers: name)
                continue
            }
            guard state.share(name, with: group) else { throw fail(name) }
        }
        guard let group else { return }
        let mode = state.status.st_mode & 0o777 | S_IRGRP | S_IXGRP
        guard fchown(state.descriptor, uid_t.max, group) == 0, fchmod(state.descriptor, mode) == 0 else {
            throw fail("it")
        }
    }

    func appFolder(_ identifier: String) -> String { path + "/apps/" + identifier }
}
