private import Glibc
private import LullModel

/// Events of files and folders from inotify: one descriptor for all that is watched.
///
/// Files that change all the time are reported once a `pause` and not at each write: the descriptor is not read for
/// that long. A host whose logs are silent is not woken at all. sysfs and procfs send no events this way. Files that
/// the kernel has no room for are polled instead (`EventLoop.fileShortage`): their handlers get `lost` at each look,
/// and once more when the kernel has room again.
public final class FileEvents {
    public struct Kind: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let modified = Kind(rawValue: UInt32(IN_MODIFY))
        /// It was open for writing, and was closed.
        public static let written = Kind(rawValue: UInt32(IN_CLOSE_WRITE))
        public static let opened = Kind(rawValue: UInt32(IN_OPEN))
        public static let read = Kind(rawValue: UInt32(IN_ACCESS))
        public static let attributes = Kind(rawValue: UInt32(IN_ATTRIB))
        public static let moved = Kind(rawValue: UInt32(IN_MOVE_SELF))
        public static let deleted = Kind(rawValue: UInt32(IN_DELETE_SELF))
        /// Something in a folder went, or something else was moved to its place.
        public static let removals = Kind(rawValue: UInt32(IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO))
        /// Something in a folder came or went.
        public static let names: Kind = [.removals, Kind(rawValue: UInt32(IN_CREATE))]
        /// Something in a folder came, went or changed its permissions.
        public static let entries: Kind = [.names, .attributes]
        /// Only ever reported: the watch is gone, and its token means nothing any more.
        public static let gone = Kind(rawValue: UInt32(IN_IGNORED))
        /// Only ever reported: events were lost, so anything may have happened.
        public static let lost = Kind(rawValue: UInt32(IN_Q_OVERFLOW))
    }

    public struct Token: Hashable { fileprivate let number: Int }

    /// An errno.
    public struct Refusal: Error, Equatable {
        public let code: Int32

        /// There is nothing to watch yet.
        public var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
    }

    private struct Watcher {
        /// Nil: the kernel has no room for it, and it is polled.
        var watch: Int32?
        let path: String
        let kinds: Kind
        let isFolder: Bool
        let isOnce: Bool
        /// Called with the name of the folder's entry, empty for the file or folder itself.
        let handler: (Kind, String) -> Void

        var mask: UInt32 { kinds.rawValue | UInt32(IN_MASK_ADD) | (isFolder ? UInt32(IN_ONLYDIR) : 0) }
    }

    private let loop: EventLoop
    /// Negative: no instance was left.
    private var descriptor: Int32 = -1
    private let pause: Duration
    private let afterwards: () -> Void
    private var resume: LoopTimer?
    private var poll: LoopTimer?
    private var mounts: MountTable?
    private var lastDrain: MonotonicTime?
    private var watchers: [Token: Watcher] = [:]
    private var tokens: [Int32: [Token]] = [:]
    private var next = 0
    /// Kept, and small: what does not fit is read in the next portion. The longest event takes 272 bytes.
    private var buffer = [UInt8](repeating: 0, count: 4 << 10)

    /// `afterwards` is called once all that has happened was reported.
    public init(
        on loop: EventLoop, pause: Duration = .zero, afterwards: @escaping () -> Void = {}
    ) throws(LoopError) {
        self.loop = loop
        self.pause = pause
        self.afterwards = afterwards
        poll = try LoopTimer(on: loop) { [unowned self] in look() }
        if pause > .zero {
            resume = try LoopTimer(on: loop) { [unowned self] in
                // The loop had room for it before, unless the kernel is out of memory.
                try? listen()
            }
        }
        if let code = open() {
            guard Self.isShortage(code) else { throw LoopError(operation: "watch files", code: code) }
        }
        noteShortage()
    }

    deinit {
        loop.setFileShortage(nil, of: ObjectIdentifier(self))
        loop.forget(descriptor)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Calls `handler` with what happens to the file or folder that `path` leads to now, and the name of the folder's
    /// entry; `once`: with the first event, and then that the watch is gone.
    public func watch(
        _ path: String, for kinds: Kind, isFolder: Bool = false, once: Bool = false,
        handler: @escaping (Kind, String) -> Void
    ) throws(Refusal) -> Token {
        var watcher = Watcher(
            watch: nil, path: path, kinds: kinds, isFolder: isFolder, isOnce: once, handler: handler)
        let refusal = add(&watcher)
        if let refusal, !Self.isShortage(refusal.code) { throw refusal }
        next += 1
        let token = Token(number: next)
        watchers[token] = watcher
        if let watch = watcher.watch { tokens[watch, default: []].append(token) } else { noteShortage() }
        return token
    }

    /// Calls `handler` whenever something was mounted or unmounted, which inotify does not report.
    public func watchMounts(_ handler: @escaping () -> Void) -> Token {
        if mounts == nil { mounts = MountTable(loop: loop) { [unowned self] in mountsChanged() } }
        next += 1
        let token = Token(number: next)
        mounts?.handlers[token.number] = handler
        return token
    }

    private func mountsChanged() {
        for number in (mounts?.handlers.keys.sorted() ?? []) { mounts?.handlers[number]?() }
        afterwards()
    }

    /// Ends a watch. Does nothing if it has ended already.
    public func forget(_ token: Token?) {
        guard let token else { return }
        mounts?.handlers[token.number] = nil
        guard let watcher = watchers.removeValue(forKey: token) else { return }
        guard let watch = watcher.watch else { return noteShortage() }
        tokens[watch]?.removeAll { $0 == token }
        guard let others = tokens[watch] else { return }
        if others.isEmpty {
            tokens[watch] = nil
            inotify_rm_watch(descriptor, watch)
        } else if !kinds(of: others).isSuperset(of: watcher.kinds) {
            narrow(others)
        }
    }

    /// All kinds that they listen for: the kernel has one watch for a file, however many watch it here.
    private func kinds(of tokens: [Token]) -> Kind {
        tokens.reduce(into: []) { $0.formUnion(watchers[$1]?.kinds ?? []) }
    }

    /// Limits the kernel's watch to the kinds that they listen for.
    ///
    /// A watch is set by the path, which may lead to another file by now: that file is found out first, and its watch
    /// stays as it was. If the path leads nowhere the kernel sends too many events, and `drain` passes over them.
    private func narrow(_ others: [Token]) {
        guard let path = others.first.flatMap({ watchers[$0]?.path }) else { return }
        let found = inotify_add_watch(descriptor, path, kinds(of: others).rawValue | UInt32(IN_MASK_ADD))
        guard found >= 0 else { return }
        if let all = tokens[found] {
            inotify_add_watch(descriptor, path, kinds(of: all).rawValue)
        } else {
            inotify_rm_watch(descriptor, found)
        }
    }

    private func listen() throws(LoopError) {
        try loop.watch(descriptor, .readable) { [unowned self] _ in drain() }
    }

    private func drain() {
        let now = Clock.monotonic
        if let lastDrain, now - lastDrain < pause {
            loop.forget(descriptor)
            resume?.arm(now + pause)
        }
        lastDrain = now
        // Gathered first: a burst of writes to one file is one event for each watcher.
        var told: [(token: Token, name: String, kinds: Kind)] = []
        var indices: [Key: Int] = [:]
        var spent: Set<Token> = []
        for event in FileEvent.read(from: descriptor, by: &buffer) {
            let kinds = Kind(rawValue: event.kinds)
            // Losses are reported to the newest watcher first: that of a path, which is older than that of its end, has
            // the latter made anew.
            let hearers =
                kinds.contains(.lost)
                ? watchers.keys.sorted { $0.number > $1.number } : tokens[event.watch] ?? []
            for token in hearers where !spent.contains(token) {
                if let watcher = watchers[token], watcher.isOnce, !kinds.isDisjoint(with: watcher.kinds) {
                    spent.insert(token)
                }
                let key = Key(token: token, name: event.name)
                if let index = indices[key] {
                    told[index].kinds.formUnion(kinds)
                } else {
                    indices[key] = told.count
                    told.append((token, event.name, kinds))
                }
            }
            if kinds.contains(.gone) { tokens[event.watch] = nil }
        }
        for (token, name, kinds) in told { tell(token, name, kinds) }
        afterwards()
    }

    private func tell(_ token: Token, _ name: String, _ kinds: Kind) {
        // A handler before it may have forgotten it.
        guard let watcher = watchers[token] else { return }
        var heard = kinds.intersection(watcher.kinds.union([.gone, .lost]))
        if kinds.contains(.gone) {
            watchers[token] = nil
        } else if watcher.isOnce, !heard.isDisjoint(with: watcher.kinds) {
            // Not IN_ONESHOT, which would end the watch of all watchers of the file.
            heard.insert(.gone)
            forget(token)
        }
        if !heard.isEmpty { watcher.handler(heard, name) }
    }

    private struct Key: Hashable {
        let token: Token
        let name: String
    }
}

