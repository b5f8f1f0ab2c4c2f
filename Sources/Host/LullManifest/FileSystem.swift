public import LullModel

/// The files around a manifest, as far as reading it needs them.
public protocol FileSystem: Sendable {
    /// Where relative paths start from.
    var currentFolder: String { get }
    /// The entry at `path`, links followed; nil if there is none or it can't be reached.
    func entry(at path: String) -> FileEntry?
    /// The target of the link at `path`; nil if there is no link.
    func target(ofLink path: String) -> String?
    /// The names in a folder; none when it can't be read.
    func names(in folder: String) -> [String]
    /// A manifest's bytes; throws if somebody else could have written them.
    func bytes(of path: String) throws(FileProblem) -> [UInt8]
}

/// A file or folder, with what matters for trusting it.
public struct FileEntry: Sendable, Equatable {
    public enum Kind: Sendable { case file, folder, other }

    public var kind: Kind
    /// A stranger who could exchange it; nil if only root and this user could.
    public var stranger: Stranger?
    public var isSticky: Bool
    public var isReadable: Bool
    /// Whether its mode lets every user read it.
    public var isReadableByAll = false
    /// The places on its path, from the root on, where a stranger could make the path lead elsewhere.
    public var breaches: [Breach] = []
    /// Its path without links.
    public var realPath: String
    public var identity: FileIdentity

    public init(
        _ kind: Kind, realPath: String, stranger: Stranger? = nil, isSticky: Bool = false,
        isReadable: Bool = true,
        identity: FileIdentity = FileIdentity(device: 0, inode: 0, bytes: 0, modified: 0)
    ) {
        self.kind = kind
        self.realPath = realPath
        self.stranger = stranger
        self.identity = identity
        self.isSticky = isSticky
        self.isReadable = isReadable
    }
}

extension FileEntry {
    /// The first place where its mode, or a folder's on its path, lets others than the owner exchange or change it; nil: none.
    public var opening: Breach? {
        let own = stranger.map { Breach(path: realPath, stranger: $0, isFolder: kind == .folder) }
        return (breaches + [own].compactMap(\.self)).first { $0.stranger.mode != nil }
    }
}

/// A file system with the entries that a test sets.
public struct FixedFileSystem: FileSystem {
    public var currentFolder: String
    public var entries: [String: FileEntry]
    /// The targets of links, by their absolute paths.
    public var links: [String: String] = [:]
    /// The texts of files, by their absolute paths.
    public var texts: [String: String]

    public init(
        currentFolder: String = "/home/me", entries: [String: FileEntry] = [:], texts: [String: String] = [:]
    ) {
        self.currentFolder = currentFolder
        self.entries = entries
        self.texts = texts
    }

    public func bytes(of path: String) throws(FileProblem) -> [UInt8] {
        guard let text = texts[Path.join(currentFolder, path)] else { throw .missing(other: nil) }
        return Array(text.utf8)
    }

    public func entry(at path: String) -> FileEntry? { entries[Path.join(currentFolder, path)] }

    public func target(ofLink path: String) -> String? { links[Path.join(currentFolder, path)] }

    public func names(in folder: String) -> [String] {
        entries.keys.filter { Path.folder(of: $0) == Path.join(currentFolder, folder) }.map(Path.name(of:))
            .sorted()
    }
}

/// The functions on paths that the manifest needs.
enum Path {
    /// `path` from `folder` on, unless it is absolute.
    static func join(_ folder: String, _ path: String) -> String {
        var path = path[...]
        if path.hasPrefix("/") { return String(path) }
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        if path == "." || path.isEmpty { return folder }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }
}
