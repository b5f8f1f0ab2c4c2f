public import LullModel

/// Uses, and the week rule.
extension SchedulerState {
    /// Up to this many uses are handled one by one; more are past uses that are caught up with.
    private static let fewUses = 8
    /// A use in the future by less than this counts as one of now: clocks differ by minutes.
    private static let clockDifference: Duration = .minutes(5)

    /// Why a use at this time can't be recorded; nil: it can.
    public static func refusal(ofUse time: WallTime, of app: AppIdentifier, at now: Now) -> Refusal? {
        guard time > now.wall + clockDifference else { return nil }
        return Refusal(
            .unavailable,
            Phrase.moment(time, seenFrom: now.wall, in: now.zones.host)
                + " is in the future, when nobody can have used \(app) yet. Name a time that has passed, "
                + "such as `2h` ago, or none for now.")
    }

    mutating func use(_ app: AppIdentifier, at time: WallTime, _ token: Token?) {
        if token != nil, let refusal = Self.refusal(ofUse: time, of: app, at: now) {
            return reply(token, .refused(refusal))
        }
        let wasIdle = isIdle(app)
        use(app, at: time)
        reply(token, .done(answer(toUseOf: app, wasIdle: wasIdle)))
    }

    mutating func take(_ uses: [Use]) {
        guard uses.count > Self.fewUses else {
            for use in uses { self.use(use.app, at: use.time) }
            return
        }
        for use in uses { record(HistoryEvent(.used, at: min(use.time, now.wall), app: use.app)) }
        touched.isEverything = true
    }

    mutating func use(_ app: AppIdentifier, at time: WallTime) {
        var event = HistoryEvent(.used, at: min(time, now.wall), app: app)
        event.price = multiplier(afterUseOf: app, at: event.time)
        record(event)
        reconcileIdleness(of: app)
        // Only tasks that wait for their moment ask the forecast.
        for task in (apps[app]?.awaitingMoment ?? []).sorted() { touch(task) }
    }

    /// Where a share of fresh uses is asked for, each session moves the price of the app's launches.
    private func multiplier(afterUseOf name: AppIdentifier, at time: WallTime) -> Double? {
        guard let app = app(name), let record = ledger.apps[name],
            let task = app.tasks.first(where: { $0.enabled && $0.kind == .refresh && $0.freshShare != nil }),
            let share = task.freshShare, record.forecast.isNewSession(at: time)
        else { return nil }
        let launched = ledger.tasks[task.identifier]?.lastFresh
        let wasFresh = launched.map { $0 <= time && time - $0 <= task.fresh } ?? false
        return Price.multiplier(record.multiplier, wasFresh: wasFresh, share: share)
    }

    /// Records when the week rule is about to hold an app back, when it begins to and when it ceases to, and
    /// looks again when it may.
    mutating func reconcileIdleness(of name: AppIdentifier) {
        guard let app = app(name), let record = ledger.apps[name] else { return }
        let last = lastMoment(of: app, record)
        let isIdle = last.map { now.wall > $0 } ?? false
        if !isIdle, record.idledAt != nil {
            let reason =
                app.idleAfter == nil
                ? "`idle_after: never`" : record.lastUsed == nil ? "`idle_after` was changed" : "it was used"
            self.record(HistoryEvent(.revived, at: now.wall, app: name, reason: reason))
            idlenessChanged(name)
            if app.enabled, needsDiscovery(app) { wantDiscovery(of: name) }
        }
        if let last, !isIdle || record.idledAt == nil { warn(of: app, record, last: last, isIdle: isIdle) }
        if isIdle, record.idledAt == nil {
            let since = record.lastUsed == nil ? "discovered, and never used" : "last used"
            let sign = Phrase.moment(record.lastSign ?? now.wall, seenFrom: now.wall, in: now.zones.host)
            self.record(HistoryEvent(.idled, at: now.wall, app: name, reason: "it was \(since), at \(sign)"))
            idlenessChanged(name)
        }
        armCheck(of: name)
    }

