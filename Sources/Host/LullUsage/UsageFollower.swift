public import LullModel
public import LullSystem

/// Learns uses from the sources that the manifest names: logs, logins, the journal, file accesses.
///
/// It sleeps until a source changes. After a restart it continues from the places that it saved in the state folder. It
/// keeps nothing of what it reads but times. A source that can't be followed is reported once, does not stop the others,
/// and is tried again when it changes. It is used on the loop's thread alone.
public final class UsageFollower {
    public struct Use: Sendable, Equatable {
        public let app: AppIdentifier
        public let time: WallTime

        public init(app: AppIdentifier, time: WallTime) {
            self.app = app
            self.time = time
        }
    }

    /// The dependencies of the follower.
    public struct Surroundings {
        public var clock: () -> WallTime
        public var zone: () -> Zone
        public var roots: UsageRoots
        /// Whether an access to an app's files now may come from its own tasks.
        public var isAtWork: (AppIdentifier) -> Bool
        /// The time between two looks at logs that are written to constantly.
        public var pause: Duration
        /// The bytes that are read of all sources before the loop does other work.
        public var piece = Limits.usagePieceBytes

        public init(
            clock: @escaping () -> WallTime, zone: @escaping () -> Zone, roots: UsageRoots = UsageRoots(),
            isAtWork: @escaping (AppIdentifier) -> Bool = { _ in false }, pause: Duration = .seconds(1)
        ) {
            self.clock = clock
            self.zone = zone
            self.roots = roots
            self.isAtWork = isAtWork
            self.pause = pause
        }
    }

    let surroundings: Surroundings
    private let folder: String
    /// Nil if the sources are read once and not followed.
    let loop: EventLoop?
    let events: FileEvents?
    private var timer: LoopTimer?
    private var places: UsagePlaces
    private var savedPlaces: UsagePlaces
    private var sources: [SourceKey: any SourceFollower] = [:]
    private var sessions: [AppIdentifier: UsageSessions] = [:]
    private var told: [SourceKey: Set<UsageFault>] = [:]
    /// Faults that are reported only once.
    private var toldForGood: Set<UsageFault> = []
    /// When the timer is due to look at a source again.
    private var waiting: [SourceKey: MonotonicTime] = [:]

    /// The bytes that may still be read of a new source until it counts as caught up.
    private var behind: [SourceKey: Int] = [:]
    private var caughtUp: (() -> Void)?

    /// Called with the uses to record, in order of time; those of one look come together.
    public var onUses: ([Use]) -> Void = { _ in }
    public var onFault: (UsageFault) -> Void = { _ in }
    /// Called when `faults` changes.
    public var onFaultsChanged: () -> Void = {}

    private static let retryAfter: Duration = .minutes(10)

    /// Without a loop the sources are read once, up to where they are now.
    public init(folder: String, loop: EventLoop?, _ surroundings: Surroundings) throws(LoopError) {
        self.folder = folder
        self.loop = loop
        self.surroundings = surroundings
        places = UsagePlaces(folder: folder)
        savedPlaces = places
        if let loop {
            events = try FileEvents(on: loop, pause: surroundings.pause)
            timer = try LoopTimer(on: loop) { [unowned self] in rang() }
        } else {
            events = nil
        }
    }

    /// The time from which `follow` needs the recorded uses of these apps; nil if it needs none.
    public func pastNeeded(by apps: [App]) -> WallTime? {
        Self.sources(of: apps).contains { sources[$0] == nil }
            ? surroundings.clock() - UsageSessions.memory : nil
    }

    private static func sources(of apps: [App]) -> [SourceKey] {
        apps.flatMap { app -> [SourceKey] in
            guard case .sources(let list) = app.usage else { return [] }
            return list.map { SourceKey(app: app.identifier, source: $0) }
        }
    }

    /// Follows the sources of `apps` from now on, and no others.
    ///
    /// `recorded` returns the uses in the history since a time. New sources are read piece by piece, so that a long log does
    /// not block the loop. `caughtUp` is called when all of them are read, before this call returns if they hold little. The
    /// next call replaces it.
    public func follow(
        _ apps: [App], recorded: (WallTime) -> [AppIdentifier: [WallTime]],
        caughtUp: @escaping () -> Void = {}
    ) {
        self.caughtUp = caughtUp
        defer { tellIfCaughtUp() }
        let wanted = Self.sources(of: apps)
        let gone = Set(sources.keys).subtracting(wanted)
        for key in gone {
            sources[key] = nil
            told[key] = nil
            waiting[key] = nil
            behind[key] = nil
        }
        let new = wanted.filter { sources[$0] == nil }
        guard !new.isEmpty else { return }
        seed(new, recorded)
        for key in new {
            sources[key] = makeFollower(for: key, from: places[key.text]) { [unowned self] in look(at: [key])
            }
            behind[key] = Limits.usageCatchUpBytes
        }
        look(at: new)
    }

