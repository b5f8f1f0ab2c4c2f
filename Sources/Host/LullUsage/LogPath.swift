private import Glibc

/// Opens logs that others write, with the rights of the host, which may be root.
///
/// A user with write access to a log's folder can put a link there. So the path is resolved step by step: a link is followed
/// only if root, this user or the owner of the final file created it. Only a plain file on a disk is opened: reading a file
/// that the kernel generates, such as `/proc/kmsg`, may empty it, and a pipe waits for its writer.
enum LogPath {
    /// The kernel's own limit on links in a path.
    private static let mostLinks = 40
    /// File systems whose files the kernel generates.
    private static let madeUp: Set<Substring> = [
        "proc", "sysfs", "debugfs", "tracefs", "securityfs", "configfs", "cgroup", "cgroup2", "bpf", "pstore",
        "efivarfs", "selinuxfs", "smackfs", "devpts", "mqueue", "binfmt_misc", "nsfs", "fusectl",
    ]

    static func open(_ path: String) throws(LogFile.Refusal) -> Int32 {
        let (place, makers) = try find(path)
        defer { close(place) }
        var status = stat()
        guard fstat(place, &status) == 0 else { throw .unreadable(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, !madeUp.contains(system(of: UInt64(status.st_dev))) else {
            throw .notAFile
        }
        if let maker = makers.first(where: { $0 != status.st_uid }) { throw .foreignLink(maker) }
        let file = Glibc.open("/proc/self/fd/\(place)", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .unreadable(errno) }
        return file
    }

    /// An `O_PATH` descriptor of the file that the path leads to, and the other users who created links in the path.
    private static func find(_ path: String) throws(LogFile.Refusal) -> (Int32, makers: Set<UInt32>) {
        var makers: Set<UInt32> = []
        var links = 0
        var rest = path.split(separator: "/").map(String.init)
        var place = try step(from: AT_FDCWD, to: path.hasPrefix("/") ? "/" : ".")
        while !rest.isEmpty {
            let name = rest.removeFirst()
            let before = place
            do throws(LogFile.Refusal) {
                place = try step(from: before, to: name)
            } catch {
                close(before)
                throw error
            }
            var status = stat()
            guard fstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
                close(before)
                continue
            }
            if status.st_uid != 0, status.st_uid != geteuid() { makers.insert(status.st_uid) }
            links += 1
            let target = links > mostLinks ? nil : target(of: place)
            close(place)
            place = before
            guard let target else {
                close(before)
                throw .unreadable(ELOOP)
            }
            rest = target.split(separator: "/").map(String.init) + rest
            guard target.hasPrefix("/") else { continue }
            close(before)
            place = try step(from: AT_FDCWD, to: "/")
        }
        return (place, makers)
    }

    private static func step(from folder: Int32, to name: String) throws(LogFile.Refusal) -> Int32 {
        let place = openat(folder, name, __O_PATH | O_NOFOLLOW | O_CLOEXEC)
        guard place >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(errno)
        }
        return place
    }

    private static func target(of link: Int32) -> String? {
        let capacity = Int(PATH_MAX)
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { max(0, readlinkat(link, "", $0, capacity)) } ?? 0
            }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The type of the file system with this device number; empty if no mount has it, as for a btrfs subvolume.
    private static func system(of device: UInt64) -> Substring {
        let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
        let minor = device & 0xff | device >> 12 & ~0xff & 0xffff_ffff
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2, words[2] == "\(major):\(minor)", let dash = words.firstIndex(of: "-")
            else {
                continue
            }
            return words.dropFirst(dash + 1).first ?? ""
        }
        return ""
    }

    private static var mounts: String {
        let file = Glibc.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = read(file, &piece, piece.count), count > 0 { text += piece.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }
}
