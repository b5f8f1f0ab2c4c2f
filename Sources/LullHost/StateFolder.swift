import Foundation
import LullHistory
import LullManifest

/// The folder in which a host keeps what it must not forget, and where it is found when nobody names it.
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

    /// Makes the folder, for its owner alone, and those above it where they are not there yet.
    public func create() throws(HostError) {
        do {
            try DurableFolder.make(path)
        } catch {
            // What is there and no folder, `check` has the words for.
            guard error.path == path, error.code == ENOTDIR else {
                throw .stateFolder(path: path, detail: "\(error.path) can't be made: \(error.words)")
            }
        }
        try check()
    }

    /// Throws when something is there that no state can be read from.
    public func check() throws(HostError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .stateFolder(path: path, detail: Self.words(errno))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .stateFolder(path: path, detail: "it is a file")
        }
        guard access(path, R_OK | X_OK) == 0 else {
            throw .stateFolder(path: path, detail: "this user may not read it")
        }
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// The manifest that the last host of this state ran, so that `lull why` works from any folder.
    public var lastManifest: String? {
        guard let text = try? String(contentsOfFile: path + "/manifest", encoding: .utf8) else { return nil }
        let line = text.prefix { $0 != "\n" }
        return line.isEmpty ? nil : String(line)
    }

    /// Kept on a best-effort basis: it only saves typing.
    func remember(manifest: String) {
        try? Data((manifest + "\n").utf8).write(
            to: URL(fileURLWithPath: path + "/manifest"), options: .atomic)
    }

    /// Makes the folder of an app's own, which belongs to the user whom it runs as; nil when it is there, else why not.
    ///
    /// Who that is, and who others are, was looked up before.
    func createAppFolder(_ folder: String, for user: String?, _ sight: StartSight) -> String? {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return "its folder \(folder) can't be made: \((error as NSError).localizedDescription)"
        }
        if let refusal = Self.refusal(of: folder, for: sight.user?.number ?? geteuid(), sight.names) {
            return refusal
        }
        // Who it is nobody knows: the worker will say so.
        guard let user, let entry = sight.user, entry.number != geteuid() else { return nil }
        guard chown(folder, entry.number, entry.group) == 0 else {
            return "its folder \(folder) can't be given to '\(user)': \(Self.words(errno))"
        }
        return letThrough(to: folder)
    }

    /// Who once had the folder may have left links in it, and can still exchange what stands there: nobody else, least of
    /// all root, is to write by its names.
    private static func refusal(of folder: String, for user: uid_t, _ names: [UInt32: String]) -> String? {
        var status = stat()
        guard stat(folder, &status) == 0, isStrange(owner: status.st_uid, host: geteuid(), for: user) else {
            return nil
        }
        let (before, now) = (names[status.st_uid] ?? "\(status.st_uid)", names[user] ?? "\(user)")
        return
            "its folder \(folder) belongs to '\(before)', and the app runs as '\(now)'. Look at what '\(before)' has left "
            + "there, then give all of it away with `chown -hR \(now): \(folder)`, or write `user: \(before)` again."
    }

    /// What is the host's own has not been given to anybody yet.
    static func isStrange(owner: uid_t, host: uid_t, for user: uid_t) -> Bool {
        owner != host && owner != user
    }

    /// Other users may go through to what is theirs, and see nothing else: neither names nor contents.
    private func letThrough(to folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names {
            var status = stat()
            // A folder with 0600 would be nobody's to enter, and behind a link is what is not this state's.
            guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            chmod(path + "/" + name, 0o600)
        }
        for open in [path, path + "/apps"] where chmod(open, 0o711) != 0 {
            return "other users can't be let through \(open): \(Self.words(errno))"
        }
        return nil
    }

    func appFolder(_ identifier: String) -> String { path + "/apps/" + identifier }
}
