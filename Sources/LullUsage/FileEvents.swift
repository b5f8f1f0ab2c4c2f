private import Glibc
import LullLoop
import LullModel

/// What happens to files and folders, told by inotify: one descriptor for all that is watched.
///
/// Files that change all the time are told of once a `pause` and not once a write: while they do, the descriptor is left
/// alone for that long. A host whose logs are silent is not woken at all.
final class FileEvents {
    struct Kind: OptionSet, Sendable {
        let rawValue: UInt32
        static let modified = Kind(rawValue: UInt32(IN_MODIFY))
        static let opened = Kind(rawValue: UInt32(IN_OPEN))
        static let read = Kind(rawValue: UInt32(IN_ACCESS))
        static let attributes = Kind(rawValue: UInt32(IN_ATTRIB))
        static let moved = Kind(rawValue: UInt32(IN_MOVE_SELF))
        static let deleted = Kind(rawValue: UInt32(IN_DELETE_SELF))
        /// Something in a folder came, went or changed its permissions.
        static let entries = Kind(
            rawValue: UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB))
        /// Only ever told: the watch is gone.
        static let gone = Kind(rawValue: UInt32(IN_IGNORED))
        /// Only ever told: events were lost, so anything may have happened.
        static let lost = Kind(rawValue: UInt32(IN_Q_OVERFLOW))
    }

    struct Token: Hashable { fileprivate let number: Int }

    /// An errno.
    struct Refusal: Error, Equatable { let code: Int32 }

    private struct Watcher {
        let watch: Int32
        let kinds: Kind
        /// With the name of the folder's entry, empty for the file or folder itself.
        let handler: (Kind, String) -> Void
    }

    private let loop: EventLoop
    private let descriptor: Int32
    private let pause: Duration
    private var resume: LoopTimer?
    private var lastDrain: MonotonicTime?
    private var watchers: [Token: Watcher] = [:]
    private var tokens: [Int32: [Token]] = [:]
    private var next = 0

    init(on loop: EventLoop, pause: Duration) throws(LoopError) {
        self.loop = loop
        self.pause = pause
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw LoopError(operation: "watch files", code: errno) }
        resume = try LoopTimer(on: loop) { [unowned self] in
            // What has had a place in the loop until now gets it back, or the kernel is out of memory.
            try? listen()
        }
        try listen()
    }

    deinit {
        loop.forget(descriptor)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Tells `handler` what happens to the file or folder that `path` leads to now.
    func watch(
        _ path: String, for kinds: Kind, isFolder: Bool = false,
        handler: @escaping (Kind, String) -> Void
    ) throws(Refusal) -> Token {
        var mask = kinds.rawValue | UInt32(IN_MASK_ADD)
        if isFolder { mask |= UInt32(IN_ONLYDIR) }
        let watch = inotify_add_watch(descriptor, path, mask)
        guard watch >= 0 else { throw Refusal(code: errno) }
        next += 1
        let token = Token(number: next)
        watchers[token] = Watcher(watch: watch, kinds: kinds, handler: handler)
        tokens[watch, default: []].append(token)
        return token
    }

    func forget(_ token: Token?) {
        guard let token, let watcher = watchers.removeValue(forKey: token) else { return }
        tokens[watcher.watch]?.removeAll { $0 == token }
        guard tokens[watcher.watch]?.isEmpty == true else { return }
        tokens[watcher.watch] = nil
        inotify_rm_watch(descriptor, watcher.watch)
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
        // Gathered first: a burst of writes to one file is one event for each who watches it.
        var told: [(token: Token, name: String, kinds: Kind)] = []
        var indices: [Key: Int] = [:]
        for event in FileEvent.read(from: descriptor) {
            let kinds = Kind(rawValue: event.kinds)
            let hearers =
                kinds.contains(.lost)
                ? Array(watchers.keys) : tokens[event.watch] ?? []
            for token in hearers {
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
        for (token, name, kinds) in told {
            // A handler before it may have forgotten it.
            guard let watcher = watchers[token] else { continue }
            let heard = kinds.intersection(watcher.kinds.union([.gone, .lost]))
            if !heard.isEmpty { watcher.handler(heard, name) }
        }
    }

    private struct Key: Hashable {
        let token: Token
        let name: String
    }
}

extension FileEvents.Refusal {
    /// There is nothing to watch yet.
    var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
}
