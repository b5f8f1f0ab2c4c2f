import Glibc
import LullModel

/// By what a manifest's file is known again: its content, for who writes what was there before has changed nothing.
///
/// Files together too large for any manifest are known by their number, size and time: what somebody puts where a
/// manifest is looked for must not keep the host's loop busy. Nothing that stands there is waited for.
enum FileLook: Equatable {
    case absent
    case content([UInt8])
    case identity(FileIdentity)

    static func look(at paths: [String], limit: Int = Limits.manifestBytes) -> [String: FileLook] {
        var room = limit
        var looks: [String: FileLook] = [:]
        for path in paths where looks[path] == nil { looks[path] = look(at: path, &room) }
        return looks
    }

    private static func look(at path: String, _ room: inout Int) -> FileLook {
        // Without O_NONBLOCK the opening of a pipe would wait for its writer.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { return .absent }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .absent }
        let size = Int(status.st_size)
        if size <= room, let bytes = bytes(file, size) {
            room -= bytes.count
            return .content(bytes)
        }
        return .identity(
            FileIdentity(
                device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytes: Int64(size),
                modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)))
    }

    /// What is written meanwhile is another change, and told of.
    private static func bytes(_ file: Int32, _ size: Int) -> [UInt8]? {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = read(file, buffer.baseAddress.map { $0 + count }, size - count)
                if got < 0, errno == EINTR { continue }
                isWhole = got >= 0
                guard got > 0 else { return }
                count += got
            }
        }
        return isWhole ? bytes : nil
    }
}
