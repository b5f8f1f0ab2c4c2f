import LullForecast
import LullModel

/// What is known of a task's future: when each closed gate is likely to open, and from what its futures are drawn.
struct OutlookProspect {
    enum Answer {
        /// A gate is closed that only somebody opens.
        case never
        /// Too little has been seen; why, as a clause.
        case unknown(String)
        case drawn(OutlookFuture)
    }

    private let input: GateInput
    private let closed: [GateVerdict]
    private let history: ConditionHistory
    private let grid: OutlookGrid
    private let end: WallTime
    private let isStarting: Bool

    init(
        _ input: GateInput, closed: [GateVerdict], history: ConditionHistory, until end: WallTime,
        isStarting: Bool
    ) {
        self.input = input
        self.closed = closed
        self.history = history
        self.end = end
        self.isStarting = isStarting
        grid = OutlookGrid(from: input.now.wall, to: end, zone: input.now.zones.host)
    }

    private var now: WallTime { input.now.wall }

    // MARK: Gates

    func opening(of verdict: GateVerdict) -> Outlook.Opening {
        switch verdict.gate {
        case .permitted, .enabled, .shuttingDown: return .never
        case .requested:
            return isAskedForAtStart ? .unknown("a host asks for it as it starts its app") : .never
        case .registered:
            return isStarting ? .unknown("it opens as soon as a host has started its app") : .never
        case .paused, .earliestBegin, .window, .quiet, .rateLimit, .budget, .backoff:
            return verdict.until.map { .at($0) } ?? .never
        case .concurrency: return .unknown("it opens when what is under way has ended")
        case .folder: return .unknown("it opens when there is room on the disk again")
        case .network, .externalPower, .battery, .idle, .load, .disk:
            return opening(ofCondition: verdict.gate)
        case .idleApp: return opening(of: uses, otherwise: .never)
        case .moment: return openingOfMoment(verdict)
        }
    }

    private func opening(ofCondition gate: GateName) -> Outlook.Opening {
        guard let condition = input.requires.conditions.conditions.first(where: { $0.gate == gate }) else {
            return .never
        }
        switch course(of: ConditionSet(conditions: [condition])) {
        case .success(let course): return opening(of: course.opens, otherwise: .never)
        case .failure(let lack): return .unknown(lack.clause)
        }
    }

    private func opening(of hazard: OutlookHazard?, otherwise: Outlook.Opening) -> Outlook.Opening {
        guard let hazard else { return otherwise }
        return .likely(half: within(hazard.quantile(0.5)), most: within(hazard.quantile(0.9)))
    }

    private func within(_ time: WallTime?) -> WallTime? {
        time.flatMap { $0 <= now + Outlook.horizon ? $0 : nil }
    }

    private func openingOfMoment(_ verdict: GateVerdict) -> Outlook.Opening {
        if input.kind == .processing {
            let latest = input.definition.map { now + max(.zero, $0.starvationBound - openTime) }
            switch course(of: ConditionSet(conditions: [.idle])) {
            case .success(let course):
                let (half, most) = (course.opens.quantile(0.5), course.opens.quantile(0.9))
                return .likely(
                    half: within([half, latest].compactMap { $0 }.min()),
                    most: within([most, latest].compactMap { $0 }.min()))
            case .failure(let lack): return .unknown(lack.clause)
            }
        }
        var moments = OutlookMoments(input, until: end)
        guard let uses else {
            // Nothing but a use changes it.
            let launch = within(moments.launch(judgedAt: now, lastUse: nil))
            return .likely(half: launch, most: launch)
        }
        var alone = OutlookFuture(start: now, end: end, from: now)
        alone.moment = .planned(moments)
        alone.uses = uses
        var random = OutlookRandom(task: input.task, at: now)
        let count = 100
        var drawn: [WallTime] = []
        for _ in 0..<count {
            if let at = alone.launch(&random) { drawn.append(at) }
        }
        drawn.sort()
        func quantile(_ rank: Int) -> WallTime? { drawn.count >= rank ? within(drawn[rank - 1]) : nil }
        return .likely(half: quantile(count / 2), most: quantile(count * 9 / 10))
    }

    private var openTime: Duration { input.record?.openTime(at: now) ?? .zero }

    // MARK: Futures

