import Glibc

/// An app's transfers' folder, opened once: all its files are reached from there, by names without a path.
final class TransferFolder: Sendable {
    let path: String
    let descriptor: Int32
    /// The disk that it is on.
    let device: dev_t

    struct Fault: Error {
        let sentence: String
    }

    private init(path: String, descriptor: Int32, device: dev_t) {
        (self.path, self.descriptor, self.device) = (path, descriptor, device)
    }

    deinit { close(descriptor) }

    /// Opens it, and makes it if it is missing. It has to be the user's own, and nobody else may look into it.
    static func open(_ path: String) -> Result<TransferFolder, Fault> {
        func fault(_ code: Int32) -> Result<TransferFolder, Fault> {
            let why = String(cString: strerror(code))
            return .failure(Fault(sentence: "The transfers' folder \(path) can't be used: \(why)."))
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return fault(errno) }
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return fault(errno) }
        var status = stat()
        let isRead = fstat(descriptor, &status) == 0
        let folder = TransferFolder(path: path, descriptor: descriptor, device: status.st_dev)
        guard isRead else { return fault(errno) }
        guard status.st_uid == geteuid() else { return fault(EPERM) }
        guard status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o700) == 0 else { return fault(errno) }
        return .success(folder)
    }

    /// A regular file of the user's own, or the negated errno. `isShared`: it may have other names.
    func open(_ name: String, _ flags: Int32, isShared: Bool = false) -> Int32 {
        let file = openat(
            descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard file >= 0 else { return -errno }
        var status = stat()
        let isRight =
            fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
            && (isShared || status.st_nlink == 1)
        if isRight { return file }
        close(file)
        return -EPERM
    }

    /// Larger than any file that was transferred: the app can put what it likes there, and sums have to hold.
    private static let mostBytes: Int64 = 1 << 53

    /// Bytes of a file; nil: there is none.
    func size(of name: String) -> Int64? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return min(Int64(status.st_size), Self.mostBytes)
    }

    func remove(_ name: String) { unlinkat(descriptor, name, 0) }

    /// 0, or an errno. The new name is durable with `sync`.
    func rename(_ old: String, to new: String) -> Int32 {
        renameat(descriptor, old, descriptor, new) == 0 ? 0 : errno
    }

    func sync() -> Int32 { fsync(descriptor) == 0 ? 0 : errno }

    /// Bytes that are free for this user; nil: not known.
    var free: Int64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
                .partialValue)
    }
}
