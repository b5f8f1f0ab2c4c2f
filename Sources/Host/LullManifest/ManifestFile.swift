private import Glibc
import LullModel

/// Reads a manifest's bytes, or says why it can't: whatever is at the path, it neither waits nor runs out of
/// memory.
enum ManifestFile {
    static func bytes(at path: String, fileSystem: some FileSystem) throws(FileProblem) -> [UInt8] {
        let walk: PathWalk
        do throws(PathWalk.Failure) {
            walk = try PathWalk(path)
        } catch {
            throw problem(error.code, path: path, fileSystem: fileSystem)
        }
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let file = walk.open(O_RDONLY | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw problem(errno, path: path, fileSystem: fileSystem) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw problem(errno, path: path, fileSystem: fileSystem) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .isFolder
        default: throw .notAFile
        }
        if let stranger = Stranger(status, file) { throw .notSafe(path: path, stranger) }
        if let breach = walk.breaches.first { throw .wayNotSafe(breach) }
        return try read(file, expecting: Int(status.st_size))
    }

    private static func read(_ file: CInt, expecting size: Int) throws(FileProblem) -> [UInt8] {
        let limit = Limits.manifestBytes
        guard size <= limit else { throw .tooLarge(limit: limit) }
        var bytes: [UInt8] = []
        var failure: CInt = 0
        // One byte more than expected shows that the file ends there; files in /proc say that they have no
        // bytes.
        var room = max(size, 4095) + 1
        while bytes.count <= limit {
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let got = Glibc.read(file, buffer.baseAddress, buffer.count)
                count = max(0, got)
                failure = got < 0 ? errno : 0
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw .failed(String(cString: strerror(failure))) }
            if chunk.isEmpty { return bytes }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            room = 64 << 10
        }
        throw .tooLarge(limit: limit)
    }

    private static func problem(_ code: CInt, path: String, fileSystem: some FileSystem) -> FileProblem {
        switch code {
        // The target of a link that the kernel makes, such as /dev/stdin, may have no path.
        case ENOENT where access(path, F_OK) == 0: return .notAFile
        case ENOENT, ENOTDIR:
            let names = Set(fileSystem.names(in: Path.folder(of: path)))
            let usual = ["jobs.yaml", "jobs.yml", "lull.yaml"].first { names.contains($0) }
            return .missing(other: usual ?? Spelling.nearest(to: Path.name(of: path), among: names.sorted()))
        case EACCES, EPERM: return .notPermitted
        case EISDIR: return .isFolder
        case ENXIO: return .notAFile
        default: return .failed(String(cString: strerror(code)))
        }
    }
}
