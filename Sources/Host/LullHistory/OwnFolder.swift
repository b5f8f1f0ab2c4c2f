public import Glibc

/// A folder of the state, held by a descriptor: what is in it is reached by name, and never through a link.
///
/// A link, a pipe or somebody else's file in the place of one of the state's counts as none for who reads, and makes way for
/// who writes. The database alone is SQLite's affair: to close its file lets go of the locks that this process holds on it.
public final class OwnFolder {
    public let path: String
    public let descriptor: Int32

    public typealias Refusal = DurableFolder.Refusal

    /// The folder itself may be reached through links; whose they are its host judges.
    public init(_ path: String) throws(Refusal) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refusal(path: path, code: errno) }
    }

    private init(_ path: String, _ descriptor: Int32) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// The folder of that name in it, made for its owner alone where it is not there.
    public func making(_ name: String) throws(Refusal) -> OwnFolder {
        let path = path + "/" + name
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else {
            throw Refusal(path: path, code: errno)
        }
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw Refusal(path: path, code: errno) }
        return OwnFolder(path, folder)
    }

    /// The folder of that name in it; nil: there is none.
    public func folder(_ name: String) -> OwnFolder? {
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return folder >= 0 ? OwnFolder(path + "/" + name, folder) : nil
    }

    public var status: stat {
        var status = stat()
        fstat(descriptor, &status)
        return status
    }

    /// What stands there, a link for itself; nil: nothing.
    public func status(of name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// Without `.` and `..`, in order.
    public var names: [String] {
        // Whoever closes a stream closes its descriptor, and each descriptor has one place in the folder.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { return [] }
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

    /// A file's bytes, where it belongs to root, this user or the folder's own, and is no longer than `limit`.
    public func read(_ name: String, atMost limit: Int = 64 << 20) -> [UInt8]? {
        // Without O_NONBLOCK the opening of a pipe would wait for its writer.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit,
            [0, geteuid(), self.status.st_uid].contains(status.st_uid)
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            done += count
        }
        return Array(bytes[..<done])
    }

    /// Writes a new file, for its owner alone, beside the old one and puts it in its place: a crash leaves one or the other.
    ///
    /// `isDurable`: it outlives a power cut once this has returned.
    public func write(_ bytes: [UInt8], to name: String, isDurable: Bool = true) throws(Refusal) {
        let new = name + ".new"
        let refusal = { [path] in Refusal(path: path + "/" + name, code: errno) }
        unlinkat(descriptor, new, 0)
        let file = openat(descriptor, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw refusal() }
        defer { Glibc.close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw refusal() }
            rest = rest.dropFirst(count)
        }
        guard !isDurable || fsync(file) == 0, renameat(descriptor, new, descriptor, name) == 0 else {
            throw refusal()
        }
        if isDurable { fsync(descriptor) }
    }

    /// For its owner alone; what is no file stays as it is.
    public func close(toOthers name: String) {
        guard let status = status(of: name), status.st_mode & S_IFMT == S_IFREG else { return }
        // Opened only by name, so that SQLite's locks stay.
        fchmodat(descriptor, name, 0o600, AT_SYMLINK_NOFOLLOW)
    }
}