    /// Announces, once for each approach, that the app will become idle.
    private mutating func warn(of app: App, _ record: AppRecord, last: WallTime, isIdle: Bool) {
        guard let notice = noticeMoment(of: app, record, last: last), now.wall >= notice else { return }
        let at = Phrase.moment(last, seenFrom: now.wall, in: now.zones.host)
        let left = max(.zero, last - now.wall)
        let reason =
            isIdle
            ? "it was to become idle at \(at) unless it was used; the host could not say so before"
            : "it stops at \(at)\(app.idleClock == .host ? " at the earliest" : ""), in \(Phrase.span(left)), "
                + "unless it is used"
        var event = HistoryEvent(.idleSoon, at: now.wall, app: app.identifier, reason: reason)
        event.milliseconds = left.milliseconds
        self.record(event)
    }

    /// How long before the cut-off it is announced.
    static func notice(of idleAfter: Duration) -> Duration {
        idleAfter < .days(4) ? idleAfter / 2 : .hours(48)
    }

    /// When it is announced that the app becomes idle; nil: it has been, or it never does.
    private func noticeMoment(of app: App, _ record: AppRecord, last: WallTime) -> WallTime? {
        guard let idleAfter = app.idleAfter, let sign = record.lastSign else { return nil }
        let notice = Self.notice(of: idleAfter)
        // By the app's own clock, on which later sleep of the host does not move the warning. The warning also counts
        // for an end that a past use, read late, has put off a little.
        if let warned = record.warnedAt, warned <= now.wall,
            warned - sign - absence(of: app, from: sign, until: warned) >= idleAfter - notice * 3 / 2
        {
            return nil
        }
        return last - notice
    }

    /// Sets when the app is checked again: when the week rule is announced, when it takes effect, or when a worker
    /// that died is tried again.
    mutating func armCheck(of name: AppIdentifier) {
        guard let app = app(name), let record = ledger.apps[name] else { return }
        let last = lastMoment(of: app, record)
        let notice = last.flatMap { noticeMoment(of: app, record, last: $0) }
        let bite = last.map { $0 + .milliseconds(1) }
        let times = [notice, bite, startFailure(of: name)?.until].compactMap(\.self)
        agenda[.app(name)] = times.filter { $0 > now.wall }.min()
    }

    private mutating func idlenessChanged(_ name: AppIdentifier) {
        countBudget(of: name)
        touchTasks(of: name)
    }

    /// The last instant at which it is not idle, if the host stays awake.
    func lastMoment(of app: App, _ record: AppRecord) -> WallTime? {
        record.idlesAfter(app) { absence(of: app, from: $0, until: now.wall) }
    }

    /// The part of a span that the app's idle clock does not count.
    func absence(of app: App, from start: WallTime, until end: WallTime) -> Duration {
        app.idleClock == .host ? ledger.absences.length(from: start, until: end) : .zero
    }

    func isIdle(_ app: App) -> Bool {
        guard let record = ledger.apps[app.identifier], let last = lastMoment(of: app, record) else {
            return false
        }
        return now.wall > last
    }

    /// Whether the week rule holds the app back, as of the last event.
    public func isIdle(_ name: AppIdentifier) -> Bool { ledger.apps[name]?.idledAt != nil }

    /// The answer to the caller that recorded a use, whether the app was idle before or not.
    func answer(toUseOf name: AppIdentifier, wasIdle: Bool) -> String {
        let recorded = "Recorded a use of \(name)."
        guard wasIdle else { return recorded }
        guard isIdle(name) else { return recorded + " It was idle; from now on it is launched again." }
        let after = app(name)?.idleAfter.map { " more than \(Phrase.span($0))" } ?? ""
        return recorded + " It stays idle, because its last use was\(after) ago."
    }
}
