import LullModel

/// Finds a plugin by its name or path, and checks whether somebody else could exchange it; each plugin once.
struct PluginSearch {
    private let pluginPath: [String]
    private let folder: String
    private let fileSystem: any FileSystem
    private var known: [Name: Result<String, Refusal>] = [:]

    private struct Name: Hashable {
        let name: String
        let user: String?
    }

    struct Refusal: Error {
        let problem: PluginProblem
    }

    /// `folder`: the manifest's, absolute.
    init(pluginPath: [String], folder: String, fileSystem: any FileSystem) {
        let current = fileSystem.currentFolder
        self.pluginPath = pluginPath.map { Path.join(current, $0) }
        self.folder = folder
        self.fileSystem = fileSystem
    }

    /// The plugin's absolute path. `user`: its app's user, who may be able to exchange it, because it runs as no other user.
    mutating func find(_ name: String, as user: String?) -> Result<String, Refusal> {
        let key = Name(name: name, user: user)
        if let answer = known[key] { return answer }
        let answer = Result { () throws(Refusal) in try search(name, user) }
        known[key] = answer
        return answer
    }

    private func search(_ name: String, _ user: String?) throws(Refusal) -> String {
        let candidates = candidates(for: name)
        guard !candidates.isEmpty else { throw Refusal(problem: .noPluginPath(name)) }
        for path in candidates {
            guard let entry = fileSystem.entry(at: path) else { continue }
            try Self.check(path, entry, as: user, fileSystem: fileSystem)
            return path
        }
        if let (path, target) = danglingLink(candidates) {
            throw Refusal(problem: .danglingLink(path: path, target: target))
        }
        throw Refusal(problem: .notFound(name, searched: candidates, known: names(like: name)))
    }

    private func danglingLink(_ paths: [String]) -> (path: String, target: String)? {
        paths.lazy.compactMap { path in fileSystem.target(ofLink: path).map { (path, $0) } }.first
    }

    private func candidates(for name: String) -> [String] {
        if name.contains("/") { return [Path.join(folder, name)] }
        return pluginPath.flatMap { folder in
            (name.hasSuffix(".so") ? [name] : ["lib\(name).so", "\(name).so"]).map { Path.join(folder, $0) }
        }
    }

    /// The names of the plugins in the plugin path, one of which may be meant.
    private func names(like name: String) -> [String] {
        // Each look costs the reading of a folder.
        guard !name.contains("/"), known.count < 100 else { return [] }
        let files = pluginPath.flatMap(fileSystem.names).filter { $0.hasSuffix(".so") }
        return Set(files.map { String($0.dropLast(3).dropFirst($0.hasPrefix("lib") ? 3 : 0)) }).sorted()
    }

    static func check(
        _ path: String, _ entry: FileEntry, as user: String?, fileSystem: any FileSystem
    ) throws(Refusal) {
        switch entry.kind {
        case .folder: throw Refusal(problem: .isFolder(path: path))
        case .other: throw Refusal(problem: .notAFile(path: path))
        case .file: break
        }
        if let stranger = stranger(entry, user) {
            throw Refusal(problem: .fileNotSafe(path: path, stranger))
        }
        // A link and what it leads to can both be exchanged.
        for folder in [Path.folder(of: path), Path.folder(of: entry.realPath)] {
            if let entry = fileSystem.entry(at: folder), let stranger = stranger(entry, user) {
                throw Refusal(
                    problem: .folderNotSafe(path: folder, stranger, isSticky: entry.isSticky))
            }
        }
        if let breach = entry.breaches.first(where: { $0.stranger != user.map(Stranger.owner) }) {
            throw Refusal(problem: .wayNotSafe(path: path, breach))
        }
        guard entry.isReadable else { throw Refusal(problem: .unreadable(path: path)) }
    }

    private static func stranger(_ entry: FileEntry, _ user: String?) -> Stranger? {
        if let user, entry.stranger == .owner(user) { return nil }
        return entry.stranger
    }
}
