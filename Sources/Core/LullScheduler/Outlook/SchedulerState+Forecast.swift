import LullForecast
public import LullModel

/// The answer to `forecast`: what was learned of an app, and what is planned from it.
///
/// The plans are those of the gates, read from the same evaluation as `why`; none is made here.
extension SchedulerState {
    /// Nil: the manifest does not list the app.
    public func forecast(of identifier: AppIdentifier, at now: Now) -> ForecastReport? {
        guard let app = app(identifier) else { return nil }
        let zone = now.zones.zone(of: identifier)
        let record = ledger.apps[identifier]
        let forecast = record?.forecast ?? UsageForecast()
        // One forecast: what the plans are made from, drawn a week ahead.
        let week = forecast.weekAhead(from: now.wall, zone: zone)
        let uses = LikelyUses(of: week)
        let within = [1, 6, 24, 168].map { hours in
            // These only grow: rounding must not make a longer span less likely.
            ForecastReport.Span(
                from: now.wall, to: now.wall + .hours(hours), probability: week.probability(0..<4 * hours))
        }
        var hours = [Double](repeating: 0, count: 168)
        for (step, rate) in week.rates.enumerated() {
            hours[ConditionStrand.hourOfWeek(week.time(ofStep: step), zone).hour] += rate
        }
        return ForecastReport(
            app: identifier, time: now.wall, zone: zone, evidence: Double(forecast.known),
            confidence: GateInput.confidence, lastUse: record?.lastUsed, hours: hours,
            within: within, until: uses.until, likely: forecast.known > 0 ? uses.spans : [],
            refreshes: app.tasks.filter { $0.kind == .refresh }.map {
                refresh($0, forecast: forecast, zone: zone, at: now)
            })
    }

    /// Every app of the manifest in brief: hours, not quarter-hours, and the next use alone, so that a thousand apps take little
    /// time.
    public func forecasts(at now: Now) -> [ForecastSummary] {
        manifest.apps.map { app in
            let zone = now.zones.zone(of: app.identifier)
            let record = ledger.apps[app.identifier]
            let forecast = record?.forecast ?? UsageForecast()
            let hazards = forecast.hazards(from: now.wall, steps: WeekAhead.steps, zone: zone)
            let uses = hazards.map { LikelyUses(of: WeekAhead(next: $0), step: 4) }
            let refreshes = app.tasks.filter { $0.kind == .refresh }.map {
                refresh($0, forecast: forecast, zone: zone, at: now)
            }
            let next = refreshes.compactMap { refresh in
                refresh.launches.first.map { (task: refresh.task, time: $0.time) }
            }.min { $0.time < $1.time }
            return ForecastSummary(
                app: app.identifier, zone: zone, evidence: Double(forecast.known),
                confidence: GateInput.confidence, lastUse: record?.lastUsed, next: uses?.next,
                task: next?.task, launch: next?.time,
                heldBy: next == nil ? Self.holding(refreshes) : nil)
        }
    }

    private static func holding(_ refreshes: [ForecastReport.Refresh]) -> String {
        guard let first = refreshes.first else { return "it has no refresh task" }
        if refreshes.contains(where: \.isRunning) { return "a refresh runs" }
        return first.closed.first?.reason ?? first.reason
    }

    private func refresh(
        _ task: TaskDefinition, forecast: UsageForecast, zone: Zone, at now: Now
    ) -> ForecastReport.Refresh {
        var input = gateInput(for: task.identifier)
        input.now = now
        input.now.zones = now.zones.seen(by: task.app)
        let standing = tasks[task.identifier]?.plan.flatMap { $0.stands(at: now.wall) ? $0 : nil }
        input.plan = standing
        let evaluation = input.evaluate()
        let plan = evaluation.plan ?? standing
        let closed = evaluation.verdicts.filter { !$0.isOpen }
        let next = nextLaunch(of: task.identifier, closed: closed, at: now)
        var refresh = ForecastReport.Refresh(
            task: task.identifier, isRunning: input.runsOfTask > 0, mayRun: closed.isEmpty,
            launches: plan.map { launches(of: $0, fresh: task.fresh, forecast: forecast, zone: zone) }?
                .filter { next?.allows($0.time) ?? true } ?? [],
            planned: plan?.made, decided: nil, closed: closed.filter { $0.gate != .moment }.map(input.told),
            reason: evaluation.verdicts.first { $0.gate == .moment }.map { input.told($0).reason } ?? "")
        if refresh.launches.isEmpty, !refresh.mayRun, !refresh.isRunning {
            foresee(&refresh, task, forecast: forecast, zone: zone, at: now)
        }
        return refresh
    }

    /// The most steps to try: one gate may open at a time at which another is closed again.
    private static let mostSteps = 8

    /// If time alone opens the closed gates, plays forward to then, with conditions as they are, and asks the same
    /// gates.
    private func foresee(
        _ refresh: inout ForecastReport.Refresh, _ definition: TaskDefinition, forecast: UsageForecast,
        zone: Zone, at now: Now
    ) {
        guard var play = OutlookPlay(self, definition.identifier, at: now) else { return }
        for _ in 0..<Self.mostSteps {
            guard play.mayOpen, let next = play.next() else { return }
            play.pass(to: next, conditions: sensing.conditions)
            let (input, evaluation) = play.look
            guard !evaluation.verdicts.contains(where: { !$0.isOpen && $0.gate != .moment }) else { continue }
            refresh.decided = next
            if let plan = evaluation.plan {
                refresh.launches = launches(
                    of: plan, fresh: definition.fresh, forecast: forecast, zone: zone)
            } else if let moment = evaluation.verdicts.first(where: { $0.gate == .moment }), moment.isOpen {
                refresh.launches = [
                    .init(
                        time: next, freshUntil: next + definition.fresh, chance: nil, price: nil,
                        reason: input.told(moment).reason)
                ]
            }
            return
        }
    }

    private func launches(
        of plan: Plan, fresh: Duration, forecast: UsageForecast, zone: Zone
    ) -> [ForecastReport.Launch] {
        plan.launches.map { launch in
            let until = launch.time + fresh
            switch plan.basis {
            case .cadence(let gap):
                return .init(
                    time: launch.time, freshUntil: until, chance: nil, price: nil,
                    reason: "little is known yet of when its app is used: every \(Phrase.span(gap)), evenly")
            case .forecast(_, let price):
                let clock = { Phrase.moment($0, seenFrom: launch.time, in: zone) }
                return .init(
                    time: launch.time, freshUntil: until, chance: launch.chance.clamped(to: 0...1),
                    price: price.amount,
                    reason:
                        "the next use is \(Phrase.percent(launch.chance)) likely to come between \(clock(launch.time)) and "
                        + "\(clock(until)), if none comes before; \(price.sentence)")
            }
        }
    }
}
