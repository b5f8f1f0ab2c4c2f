import LullModel
import LullSystem

/// Counts a use whenever a process opens, reads or writes a file, or an entry of a folder.
///
/// After a use it stops listening for `UsageSessions.gap`, so that a busy file does not keep waking the host. Accesses by
/// the app's own tasks are no uses: accesses while they run, and shortly after, are ignored.
final class AccessFollower: SourceFollower {
    private let path: String
    private let events: FileEvents
    private let isOwn: () -> Bool
    private let changed: () -> Void
    private let clock: () -> WallTime
    private var pathWatch: PathWatch?
    private var watch: FileEvents.Token?
    private var accesses: [WallTime] = []
    /// The end of the time in which a further access would not count.
    private(set) var deafUntil: WallTime?

    init(
        _ path: String, events: FileEvents, clock: @escaping () -> WallTime, isOwn: @escaping () -> Bool,
        changed: @escaping () -> Void
    ) {
        self.path = path
        self.events = events
        self.clock = clock
        self.isOwn = isOwn
        self.changed = changed
        pathWatch = PathWatch(path, events: events, changed: changed)
    }

    deinit { events.forget(watch) }

    var place: UsagePlace? { nil }

    func look(_ look: inout Look) {
        for access in accesses { look.found(access) }
        if let last = accesses.last {
            deafUntil = last + UsageSessions.gap
            events.forget(watch)
            watch = nil
            accesses = []
        }
        if let until = deafUntil {
            // A clock that was set back must not extend this time.
            if until > look.now, until - look.now <= UsageSessions.gap { return }
            deafUntil = nil
        }
        listen(&look)
    }

    private func listen(_ look: inout Look) {
        pathWatch?.refresh()
        var refusal = pathWatch?.refusal
        let before = watch
        do throws(FileEvents.Refusal) {
            watch = try events.watch(path, for: [.opened, .read, .modified]) { [unowned self] kinds, _ in
                heard(kinds)
            }
        } catch {
            watch = nil
            refusal = refusal ?? error
        }
        events.forget(before)
        if let refusal, !refusal.isAbsence {
            look.complain(.unwatchable(path: path, code: refusal.code))
            look.isBlocked = true
        }
    }

    private func heard(_ kinds: FileEvents.Kind) {
        if !kinds.isDisjoint(with: [.opened, .read, .modified]), !isOwn() { accesses.append(clock()) }
        if !accesses.isEmpty || !kinds.isDisjoint(with: [.gone, .lost]) { changed() }
    }
}
