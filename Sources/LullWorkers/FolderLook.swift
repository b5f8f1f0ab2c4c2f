internal import CLullShims
internal import Glibc
public import LullModel

/// A look at what an app keeps on the disk: a walk through its folder, and through what its processes have open.
///
/// It follows no link and leaves no file system, and ends after its time, its number of entries or its depth; what it has
/// seen by then is the least that is there. For a thread of its own: a disk may keep it waiting.
public struct FolderLook: Sendable {
    public static let mostEntries = 1_000_000
    /// Each level has a descriptor open.
    static let mostLevels = 100

    public var folder: String
    /// When the app began what it has under way; nil: nothing counts as changed.
    public var since: WallTime?
    /// The processes beneath which all is that the app has started.
    public var keepers: [Int32]
    /// What the walk may take.
    public var limit: Duration

    public init(_ folder: String, since: WallTime? = nil, keepers: [Int32] = [], limit: Duration) {
        self.folder = folder
        self.since = since
        self.keepers = keepers
        self.limit = limit
    }

    /// Closed by its owner, who is the host's user then. Root can be kept out by others alone, as by a server of files.
    static func isClosed(_ fault: Int32) -> Bool { fault == EACCES && geteuid() != 0 }

    public func take() -> FolderUse {
        var walk = FolderWalk(self)
        let root = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        // What is not there takes no room.
        guard root >= 0 else { return FolderUse(isWhole: errno == ENOENT, isHidden: Self.isClosed(errno)) }
        var status = stat()
        guard fstat(root, &status) == 0 else {
            close(root)
            return FolderUse(isWhole: false)
        }
        walk.device = status.st_dev
        walk.enter(root, level: 0)
        for keeper in keepers {
            for process in ProcessTable.descendants(of: keeper) { walk.addOpenFiles(of: process) }
        }
        return walk.use
    }
}

extension DiskRoom {
    /// Nil: the path leads to nothing, or its file system does not tell.
    public init?(of path: String) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (free, overflow) = Int64(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        self.init(
            bytes: overflow ? .max : free,
            files: status.f_files == 0 ? .max : Int64(clamping: status.f_favail))
    }
}

private struct FolderWalk {
    var use = FolderUse()
    var device: dev_t = 0
    private let look: FolderLook
    private let end: UInt64
    private var entries = 0
    /// Files with several names, and files that are open several times.
    private var known: Set<ino_t> = []

    init(_ look: FolderLook) {
        self.look = look
        end = Self.now + UInt64(max(0, look.limit.milliseconds)) * 1_000_000
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private var isOver: Bool { entries > FolderLook.mostEntries || Self.now > end }

    /// Takes the descriptor.
    mutating func enter(_ folder: Int32, level: Int) {
        guard let stream = fdopendir(folder) else {
            close(folder)
            use.isWhole = false
            return
        }
        defer { closedir(stream) }
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
        while let entry = readdir(stream) {
            entries += 1
            if entries % 256 == 0, isOver {
                use.isWhole = false
                return
            }
            // Read in place: the record may be shorter than its type.
            let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { add(name, in: folder, level) }
            if isStopped { return }
        }
    }

    private var isStopped: Bool { entries > FolderLook.mostEntries }

    private mutating func add(_ name: UnsafePointer<CChar>, in folder: Int32, _ level: Int) {
        var status = stat()
        // Gone meanwhile, or what is mounted there lies elsewhere.
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            // It may be listed, and what is in it can't be reached.
            if FolderLook.isClosed(errno) { hide() }
            return
        }
        guard status.st_dev == device else { return }
        if status.st_mode & S_IFMT != S_IFDIR {
            guard status.st_nlink < 2 || known.insert(status.st_ino).inserted else { return }
            return count(status, isInside: true)
        }
        count(status, isInside: true)
        guard level < FolderLook.mostLevels else { return hide() }
        let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if next < 0, FolderLook.isClosed(errno) { return hide() }
        guard next >= 0, fstat(next, &status) == 0, status.st_dev == device else {
            if next >= 0 { close(next) }
            use.isWhole = false
            return
        }
        enter(next, level: level + 1)
    }

    private mutating func hide() { (use.isHidden, use.isWhole) = (true, false) }

    private mutating func count(_ status: stat, isInside: Bool) {
        let bytes = Int64(status.st_blocks) * 512
        if isInside {
            use.bytes += bytes
            use.files += 1
        }
        // Its time of change is the kernel's, and can't be set by whoever owns the file.
        guard let since = look.since, status.st_ctim.tv_sec * 1000 + 1000 >= since.milliseconds else {
            return
        }
        use.changedBytes += bytes
        use.changedFiles += 1
    }

    /// Files without a name, and those elsewhere on this disk that it writes. Each thread may have files of its own, and one that
    /// has ended, be it the first, has none.
    mutating func addOpenFiles(of process: ProcessTable.Entry) {
        guard process.threads > 1, let stream = opendir("/proc/\(process.pid)/task") else {
            return addOpenFiles(in: "/proc/\(process.pid)/fd")
        }
        defer { closedir(stream) }
        while let entry = readdir(stream), !isStopped {
            let thread = ProcessTable.number(of: entry)
            if thread > 0 { addOpenFiles(in: "/proc/\(process.pid)/task/\(thread)/fd") }
            if isOver {
                use.isWhole = false
                return
            }
        }
    }

    private mutating func addOpenFiles(in path: String) {
        guard let stream = opendir(path) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream), !isStopped {
            entries += 1
            let link = path + "/\(ProcessTable.number(of: entry))"
            var (file, way) = (stat(), stat())
            guard stat(link, &file) == 0, file.st_mode & S_IFMT == S_IFREG, file.st_dev == device,
                lstat(link, &way) == 0
            else { continue }
            let isInside = leadsInside(link)
            // What has a name there was counted by it.
            if isInside, file.st_nlink > 0 { continue }
            guard file.st_nlink == 0 || way.st_mode & S_IWUSR != 0, known.insert(file.st_ino).inserted else {
                continue
            }
            count(file, isInside: isInside)
        }
    }

    private func leadsInside(_ link: String) -> Bool {
        var target = [CChar](repeating: 0, count: 4096)
        let count = readlink(link, &target, target.count)
        guard count > 0 else { return false }
        return target.prefix(count).map { UInt8(bitPattern: $0) }.starts(with: (look.folder + "/").utf8)
    }
}
