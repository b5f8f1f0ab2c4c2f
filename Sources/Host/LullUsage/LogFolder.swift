private import Glibc
import LullModel

/// Finds a log's file and its rotated files beside it.
enum LogFolder {
    /// The number of folder entries that are examined at most.
    private static let nameLimit = 10_000
    private static let compressed = [".gz", ".xz", ".bz2", ".zst", ".lz4", ".Z", ".zip"]

    static func plan(for path: String, from position: LogPosition?, limit: Int64) -> LogPlan {
        let log = file(path, position)
        var rotated = rotatedNames(of: path).compactMap { file($0, position) }
        // A copy begins with the same bytes as its original: the log itself is preferred, then the file with the same inode.
        if log?.continues == true { for index in rotated.indices { rotated[index].continues = false } }
        if let number = position.map(Self.number), rotated.count(where: \.continues) > 1 {
            let isThere = rotated.contains { $0.continues && Self.number(of: $0.path) == number }
            for index in rotated.indices where isThere && rotated[index].continues {
                rotated[index].continues = Self.number(of: rotated[index].path) == number
            }
        }
        return LogPlan(from: position, log: log, rotated: rotated, limit: limit)
    }

    /// The device and inode of the file at a path; nil if there is none.
    static func number(of path: String) -> [UInt64]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    private static func number(_ position: LogPosition) -> [UInt64] { [position.device, position.inode] }

    private static func file(_ path: String, _ position: LogPosition?) -> LogPlan.File? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let modified = WallTime(
            milliseconds: Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
        return LogPlan.File(
            path: path, size: Int64(status.st_size), modified: modified,
            continues: position.map { LogFile.continues($0, at: path) } ?? false)
    }

    /// Names like `access.log.1` and `access.log-20261121`, which logrotate and others give to rotated files.
    private static func rotatedNames(of path: String) -> [String] {
        let folder: String
        let name: Substring
        if let slash = path.lastIndex(of: "/") {
            folder = slash == path.startIndex ? "/" : String(path[..<slash])
            name = path[path.index(after: slash)...]
        } else {
            folder = "."
            name = path[...]
        }
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        for _ in 0..<nameLimit {
            guard let entry = readdir(stream) else { break }
            let other = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard other.hasPrefix(name + ".") || other.hasPrefix(name + "-"),
                !compressed.contains(where: other.hasSuffix)
            else { continue }
            found.append(folder + "/" + other)
        }
        return found
    }
}
