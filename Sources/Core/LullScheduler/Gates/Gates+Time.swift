import LullCalendar
import LullModel

/// Whether the task's time has come, and whether it has had its share.
extension GateInput {
    func earliestBegin() -> GateFinding {
        if definition?.at != nil, let verdict = nextTime() { return verdict }
        guard let begin = record?.pending?.opens else { return open(.earliestBegin(.any)) }
        guard begin > now.wall else { return open(.earliestBegin(.passed(begin))) }
        if let attempt = nextAttempt(at: begin) { return attempt }
        return closed(.earliestBegin(.at(begin)), since: record?.pending?.submitted, until: begin)
    }

    var windowCalendar: WindowCalendar? {
        guard var task = definition?.value else { return nil }
        if Mutation.forgetsDays.isOn { task.days = nil }
        return WindowCalendar(of: task, zone: windowZone)
    }

    func window() -> GateFinding {
        guard let calendar = windowCalendar else { return open(.window(.none)) }
        if isUrgent { return open(.window(.urgent)) }
        if calendar.isOpen(at: now.wall) {
            return open(
                calendar.isOfDays
                    ? .day(.open(calendar.day(of: now.wall))) : .window(.open(calendar.windows)),
                closes: calendar.closing(after: now.wall))
        }
        if calendar.isOfDays, let due = due(onOpen: calendar), now.wall - due <= tolerance {
            return open(.day(.begun(due)), closes: due + tolerance)
        }
        let opening = calendar.opening(from: now.wall)
        if let closure = calendar.closure(at: now.wall) {
            return closed(.day(.closed(closure, until: opening)), until: opening)
        }
        return closed(.window(.closed(calendar.windows, until: opening)), until: opening)
    }

    var quietCalendar: WindowCalendar? {
        guard let quiet = definition?.quiet, !quiet.isEmpty else { return nil }
        return WindowCalendar(windows: quiet, zone: windowZone)
    }

    /// Maintenance: the same as a pause, by the clock.
    func quiet() -> GateFinding {
        guard let calendar = quietCalendar else { return open(.quiet(.none)) }
        if isUrgent { return open(.quiet(.urgent)) }
        guard calendar.isOpen(at: now.wall) else {
            return open(.quiet(.open(calendar.windows)), closes: calendar.opening(from: now.wall))
        }
        let end = calendar.closing(after: now.wall)
        return closed(.quiet(.closed(calendar.windows, until: end)), until: end)
    }

    /// A plugin that asks for a processing task again and again has it run at most half of the time.
    static let pause: Duration = .minutes(1)

    func rateLimit() -> GateFinding {
        if isTimed { return open(.rateLimit(.timed)) }
        if kind == .processing, request?.origin == .plugin { return pause(Self.pause) }
        if kind == .continued, request?.origin == .plugin { return continuedPace() }
        if kind == .push { return pushQuota() }
        if let pace = fedPace() { return pace }
        guard kind == .refresh, let gap = definition?.minGap else { return open(.rateLimit(.unlimited)) }
        guard let last = appRecord?.lastRefresh, last <= now.wall, last + gap > now.wall else {
            return open(.rateLimit(.rested(gap)))
        }
        return closed(.rateLimit(.refreshed(last, gap: gap)), since: last, until: last + gap)
    }

    /// The pause between runs of a task that is triggered by files that it writes itself.
    private static let fedPause: (least: Duration, most: Duration) = (.seconds(10), .minutes(1))

    private func fedPace() -> GateFinding? {
        guard fed >= Limits.fedRequests, request?.origin == .event, request?.triggerEvent?.kinds == [.path],
            let ended = record?.lastEnded, ended <= now.wall
        else { return nil }
        let length = Duration.milliseconds(record?.lastMilliseconds ?? 0)
        let pause = min(max(length, Self.fedPause.least), Self.fedPause.most)
        guard ended + pause > now.wall else { return nil }
        return closed(.rateLimit(.fed(fed, pause: pause)), since: ended, until: ended + pause)
    }

    /// No person asks for so many. Without the limit, tasks that ask for each other could take all of the host's time.
    private func continuedPace() -> GateFinding {
        guard let opening = appRecord?.continuedPace?.opening(at: now.wall) else {
            return open(.rateLimit(.continued(isTooFast: false)))
        }
        return closed(.rateLimit(.continued(isTooFast: true)), since: request?.submitted, until: opening)
    }

    /// The quota of silent pushes delivered in any span of its length.
    private func pushQuota() -> GateFinding {
        if isUrgent { return open(.rateLimit(.urgent)) }
        let rules = app?.push ?? PushRules()
        let counted = (appRecord?.silentPushes ?? []).filter { $0 <= now.wall && $0 + rules.span > now.wall }
            .sorted()
        let spent = GateFact.Pace.pushes(counted.count, quota: rules.quota, span: rules.span)
        guard counted.count >= rules.quota else { return open(.rateLimit(spent)) }
        let first = counted[counted.count - rules.quota]
        return closed(.rateLimit(spent), since: counted.last, until: first + rules.span)
    }

    private func pause(_ least: Duration) -> GateFinding {
        guard let record, let ended = record.lastEnded, ended <= now.wall else {
            return open(.rateLimit(.neverRan))
        }
        let pause = max(least, .milliseconds(record.lastMilliseconds ?? 0))
        guard ended + pause > now.wall else { return open(.rateLimit(.ended(ended))) }
        return closed(
            .rateLimit(.pausing(pause, isAsLongAsRun: pause > least)), since: ended, until: ended + pause)
    }