    /// A source also counts as caught up after `Limits.usageCatchUpBytes`, because a log may grow faster than it is read.
    private func note(_ look: Look, of key: SourceKey, read: Int) {
        guard let left = behind[key] else { return }
        behind[key] = look.hasMore && left > read ? left - read : nil
    }

    private func tellIfCaughtUp() {
        guard behind.isEmpty, let tell = caughtUp else { return }
        caughtUp = nil
        tell()
    }

    /// The faults that last at the moment, in the order of their apps.
    public var faults: [(app: AppIdentifier, fault: UsageFault)] {
        told.flatMap { key, faults in faults.map { (app: key.app, fault: $0) } }
            .sorted { ($0.app.text, $0.fault.message) < ($1.app.text, $1.fault.message) }
    }

    /// Notes a use that was recorded without a source.
    public func note(_ app: AppIdentifier, at time: WallTime) {
        sessions[app]?.note(time, now: surroundings.clock())
    }

    /// Saves how far the sources are read. To be called once the uses that were found are durable.
    public func save() {
        let now = surroundings.clock()
        for (key, source) in sources {
            if let place = source.place { places[key.text] = place }
        }
        places.prune(at: now)
        guard places != savedPlaces else { return }
        do throws(UsageFault) {
            try places.save(in: folder)
            savedPlaces = places
        } catch {
            if toldForGood.insert(error).inserted { onFault(error) }
        }
    }

    /// Loads the uses that are known already, as far back as a use of a source may lie.
    private func seed(_ new: [SourceKey], _ recorded: (WallTime) -> [AppIdentifier: [WallTime]]) {
        let horizon = surroundings.clock() - UsageSessions.memory
        let known = recorded(horizon)
        for app in Set(new.map(\.app)) {
            // A use that was found just now may not be in the history yet.
            let found = sessions[app]?.recorded ?? []
            sessions[app] = UsageSessions(recorded: (known[app] ?? []) + found, horizon: horizon)
        }
    }

    private func look(at keys: [SourceKey]) {
        let (now, begin) = (surroundings.clock(), Clock.monotonic)
        var times: [AppIdentifier: [WallTime]] = [:]
        var budget = loop == nil ? Int.max : surroundings.piece
        for key in keys {
            guard let source = sources[key] else {
                behind[key] = nil
                continue
            }
            guard budget > 0 else {
                // It comes before the sources that are read in this look.
                waiting[key] = min(waiting[key] ?? begin, begin)
                continue
            }
            var look = Look(budget: budget, now: now)
            source.look(&look)
            note(look, of: key, read: budget - look.budget)
            budget = look.budget
            times[key.app, default: []] += look.uses
            let before = told[key]
            told[key]?.formIntersection(look.faults)
            for fault in look.faults { tell(fault, of: key) }
            if told[key] ?? [] != before ?? [] { onFaultsChanged() }
            plan(look, of: key, source, begin)
        }
        var uses: [Use] = []
        for (app, times) in times {
            for time in times.sorted() {
                switch sessions[app]?.judge(time, now: now) {
                case .use(let time): uses.append(Use(app: app, time: time))
                case .fromTheFuture:
                    let fault = UsageFault.fromTheFuture(app)
                    if toldForGood.insert(fault).inserted { onFault(fault) }
                case .sameSession, .tooOld, nil: break
                }
            }
        }
        arm()
        if !uses.isEmpty { onUses(uses.sorted { $0.time < $1.time }) }
        tellIfCaughtUp()
    }

    private func tell(_ fault: UsageFault, of key: SourceKey) {
        let isNew =
            fault.lasts
            ? told[key, default: []].insert(fault).inserted : toldForGood.insert(fault).inserted
        if isNew { onFault(fault) }
    }

    /// Plans when to look at a source again without an event.
    private func plan(
        _ look: Look, of key: SourceKey, _ source: any SourceFollower, _ begin: MonotonicTime
    ) {
        guard loop != nil else { return }
        let now = Clock.monotonic
        waiting[key] = nil
        if look.hasMore {
            // A flooded log takes a quarter of the loop's time; a source that is catching up is read without pauses.
            waiting[key] = behind[key] == nil ? now + (now - begin) * 3 : now
        } else if let until = (source as? AccessFollower)?.deafUntil {
            waiting[key] = now + max(until - look.now, .zero) + .seconds(1)
        } else if look.isBlocked {
            waiting[key] = now + Self.retryAfter
        }
    }

    private func arm() { timer?.arm(waiting.values.min()) }

    private func rang() {
        let now = Clock.monotonic
        // The source that has waited longest comes first, so that none is starved.
        let due = waiting.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
        guard !due.isEmpty else { return arm() }
        look(at: due)
    }
}
