private import Glibc
import LullModel

/// The values by which two looks at a file show whether it is the same, unchanged.
public struct FileStamp: Sendable, Hashable, Codable {
    public var inode: UInt64
    public var size: Int64
    /// When it was last written, in nanoseconds since 1970.
    public var written: Int64
    /// When anything of it last changed, including its name or folder.
    var changed: Int64 = 0

    public init(inode: UInt64, size: Int64, written: Int64) {
        self.inode = inode
        self.size = size
        self.written = written
    }

    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        inode = try container.decode(UInt64.self)
        size = try container.decode(Int64.self)
        written = try container.decode(Int64.self)
    }

    /// Three numbers: a folder may have many files.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(inode)
        try container.encode(size)
        try container.encode(written)
    }

    func isSame(as other: FileStamp?) -> Bool {
        guard let other else { return false }
        return inode == other.inode && size == other.size && written == other.written
    }

    enum Look: Equatable {
        case file(FileStamp)
        case folder
        /// Nothing, or neither of the two: a socket, a device.
        case nothing
        /// An errno that says that something may be there.
        case hidden(Int32)
    }

    /// What a path leads to.
    static func look(at path: String) -> Look {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return [ENOENT, ENOTDIR, ELOOP].contains(errno) ? .nothing : .hidden(errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG:
            var stamp = FileStamp(
                inode: UInt64(status.st_ino), size: Int64(status.st_size),
                written: nanoseconds(status.st_mtim))
            stamp.changed = nanoseconds(status.st_ctim)
            return .file(stamp)
        default: return .nothing
        }
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The names in a folder, at most so many; an errno where it can't be read.
    static func names(in folder: String, atMost limit: Int) -> Result<[String], FolderTrouble> {
        guard let handle = opendir(folder) else { return .failure(FolderTrouble(code: errno)) }
        defer { closedir(handle) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(handle) {
            // A name that is not UTF-8 can't be reported: `hasUnnamed`.
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return .success(names)
    }

    /// Whether a file that a path watches for has a name that is not UTF-8.
    static func hasUnnamed(in path: WatchedPath) -> Bool {
        guard let handle = opendir(path.path) else { return false }
        defer { closedir(handle) }
        while let entry = readdir(handle) {
            let (isText, name) = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                let name = bytes.prefix { $0 != 0 }
                return (String(validating: name, as: UTF8.self) != nil, String(decoding: name, as: UTF8.self))
            }
            if !isText, path.takes(name, path.pattern) { return true }
        }
        return false
    }

    struct FolderTrouble: Error, Equatable {
        let code: Int32
        var sentence: String { String(cString: strerror(code)) }
    }
}
