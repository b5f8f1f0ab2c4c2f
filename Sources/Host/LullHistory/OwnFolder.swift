public import Glibc

/// A folder of the state, held by a descriptor: its files are reached by name, and never through a link.
///
/// A link, a pipe or another user's file in place of a state file counts as missing when it is read, and is replaced when it
/// is written. Only SQLite opens the database: closing its file releases the locks that this process holds on it.
public final class OwnFolder {
    public let path: String
    public let descriptor: Int32

    public typealias Refusal = DurableFolder.Refusal

    /// The path of the folder itself may contain links; the host checks who owns them.
    public init(_ path: String) throws(Refusal) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refusal(path: path, code: errno) }
    }

    private init(_ path: String, _ descriptor: Int32) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Opens the subfolder of that name; makes it, for its owner alone, if it is missing.
    public func making(_ name: String) throws(Refusal) -> OwnFolder {
        let path = path + "/" + name
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else {
            throw Refusal(path: path, code: errno)
        }
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw Refusal(path: path, code: errno) }
        return OwnFolder(path, folder)
    }

    /// The subfolder of that name; nil if there is none.
    public func folder(_ name: String) -> OwnFolder? {
        let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return folder >= 0 ? OwnFolder(path + "/" + name, folder) : nil
    }

    public var status: stat {
        var status = stat()
        fstat(descriptor, &status)
        return status
    }

    /// The status of the entry of that name, without following a link; nil if there is none.
    public func status(of name: String) -> stat? {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// The names of all entries but `.` and `..`, sorted.
    public var names: [String] {
        // `closedir` closes the stream's descriptor, and reading moves the descriptor's offset: so it gets one of its own.
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

    /// A file's bytes, if it belongs to root, this user or the folder's owner, and is no longer than `limit`.
    public func read(_ name: String, atMost limit: Int = 64 << 20) -> [UInt8]? {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
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

    /// Writes a new file, for its owner alone, and renames it over the old one: a crash leaves one or the other.
    ///
    /// `isDurable`: it survives a power cut once this has returned.
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

    /// Lets a group read a file; false with `errno`: it may not be given to it.
    public func share(_ name: String, with group: gid_t) -> Bool {
        guard let status = status(of: name), status.st_mode & S_IFMT == S_IFREG else { return true }
        return fchownat(descriptor, name, uid_t.max, group, AT_SYMLINK_NOFOLLOW) == 0
            && fchmodat(descriptor, name, Self.shared, AT_SYMLINK_NOFOLLOW) == 0
    }

    public func isShared(_ name: String) -> Bool {
        status(of: name).map { $0.st_mode & 0o777 } == Self.shared
    }

    private static let shared: mode_t = 0o640

    /// Makes a file accessible to its owner alone; anything but a regular file stays as it is.
    public func close(toOthers name: String) {
        guard let status = status(of: name), status.st_mode & S_IFMT == S_IFREG else { return }
        // Changed by name and never opened, so that SQLite's locks stay.
        fchmodat(descriptor, name, 0o600, AT_SYMLINK_NOFOLLOW)
    }
}
