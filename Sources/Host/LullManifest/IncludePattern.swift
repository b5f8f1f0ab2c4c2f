private import Glibc
import LullModel

/// An entry of `include`: a path from the including file's folder, whose last part may be a pattern of the shell.
public struct IncludePattern {
    private let folder: String
    private let name: String
    let text: String
    private var isPattern: Bool { Self.isPattern(name) }

    /// `base`: the folder of the including file, as it is named in messages.
    init(_ text: String, in base: String) {
        self.text = text
        let path = base == "." && !text.hasPrefix("/") ? text : Path.join(base, text)
        folder = Path.folder(of: path)
        name = Path.name(of: path)
    }

    /// The pattern as a path, if a new file may match it; else nil.
    var watched: String? { isPattern && !Self.isPattern(folder) ? path(name) : nil }

    /// Whether a file's name matches the last part of a pattern; no wildcard matches the first dot of a hidden file.
    public static func fits(_ name: String, _ pattern: String) -> Bool {
        fnmatch(pattern, name, FNM_PERIOD) == 0
    }

    /// How many of these paths match the pattern; both are absolute, or start from `current`.
    func count(in files: [String], from current: String) -> Int {
        guard isPattern else { return 0 }
        let folder = Path.join(current, folder)
        return files.count {
            let path = Path.join(current, $0)
            return Path.folder(of: path) == folder && Self.fits(Path.name(of: path), name)
        }
    }

    private static func isPattern(_ text: String) -> Bool { text.contains { "*?[".contains($0) } }

    /// The files that match, in the order of their names; hidden files and folders are left out.
    func files(_ fileSystem: some FileSystem) -> Result<[String], IncludeProblem> {
        guard !name.isEmpty, !text.utf8.contains(0) else { return .failure(.noName(text)) }
        guard !Self.isPattern(folder) else { return .failure(.patternInFolder(text)) }
        guard isPattern else {
            let path = path(name)
            guard let entry = fileSystem.entry(at: path) else {
                let nearest = Spelling.nearest(to: name, among: fileSystem.names(in: folder))
                return .failure(.missing(path, nearest: nearest))
            }
            return entry.kind == .folder ? .failure(.isFolder(text)) : .success([path])
        }
        guard let entry = fileSystem.entry(at: folder), entry.kind == .folder else {
            return .failure(.noFolder(folder))
        }
        // A user who can put a file there decides what is run.
        if let stranger = entry.stranger { return .failure(.openFolder(folder, stranger)) }
        if let breach = entry.breaches.first { return .failure(.openWay(breach)) }
        let names = fileSystem.names(in: folder).filter { Self.fits($0, name) }
        return .success(names.sorted().map(path).filter { fileSystem.entry(at: $0)?.kind != .folder })
    }

    private func path(_ name: String) -> String { folder == "." ? name : Path.join(folder, name) }
}
