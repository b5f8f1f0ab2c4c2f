import LullModel

/// A plugin that is missing, or that somebody else could exchange.
public enum PluginProblem: Sendable, Hashable {
    /// With the files that were searched for, in this order, and the names of the plugins that exist.
    case notFound(String, searched: [String], known: [String])
    /// The first of those files is a link to a missing file.
    case danglingLink(path: String, target: String)
    /// No folder to search was given.
    case noPluginPath(String)
    case isFolder(path: String)
    case notAFile(path: String)
    case unreadable(path: String)
    case fileNotSafe(path: String, Stranger)
    case folderNotSafe(path: String, Stranger, isSticky: Bool)
    /// A folder or link further up, or behind a link.
    case wayNotSafe(path: String, Breach)

    var message: String {
        switch self {
        case .notFound(let name, let searched, _):
            "there is no plugin \(quoted(name)); looked for \(Self.listed(searched))"
        case .danglingLink(let path, let target):
            "the plugin \(quoted(path)) is a link to \(quoted(target)), which is not there"
        case .noPluginPath(let name):
            "the plugin \(quoted(name)) can't be found: the plugin path is empty"
        case .isFolder(let path): "the plugin \(quoted(path)) is a folder"
        case .notAFile(let path): "the plugin \(quoted(path)) is not a file"
        case .unreadable(let path): "the plugin \(quoted(path)) can't be read: permission denied"
        case .fileNotSafe(let path, .owner(let owner)):
            "the plugin \(quoted(path)) belongs to \(quoted(owner)), who can therefore run code as you"
        case .fileNotSafe(let path, let stranger):
            "\(stranger.who) can write the plugin \(quoted(path)), and so run code as you"
        case .folderNotSafe(let path, .owner(let owner), _):
            "the plugin's folder \(quoted(path)) belongs to \(quoted(owner)), who can replace what is in it"
        case .folderNotSafe(let path, let stranger, _):
            "\(stranger.who) can put files into the plugin's folder \(quoted(path))"
        case .wayNotSafe(let path, let breach):
            "\(breach.message), and so decide what is loaded as the plugin \(quoted(path))"
        }
    }

    var fix: String {
        switch self {
        case .notFound(let name, _, _) where name.hasPrefix("~") || name.hasPrefix("$"):
            "write the full path: `~` and variables are not expanded"
        case .notFound(let name, _, _) where name.contains("/"):
            "build the plugin, or correct the path, which starts at the manifest's folder"
        case .notFound(let name, _, _) where name.hasSuffix(".so"):
            "write `./\(name)` for a file beside the manifest, or put it into one of these folders"
        case .notFound(let name, _, let known): Self.way(to: name, among: known)
        case .danglingLink: "build or install the link's target, or create the link again"
        case .noPluginPath: "write a path with a `/` in it, such as `./libColorFeed.so`"
        case .isFolder: "name the `.so` file in it"
        case .notAFile: "name the `.so` file"
        case .unreadable(let path): "run `chmod a+r \(path)`"
        case .folderNotSafe(_, .everybody, isSticky: true):
            "move the plugin to a folder of your own: everybody can write this one"
        case .fileNotSafe(let path, let stranger), .folderNotSafe(let path, let stranger, _):
            if let mode = stranger.mode {
                "run `chmod \(mode) \(path)`"
            } else {
                "use a copy that belongs to you or root, or let the app run as its owner with `user`"
            }
        case .wayNotSafe(_, let breach): breach.fix
        }
    }

    /// Names that people try for a plugin that runs command lines.
    private static let shells: Set = [
        "shell", "sh", "bash", "cmd", "cron", "crontab", "exec", "execute", "script", "scripts", "run",
        "process",
        "program", "job", "jobs", "cli", "none",
    ]

    private static func way(to name: String, among known: [String]) -> String {
        let command = "Command"
        if known.contains(command), shells.contains(name.lowercased()) {
            return "did you mean `\(command)`? It runs command lines"
        }
        if let nearest = Spelling.nearest(to: name, among: known) { return "did you mean `\(nearest)`?" }
        let build = "build or install the plugin, or write a path with a `/` in it"
        return known.isEmpty ? build : "there are \(listed(known)); or \(build)"
    }

    private static func listed(_ paths: [String]) -> String {
        let shown = paths.prefix(8).joined(separator: ", ")
        return paths.count > 8 ? "\(shown) and \(paths.count - 8) more" : shown
    }
}
