import LullForecast
public import LullModel

/// The answer to `forecast`: what was learned of an app, and what is planned from it.
///
/// Plans are the ones that the gates decided, read from the same evaluation as `why`; none is made here.
extension SchedulerState {
    /// Nil: the manifest does not list the app.
    public func forecast(of identifier: AppIdentifier, at now: Now) -> ForecastReport? {
        guard let app = app(identifier) else { return nil }
        let zone = now.zones.zone(of: identifier)
        let record = ledger.apps[identifier]
        let forecast = record?.forecast ?? UsageForecast()
        let uses = LikelyUses(of: forecast, zone: zone, at: now.wall)
        let spans: [Duration] = [.hours(1), .hours(6), .hours(24), .days(7)]
        // From now on as the plans are made: from the hazard of the next use.
        let hazards = forecast.hazards(from: now.wall, steps: 7 * 96, zone: zone)
        // That a longer span is less likely by a rounding is nothing that anybody should have to read.
        var floor = 0.0
        let within = spans.map { span in
            let share =
                hazards?.probability(within: span)
                ?? forecast.probability(ofUseWithin: span, from: now.wall, zone: zone, known: now.wall)
            floor = max(floor, share.clamped(to: 0...1))
            return ForecastReport.Span(from: now.wall, to: now.wall + span, probability: floor)
        }
        return ForecastReport(
            app: identifier, time: now.wall, zone: zone, evidence: Double(forecast.known),
            confidence: GateInput.confidence, lastUse: record?.lastUsed, hours: forecast.hourOfWeek(),
            within: within, until: uses.until, likely: forecast.known > 0 ? uses.spans : [],
            refreshes: app.tasks.filter { $0.kind == .refresh }.map {
                refresh($0, forecast: forecast, zone: zone, at: now)
            })
    }

    /// Every app of the manifest in brief; hours, not quarter-hours, so that a thousand apps take no time.
    public func forecasts(at now: Now) -> [ForecastSummary] {
        manifest.apps.map { app in
            let zone = now.zones.zone(of: app.identifier)
            let record = ledger.apps[app.identifier]
            let forecast = record?.forecast ?? UsageForecast()
            let isKnown = forecast.known > 0
            let uses =
                isKnown ? LikelyUses(of: forecast, zone: zone, at: now.wall, step: .hours(1)) : nil
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
        var input = gateInput(for: task.identifier, explains: true)
        input.now = now
        input.now.zones = now.zones.seen(by: task.app)
        let standing = tasks[task.identifier]?.plan.flatMap { $0.stands(at: now.wall) ? $0 : nil }
        input.plan = standing
        let evaluation = input.evaluate()
        let plan = evaluation.plan ?? standing
        let closed = evaluation.verdicts.filter { !$0.isOpen }
        var refresh = ForecastReport.Refresh(
            task: task.identifier, isRunning: input.runsOfTask > 0, mayRun: closed.isEmpty,
            launches: plan.map { launches(of: $0, fresh: task.fresh, forecast: forecast, zone: zone) } ?? [],
            planned: plan?.made, decided: nil, closed: closed.filter { $0.gate != .moment },
            reason: evaluation.verdicts.first { $0.gate == .moment }?.reason ?? "")
        if refresh.launches.isEmpty, !refresh.mayRun, !refresh.isRunning {
            foresee(&refresh, input, forecast: forecast, zone: zone)
        }
        return refresh
    }

    /// Where time alone opens what is closed, the same gates are asked what they will say then.
    private func foresee(
        _ refresh: inout ForecastReport.Refresh, _ input: GateInput, forecast: UsageForecast, zone: Zone
    ) {
        var input = input
        input.plan = nil
        let fresh = input.definition?.fresh ?? RefreshPlan.fresh
        var closed = refresh.closed
        // One gate may open at a time at which another is closed again.
        for _ in 0..<4 {
            let ends = closed.compactMap(\.until).filter { $0 > input.now.wall }
            guard !closed.isEmpty, ends.count == closed.count, let end = ends.max() else { return }
            input.now.wall = end
            let evaluation = input.evaluate()
            closed = evaluation.verdicts.filter { !$0.isOpen && $0.gate != .moment }
            guard closed.isEmpty else { continue }
            refresh.decided = end
            if let plan = evaluation.plan {
                refresh.launches = launches(of: plan, fresh: fresh, forecast: forecast, zone: zone)
            } else if let moment = evaluation.verdicts.first(where: { $0.gate == .moment }), moment.isOpen {
                refresh.launches = [
                    .init(
                        time: end, freshUntil: end + fresh, chance: nil, price: nil,
                        reason: moment.reason)
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
                        "if no use comes before, the next one falls between \(clock(launch.time)) and \(clock(until)) with "
                        + "\(Phrase.percent(launch.chance)); \(price.sentence)")
            }
        }
    }
}

extension Phrase {
    /// "72 %", "3.4 %", "over 99 %": as many digits as say something.
    static func percent(_ share: Double) -> String {
        let share = share.clamped(to: 0...1)
        if share > 0 && share < 0.001 { return "under 0.1 %" }
        if share > 0.995 && share < 1 { return "over 99 %" }
        let tenths = Int((share * 1000).rounded())
        return tenths < 100 && tenths % 10 != 0
            ? "\(tenths / 10).\(tenths % 10) %" : "\((tenths + 5) / 10) %"
    }
}