/// Files that the kernel has no room for.
extension FileEvents {
    private static func isShortage(_ code: Int32) -> Bool {
        [EMFILE, ENFILE, ENOMEM, ENOSPC].contains(code)
    }

    /// Makes an inotify instance. Returns an errno if there is none.
    private func open() -> Int32? {
        guard descriptor < 0 else { return nil }
        guard loop.hasInotify else { return EMFILE }
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return errno }
        do throws(LoopError) {
            try listen()
            return nil
        } catch {
            close(descriptor)
            descriptor = -1
            return error.code
        }
    }

    private func add(_ watcher: inout Watcher) -> Refusal? {
        let found = descriptor < 0 ? -1 : inotify_add_watch(descriptor, watcher.path, watcher.mask)
        guard found < 0 else {
            watcher.watch = found
            return nil
        }
        if descriptor >= 0 { return Refusal(code: errno) }
        // A path that is not there is refused all the same.
        var status = stat()
        guard stat(watcher.path, &status) == 0 else { return Refusal(code: errno) }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        return Refusal(code: watcher.isFolder && !isFolder ? ENOTDIR : EMFILE)
    }

    /// Looks whether the kernel has room again; whatever was not watched until now may have changed.
    private func look() {
        _ = open()
        let unheard = watchers.filter { $0.value.watch == nil }.keys.sorted { $0.number < $1.number }
        for token in unheard {
            guard var watcher = watchers[token] else { continue }
            let refusal = add(&watcher)
            watchers[token] = watcher
            if let watch = watcher.watch { tokens[watch, default: []].append(token) }
            let isGone = refusal.map { !Self.isShortage($0.code) } ?? false
            tell(token, "", isGone ? [.gone, .lost] : .lost)
        }
        noteShortage()
        afterwards()
    }

    private func noteShortage() {
        let shortage: FileShortage? =
            descriptor < 0 ? .instances : watchers.values.contains { $0.watch == nil } ? .watches : nil
        loop.setFileShortage(shortage, of: ObjectIdentifier(self))
        poll?.arm(shortage == nil ? nil : Clock.monotonic + loop.fileLookInterval)
    }
}
