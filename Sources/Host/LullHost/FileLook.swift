import Glibc
import LullModel

/// How a change of a manifest's file is detected: by its content, so that writing the same bytes again is no change.
///
/// Files that together are too large for any manifest are compared by inode, size and time instead: a huge file in a
/// manifest's place must not keep the host's loop busy. Pipes and devices count as absent, and are not waited for.
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

    /// A write during the read is another change, with an event of its own.
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
