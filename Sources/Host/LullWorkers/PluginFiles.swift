internal import Glibc
import LullELF
public import LullModel

/// The files that a worker maps for its app, as they are at one moment: the plugin, and the libraries that it finds by
/// its search path; and the places that its app's limits name.
///
/// System libraries are left out: package managers put new files in place of old ones. Empty: not looked at.
public struct PluginFiles: Sendable, Equatable {
    /// By their paths.
    public private(set) var identities: [String: FileIdentity] = [:]
    /// Which file or folder is at each path that the limits name. The kernel gives a worker access to what was there at
    /// its start: neither to what came later, such as a share that was away, nor to a replacement.
    public private(set) var places: [String: String] = [:]

    private static let most = 256

    public init() {}

    /// Empty where the plugin is not there.
    public init(of plugin: String) {
        var waiting = [plugin]
        while let path = waiting.popLast(), identities.count < Self.most {
            guard identities[path] == nil, let identity = Self.identity(of: path) else { continue }
            identities[path] = identity
            guard let needs = try? LibraryNeeds(ofFile: path) else { continue }
            let folders = needs.folders(from: Self.folder(of: path))
            waiting += needs.names.compactMap { name in
                name.contains("/")
                    ? nil : folders.lazy.map { $0 + "/" + name }.first { access($0, F_OK) == 0 }
            }
        }
    }

    /// `known`: the files of the same plugin, if they were looked at already.
    public init(of app: App, known: PluginFiles? = nil) {
        self = known ?? PluginFiles(of: app.plugin)
        places = [:]
        guard !app.limits.keepsPrivileges else { return }
        for case .under(let paths) in [app.limits.read, app.limits.write] {
            for path in paths {
                places[path] = Self.identity(of: path).map { "\($0.device).\($0.inode)" }
            }
        }
    }

    /// Files that are the same ones with another content now: they were written in place. A file that was replaced or
    /// removed does not count, for a worker that has mapped it keeps it.
    var overwritten: [String] {
        identities.filter { path, then in
            guard let now = Self.identity(of: path) else { return false }
            return now.device == then.device && now.inode == then.inode && now != then
        }.keys.sorted()
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileIdentity(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytes: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
}
