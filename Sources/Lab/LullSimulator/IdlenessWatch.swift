import LullModel

/// Checks the week rule from outside: each cut-off is announced once before, and follows the app's own clock.
struct IdlenessWatch: Sendable {
    private enum Warning: Sendable, Equatable {
        /// Since the last sign.
        case none
        /// In true time.
        case given(WallTime)
        /// The cut-off has moved since then, or the warning was not watched.
        case unclear
    }

    private struct Subject: Sendable {
        var used: WallTime?
        var discovered: WallTime?
        /// How long the machine had been awake at the last sign; nil: unknown.
        var awakeAtSign: Duration?
        var warning = Warning.none

        var sign: WallTime? { used ?? discovered }
    }

    /// As of the event that is being handled.
    var clock: VirtualClock?
    private var apps: [AppIdentifier: App]
    private var subjects: [AppIdentifier: Subject] = [:]
    /// Since when the host has been running and awake, in true time, so that it can't have missed a moment.
    private var undisturbed: WallTime?
    /// Time in which the machine was awake and that no log knows of.
    private var unknown: Duration = .zero
    /// How often the wall clock was set.
    private(set) var timesSet = 0

    init(manifest: Manifest) {
        apps = Dictionary(manifest.apps.map { ($0.identifier, $0) }) { first, _ in first }
    }

    /// The records so far are of a past that was not watched.
    mutating func begin() {
        for app in subjects.keys {
            subjects[app]?.awakeAtSign = nil
            subjects[app]?.warning = .unclear
        }
    }

    mutating func disturbed(at clock: VirtualClock) { undisturbed = clock.trueTime }

    /// The machine failed, so long after its last sign of life.
    mutating func lost(_ span: Duration) { unknown += span }

    /// The differences of clock readings before and after mean nothing, and an announcement may come again.
    mutating func clockWasSet() {
        timesSet = clock?.timesSet ?? timesSet
        undisturbed = clock?.trueTime
        begin()
    }

    /// Other apps may be idle now, or the same one at another time.
    mutating func manifestChanged(to manifest: Manifest) {
        self = IdlenessWatch(carriedFrom: self, manifest: manifest)
    }

    private init(carriedFrom other: IdlenessWatch, manifest: Manifest) {
        self = other
        apps = IdlenessWatch(manifest: manifest).apps
        undisturbed = clock?.trueTime
        for app in subjects.keys { subjects[app]?.warning = .unclear }
    }

    /// Notes a record, and returns a sentence for each fault.
    mutating func note(_ event: HistoryEvent) -> [String] {
        switch event.event {
        case .used: used(event)
        case .discovered:
            if subjects[event.app]?.discovered == nil {
                subjects[event.app, default: Subject()].discovered = event.time
                if subjects[event.app]?.used == nil { see(event) }
            }
        case .idleSoon: return announced(event)
        case .idled: return idled(event)
        default: break
        }
        return []
    }

    private mutating func used(_ event: HistoryEvent) {
        if let last = subjects[event.app]?.used, last >= event.time { return }
        subjects[event.app, default: Subject()].used = event.time
        // A use of long ago that is read late puts the end off, and the announcement still stands.
        let isLate = clock.map { event.time < $0.wall } ?? false
        let wasAnnounced = subjects[event.app].map { $0.warning != .none } ?? false
        subjects[event.app]?.warning = isLate && wasAnnounced ? .unclear : .none
        see(event)
    }

    private mutating func see(_ event: HistoryEvent) {
        let isNow = clock?.wall == event.time
        subjects[event.app]?.awakeAtSign = isNow ? clock.map { $0.awake - unknown } : nil
    }

    private mutating func announced(_ event: HistoryEvent) -> [String] {
        guard let clock else { return [] }
        // A decision from before the clock was set is of another time, even if it was set back since. A decision from before the
        // manifest was changed may be of another end.
        let isOld = clock.timesSet != timesSet || undisturbed.map { clock.trueTime <= $0 } ?? false
        let given = isOld ? Warning.unclear : .given(clock.trueTime)
        defer { subjects[event.app, default: Subject()].warning = given }
        guard case .given? = subjects[event.app]?.warning else { return [] }
        return ["\(event.app) is announced to become idle twice, without a use between"]
    }

    private func idled(_ event: HistoryEvent) -> [String] {
        guard let clock, let idleAfter = apps[event.app]?.idleAfter else { return [] }
        let warned: WallTime
        switch subjects[event.app]?.warning ?? .none {
        case .none: return ["\(event.app) becomes idle, and nobody was told before"]
        case .given(let time): warned = time
        case .unclear: return []
        }
        let notice: Duration = idleAfter < .days(4) ? idleAfter / 2 : .hours(48)
        // A use that came late may have moved the moment into the past.
        let known = [undisturbed, subjects[event.app]?.awakeAtSign == nil ? clock.trueTime : nil]
        guard let since = known.compactMap({ $0 }).max() ?? subjects[event.app]?.sign else { return [] }
        if clock.trueTime - since > notice, clock.trueTime - warned < notice {
            return [
                "\(event.app) becomes idle \((clock.trueTime - warned).milliseconds) ms after it was announced"
            ]
        }
        return []
    }

    /// For how long the app has been idle; nil: it is not, or that is unknown.
    ///
    /// `clock`: as it stood when that was decided.
    func excess(of app: App, at now: WallTime, by clock: VirtualClock) -> Duration? {
        guard let idleAfter = app.idleAfter, let subject = subjects[app.identifier], let sign = subject.sign
        else { return nil }
        let unused: Duration
        switch app.idleClock {
        case .wall: unused = now - sign
        case .host:
            guard let start = subject.awakeAtSign else { return nil }
            // Naps of less than a minute count as awake, and only ever make it idle earlier.
            unused = clock.awake - unknown - start
        }
        return unused > idleAfter ? unused - idleAfter : nil
    }
}