    func budget() -> GateFinding {
        if drawsFromApp { return askedBudget() }
        guard kind == .refresh else { return open(.budget(.noRefresh)) }
        if isTimed { return open(.budget(.timed)) }
        if let share = definition?.freshShare { return open(.budget(.asFresh(share))) }
        let today = host.spending.today(at: now.wall)
        let next = Budget(perDay: host.budget).nextLaunch(host.spending, today: today, at: now.wall)
        guard next != .distantFuture else { return closed(.budget(.nothingBudgeted)) }
        guard let next else { return open(.budget(.some(today, perDay: host.budget))) }
        return closed(.budget(.tooMuch(today, perDay: host.budget)), until: next)
    }

    /// Of several limits the one that opens last, or else the one of which most is spent.
    func costLimit() -> GateFinding {
        let ofApp = app?.costLimits ?? []
        guard !ofApp.isEmpty || !host.costLimits.isEmpty else { return open(.costLimit(.unlimited)) }
        if isUrgent { return open(.costLimit(.urgent)) }
        let sums = appRecord?.costs ?? CostSums()
        let looks =
            ofApp.map { look(at: $0, sums, isOfHost: false) }
            + host.costLimits.map { look(at: $0, host.costs, isOfHost: true) }
        let last = looks.compactMap { look in look.opening.map { (costs: look.costs, opening: $0) } }
            .max { $0.opening < $1.opening }
        if let last { return closed(.costLimit(.tooMuch(last.costs)), until: last.opening) }
        guard let most = looks.max(by: { $0.costs.share < $1.costs.share }) else {
            return open(.costLimit(.unlimited))
        }
        return open(.costLimit(.some(most.costs)))
    }

    private func look(
        at limit: CostLimit, _ sums: CostSums, isOfHost: Bool
    ) -> (costs: GateFact.Costs, opening: WallTime?) {
        (
            GateFact.Costs(limit: limit, cost: sums.cost(by: limit, at: now.wall), isOfHost: isOfHost),
            sums.opening(of: limit, at: now.wall)
        )
    }

    /// Whether it is processing that only its plugin has asked for: no clock, event or person.
    var drawsFromApp: Bool {
        kind == .processing && request?.origin == .plugin && request?.triggerEvent == nil && !isTimed
    }

    private func askedBudget() -> GateFinding {
        guard let budget = app?.processingBudget, let pace = appRecord?.askedPace,
            let opening = pace.opening(at: now.wall, perDay: budget)
        else { return open(.budget(.asked)) }
        return closed(.budget(.askedTooOften(perDay: budget)), since: request?.submitted, until: opening)
    }

    func backoff() -> GateFinding {
        if let startFailure = appRecord?.startFailure, startFailure.holds(at: now.wall, stamp: stamp) {
            return closed(
                .backoff(.startFailure(startFailure.reason)), since: startFailure.at,
                until: startFailure.until)
        }
        // Somebody waits for these kinds; a launch for transfers has a delay of its own.
        if kind == .continued || kind == .transfers || isUrgent { return open(.backoff(.awaited)) }
        let met =
            record?.overLimit == nil
            ? nil : LimitMet(record?.value, definition?.value, kind: kind, manifestPath: host.manifestPath)
        if isTimed { return open(.backoff(met.map { .timedOverLimit($0) } ?? .timed)) }
        guard let inRow = record?.failures, inRow > 0, let failedAt = record?.failedAt,
            let retry = definition?.retry
        else { return open(.backoff(.no)) }
        // Attempts, and the waits between them, are counted anew for each turn of `repeat`.
        let most = request?.origin == .repeat ? retry.attempts : nil
        guard let failures = most == nil ? inRow : record?.tried else {
            return open(.backoff(.longAgo(inRow)))
        }
        var until = failedAt + Backoff(retry: retry).delay(after: failures)
        if let met, let next = met.until(record?.lastLaunched, failedAt: failedAt), next > until {
            until = next
            if until > now.wall, failedAt <= now.wall {
                return closed(.backoff(.overLimit(met)), since: failedAt, until: until)
            }
        }
        // A failure in the future is a clock that was set back.
        guard until > now.wall, failedAt <= now.wall else { return open(.backoff(.longAgo(failures))) }
        let delay = until - failedAt
        return closed(
            .backoff(
                most.map { .attempt(Attempt(failures + 1, of: $0), after: delay) }
                    ?? .again(failures, after: delay)),
            since: failedAt, until: until)
    }

    var isTaskFull: Bool {
        runsOfTask >= max(1, definition?.concurrency ?? 1)
            && !Mutation.passesOver(.concurrency).isOn
    }

    /// Whether it may not begin yet, even for an operator.
    var mustWaitForRuns: Bool { isTaskFull || group != nil && !Mutation.passesOver(.concurrency).isOn }

    func concurrency() -> GateFinding {
        if isTaskFull { return closed(.concurrency(.runs(runsOfTask))) }
        if let group { return closed(.concurrency(.group(group)), since: group.since) }
        if isUrgent { return open(.concurrency(.left(host.running, most: host.concurrency))) }
        let ofApp = max(1, app?.concurrency ?? 1)
        if runsOfApp >= ofApp { return closed(.concurrency(.app(runsOfApp, most: ofApp))) }
        if host.running >= host.concurrency {
            return closed(.concurrency(.host(host.running, most: host.concurrency)))
        }
        return open(.concurrency(.left(host.running, most: host.concurrency)))
    }
}
