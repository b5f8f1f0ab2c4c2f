internal import CLullShims
internal import Glibc
public import LullModel

/// Measures what an app keeps on the disk: walks through its folder, and through the files that its processes have open.
///
/// It follows no links, stays on one file system, and has limits of time, entries and depth; if one is reached, the
/// result is a lower bound. A file that moves during the walk, from a folder ahead to one behind, is missed: so the
/// folders are walked a second time. A folder with the same change time has let no file pass, for the kernel sets that
/// time. Call it on a thread of its own: a disk may keep it waiting.
public struct FolderLook: Sendable {
    public static let mostEntries = 1_000_000
    /// Each level has a descriptor open.
    static let mostLevels = 100

    public var folder: String
    /// Since when the app has been at work; nil: nothing counts as changed.
    public var since: WallTime?
    /// The supervisors of the app's workers, whose descendants are all its processes.
    public var supervisors: [Int32]
    /// The time limit of the walk.
    public var limit: Duration
    /// The app is stopped meanwhile.
    public var isHeld = false

    /// The result of a look.
    public struct Found: Sendable {
        public var use: FolderUse
        /// No file can have been moved out of sight. False: `use` is a lower bound, and the app has to be stopped for
        /// another look.
        public var isSteady = true
    }

    /// How often changing folders are walked through, and the pause between in µs, after which the clock shows another time.
    private static let attempts = 3
    private static let pause: UInt32 = 20_000

    public init(_ folder: String, since: WallTime? = nil, supervisors: [Int32] = [], limit: Duration) {
        self.folder = folder
        self.since = since
        self.supervisors = supervisors
        self.limit = limit
    }

    /// Whether the folder's owner, the host's user, has closed it. Only others, such as a file server, can keep root out.
    static func isClosed(_ fault: Int32) -> Bool { fault == EACCES && geteuid() != 0 }

    public func take() -> Found {
        let end = FolderWalk.now + UInt64(max(0, limit.milliseconds)) * 1_000_000
        var largest = FolderUse()
        for attempt in 0..<Self.attempts where attempt == 0 || FolderWalk.now < end {
            if attempt > 0 { usleep(Self.pause) }
            let found = walkTwice(isSure: isHeld && attempt > 0)
            if found.use.bytes >= largest.bytes { largest = found.use }
            if found.isSteady { return Found(use: largest) }
        }
        largest.isWhole = false
        return Found(use: largest, isSteady: false)
    }

    /// `isSure`: no folder can have changed in the very moment of the look.
    private func walkTwice(isSure: Bool) -> Found {
        var first = FolderWalk(self)
        first.walk()
        // A folder that is too large for one walk is too large for two.
        guard !first.isCutOff else { return Found(use: first.use) }
        var second = FolderWalk(self, isOfFolders: true)
        second.walk()
        let isSame = !first.hasLost && first.folders == second.folders && (isSure || !first.isFresh)
        return Found(use: first.use, isSteady: isSame && !second.isCutOff)
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
    private(set) var use = FolderUse()
    /// It ended before it had seen all that it may see.
    private(set) var isCutOff = false
    /// A folder was gone when it was to be opened.
    private(set) var hasLost = false
    /// A folder changed in the moment in which it was opened: another change then has the same time.
    private(set) var isFresh = false
    /// A sum over all folders and the times at which they changed.
    private(set) var folders = 0
    private var device: dev_t = 0
    private let look: FolderLook
    /// Only folders are looked at, and no file is measured.
    private let isOfFolders: Bool
    private let end: UInt64
    private var entries = 0
    /// Files with several names, and files that are open several times.
    private var known: Set<ino_t> = []

    init(_ look: FolderLook, isOfFolders: Bool = false) {
        self.look = look
        self.isOfFolders = isOfFolders
        end = Self.now + UInt64(max(0, look.limit.milliseconds)) * 1_000_000
    }

    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private var isOver: Bool { entries > FolderLook.mostEntries || Self.now > end }

    mutating func walk() {
        let root = open(look.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        // A folder that is not there takes no room.
        guard root >= 0 else {
            use = FolderUse(isWhole: errno == ENOENT, isHidden: FolderLook.isClosed(errno))
            return
        }
        var status = stat()
        guard fstat(root, &status) == 0 else {
            close(root)
            return use.isWhole = false
        }
        device = status.st_dev
        note(status)
        enter(root, level: 0)
        guard !isOfFolders else { return }
        for supervisor in look.supervisors {
            for process in ProcessTable.descendants(of: supervisor) { addOpenFiles(of: process) }
        }
    }

    private mutating func note(_ folder: stat) {
        var hasher = Hasher()
        hasher.combine(folder.st_ino)
        hasher.combine(folder.st_ctim.tv_sec)
        hasher.combine(folder.st_ctim.tv_nsec)
        folders &+= hasher.finalize()
        var now = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        let changed = folder.st_ctim
        if (changed.tv_sec, changed.tv_nsec) >= (now.tv_sec, now.tv_nsec) { isFresh = true }
    }

    private mutating func cutOff() { (isCutOff, use.isWhole) = (true, false) }

    /// Takes over the descriptor.
    private mutating func enter(_ folder: Int32, level: Int) {
        guard let stream = fdopendir(folder) else {
            close(folder)
            use.isWhole = false
            return
        }
        defer { closedir(stream) }
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
        while let entry = readdir(stream) {
            entries += 1
            if entries % 256 == 0, isOver { return cutOff() }
            if isOfFolders, entry.pointee.d_type != DT_DIR, entry.pointee.d_type != DT_UNKNOWN { continue }
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
            // The folder may be listed, but its entries can't be reached.
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
            (use.isWhole, hasLost) = (false, true)
            return
        }
        note(status)
        enter(next, level: level + 1)
    }

    private mutating func hide() { (use.isHidden, use.isWhole) = (true, false) }

    private mutating func count(_ status: stat, isInside: Bool) {
        let bytes = Int64(status.st_blocks) * 512
        if isInside {
            use.bytes += bytes
            use.files += 1
        }
        // The kernel sets the change time, and the file's owner can't.
        guard let since = look.since, status.st_ctim.tv_sec * 1000 + 1000 >= since.milliseconds else {
            return
        }
        use.changedBytes += bytes
        use.changedFiles += 1
    }

    /// Adds open files without a name, and those elsewhere on this disk that the process may write. Each thread may
    /// have files of its own, and a thread that has ended, even the first, has none.
    mutating func addOpenFiles(of process: ProcessTable.Entry) {
        guard process.threads > 1, let stream = opendir("/proc/\(process.pid)/task") else {
            return addOpenFiles(in: "/proc/\(process.pid)/fd")
        }
        defer { closedir(stream) }
        while let entry = readdir(stream), !isStopped {
            let thread = ProcessTable.number(of: entry)
            if thread > 0 { addOpenFiles(in: "/proc/\(process.pid)/task/\(thread)/fd") }
            if isOver { return cutOff() }
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
            // A file with a name in the folder was counted by the walk.
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