    func future() -> Answer {
        var from = now
        for verdict in closed {
            switch opening(ofBarrier: verdict) {
            case .opens(let time): from = max(from, time)
            case .never: return .never
            case .drawn: break
            }
        }
        // What is given up when it is missed has no future beyond that.
        let end = min(end, input.lapse ?? end)
        var future = OutlookFuture(start: now, end: end, from: from)
        future.waitsForRoom = closed.contains { $0.gate == .concurrency }
        let required = input.requires.conditions
        if !required.conditions.isEmpty {
            switch course(of: required) {
            case .success(let course): future.conditions = course
            case .failure(let lack):
                if closed.isEmpty { break }
                return .unknown(lack.clause)
            }
        }
        if let calendar = input.windowCalendar {
            future.windows = windows(of: calendar)
            if future.windows?.isEmpty == true, input.lapse == nil { return .never }
        }
        if let lapse = input.lapse, !future.mayBegin(before: lapse) {
            return .unknown(
                "what waits now is given up \(input.at(lapse)), before it may be launched (`missed: skip`)"
            )
        }
        if let awake = input.idlesAfter, let span = input.app?.idleAfter, input.kind != .continued {
            future.idles = (awake, span)
        }
        switch moment(required) {
        case .success(let moment): future.moment = moment
        case .failure(let lack): return .unknown(lack.clause)
        }
        if case .planned = future.moment { future.uses = uses }
        if let idles = future.idles, idles.last < end { future.uses = uses }
        return .drawn(future)
    }

    /// The host itself asks for what is repeated, once it knows that there is a handler.
    private var isAskedForAtStart: Bool { isStarting && input.definition?.repeat != nil }

    private enum Barrier {
        case opens(WallTime)
        case never
        /// Part of what is drawn.
        case drawn
    }

    private func opening(ofBarrier verdict: GateVerdict) -> Barrier {
        switch verdict.gate {
        case .permitted, .enabled, .shuttingDown, .folder: .never
        case .requested: isAskedForAtStart ? .drawn : .never
        case .registered: isStarting ? .drawn : .never
        case .paused, .earliestBegin, .quiet, .rateLimit, .budget, .backoff:
            verdict.until.map { .opens($0) } ?? .never
        case .concurrency: .opens(now + .milliseconds(input.record?.lastMilliseconds ?? 60_000))
        default: .drawn
        }
    }

    private func windows(of calendar: WindowCalendar) -> [Range<WallTime>] {
        var spans: [Range<WallTime>] = []
        var time = now
        while time < end, let opening = calendar.opening(from: time), opening < end {
            let closing = calendar.closing(after: opening) ?? .distantFuture
            spans.append(opening..<max(closing, opening + .milliseconds(1)))
            time = closing
        }
        return spans
    }

    private func moment(_ required: ConditionSet) -> Result<OutlookFuture.Moment, Lack> {
        guard input.request?.origin != .operator, input.request?.origin != .at,
            let definition = input.definition
        else {
            return .success(.atOnce)
        }
        switch input.kind {
        case .continued: return .success(.atOnce)
        case .refresh: return .success(.planned(OutlookMoments(input, until: end)))
        case .processing:
            guard input.requires.idle == nil else { return .success(.atOnce) }
            if closed.isEmpty { return .success(.atOnce) }
            return course(of: required.adding(.idle)).map {
                .quiet($0, bound: max(.zero, definition.starvationBound - openTime))
            }
        }
    }

    /// Of uses, where enough is known of them to say anything.
    private var uses: OutlookHazard? {
        guard let forecast = input.appRecord?.forecast, Double(forecast.known) >= GateInput.confidence else {
            return nil
        }
        let zone = input.now.zones.host
        // The next use comes as the plans have it; beyond the week that those know, as at that hour of any week.
        let hazards = forecast.hazards(from: now, steps: 7 * 96, zone: zone)
        var reached: [Double] = []
        var none = 1.0
        for index in 1..<grid.times.count {
            let time = grid.times[index]
            if let hazards, time - now <= .days(7) {
                none = 1 - hazards.probability(within: time - now)
            } else {
                let before = grid.times[index - 1]
                none *=
                    1 - forecast.probability(ofUseWithin: time - before, from: before, zone: zone, known: now)
            }
            reached.append(1 - none)
        }
        return OutlookHazard(grid, reached: reached)
    }

    // MARK: Conditions

    /// Too little has been seen of a condition.
    private struct Lack: Error {
        let clause: String
    }

    private func course(of set: ConditionSet) -> Result<OutlookCourse, Lack> {
        guard let strand = history[set.name], strand.isEnough(at: now) else {
            let seen = history[set.name].map {
                min(now - $0.first, .milliseconds(Int64($0.hours * 3_600_000)))
            }
            let names = Phrase.list(set.conditions.map(\.gate.rawValue))
            return .failure(
                Lack(
                    clause:
                        "too little is known yet of when \(names) \(set.conditions.count == 1 ? "opens" : "open") "
                        + "(\(seen.map { Phrase.span($0) + " seen" } ?? "nothing seen"), \(Phrase.span(ConditionStrand.leastSpan)) are needed)"
                ))
        }
        let isOpen = input.host.conditions.map { set.holds($0, at: now) } ?? false
        return .success(
            OutlookCourse(
                opens: OutlookHazard(grid, chance: strand.hazards(whileOpen: false)),
                closes: OutlookHazard(grid, chance: strand.hazards(whileOpen: true)), isOpen: isOpen))
    }
}
