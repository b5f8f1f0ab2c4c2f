private import Glibc
import LullModel

/// The machine's own files.
public struct LocalFileSystem: FileSystem {
    public init() {}

    public var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    public func entry(at path: String) -> FileEntry? {
        guard let walk = try? PathWalk(path) else { return nil }
        let status = walk.status
        let kind: FileEntry.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            default: .other
            }
        var entry = FileEntry(
            kind, realPath: walk.realPath, stranger: walk.stranger,
            isSticky: status.st_mode & S_ISVTX != 0, isReadable: access(path, R_OK) == 0,
            identity: FileIdentity(
                device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytes: Int64(status.st_size),
                modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)))
        entry.breaches = walk.breaches
        entry.isReadableByAll = status.st_mode & S_IROTH != 0
        return entry
    }

    public func target(ofLink path: String) -> String? {
        guard !path.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &bytes, bytes.count)
        return length > 0 ? String(decoding: bytes[..<length], as: UTF8.self) : nil
    }

    public func bytes(of path: String) throws(FileProblem) -> [UInt8] {
        try ManifestFile.bytes(at: path, fileSystem: self)
    }

    public func names(in folder: String) -> [String] {
        guard !folder.utf8.contains(0), let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // `d_name` is a fixed array that C ends with a NUL.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
