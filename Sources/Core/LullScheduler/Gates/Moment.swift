import LullForecast
import LullModel

/// The finding of the gate `moment`: what launching now is worth, and whether a better moment is expected.
struct Judgement {
    var verdict: GateFinding
    /// 0...1.
    var score: Double
    var isStarved = false
    /// When to judge again, if nothing happens before.
    var next: WallTime?
    var watched: SensorSet = []
    /// The plan of a refresh that has to wait.
    var plan: Plan?
}

/// The plan of a refresh, which stands until its app is used, or a day and a half is over.
///
/// If each look at the verdict planned anew, with the price of that moment, `why` could find a launch that the host, asleep
/// until its planned moment, does not make.
struct Plan: Sendable, Equatable {
    let made: WallTime
    /// When the host looks again.
    var look: WallTime
    /// The launches that are made unless the app is used before; empty: none within two days is worth its price.
    var launches: [PlannedLaunch]
    let basis: Basis
    /// The app's latest session when the plan was made: a newer one changes it.
    var session: WallTime?

    enum Basis: Sendable, Equatable {
        /// The chance that a launch at the moment of planning is followed by a use within the hour, and the price of a launch.
        case forecast(value: Double, price: LaunchPrice)
        /// Too little is known for a forecast: the launches are this far apart.
        case cadence(Duration)
    }

    /// The next launch.
    var launch: WallTime? { launches.first?.time }

    var value: Double {
        switch basis {
        case .forecast(let value, _): value
        case .cadence: 0
        }
    }

    func stands(at now: WallTime) -> Bool { isMade(by: now) && now < look }

    /// A clock set back by too little for a review may show a time before the plan was made.
    func isMade(by now: WallTime) -> Bool { made <= now + SchedulerState.leastStep }

    /// A launch that could not be made at its moment is made up for this much later; then all is planned anew.
    static let timeout: Duration = .minutes(10)

    /// The plan as it goes on after a launch at `now`; nil: that launch was not in it.
    func after(launchAt now: WallTime) -> Plan? {
        guard case .forecast = basis, let next = launch, next <= now + Self.timeout else { return nil }
        var rest = self
        rest.launches.removeAll { $0.time <= now }
        if rest.launches.count == launches.count { rest.launches.removeFirst() }
        rest.look = min(made + GateInput.review, rest.launch ?? .distantFuture)
        return rest
    }
}

/// What a launch must bring to be worth making, in what its objective counts.
struct LaunchPrice: Sendable, Equatable {
    let objective: Objective
    let amount: Double
}

extension GateInput {
    /// Below this many sessions the forecast is not relied on.
    static let confidence = 3.0
    /// A plan is made anew after this time: it reaches two days, and its last hours know too little of what follows.
    static let review: Duration = .hours(36)

    /// Called only while every other gate is open.
    func judgeMoment() -> Judgement {
        guard let definition else {
            return Judgement(verdict: open(.moment(.notListed)), score: 0)
        }
        if isExact {
            return Judgement(verdict: open(.moment(.exact)), score: 1)
        }
        if isUrgent { return Judgement(verdict: open(.moment(.urgent)), score: 1, isStarved: true) }
        let latest = latest(definition)
        if latest <= now.wall {
            return Judgement(
                verdict: open(.moment(.starved(open: openTime, bound: definition.starvationBound))), score: 1,
                isStarved: true)
        }
        if let askedFor, askedFor <= now.wall {
            return Judgement(verdict: open(.moment(.operatorAsked)), score: 1)
        }
        if request?.triggerEvent != nil { return Judgement(verdict: open(.moment(.happened)), score: 1) }
        switch kind {
        case .refresh: return refreshMoment(definition, latest: latest)
        case .processing: return processingMoment(latest: latest)
        case .continued, .transfers: return Judgement(verdict: open(.moment(.somebodyWaits)), score: 1)
        case .push: return pushMoment(latest: latest)
        }
    }

    /// A silent push is like a refresh whose data is known to be new: it is launched where a use is likely soon. Else
    /// it waits until it disturbs nobody, but not for long.
    private func pushMoment(latest: WallTime) -> Judgement {
        if requires.idle == nil, let chance = chanceOfUse, chance >= Self.likely {
            return Judgement(verdict: open(.moment(.likelyUse(chance, within: fresh))), score: chance)
        }
        return processingMoment(latest: latest)
    }

    /// From this chance on, somebody is likely to see what the push is about.
    private static let likely = 0.2

    /// The chance of a use after the push came, so that waiting does not change it and no review is needed.
    private var chanceOfUse: Double? {
        guard let forecast = appRecord?.forecast, Double(forecast.known) >= Self.confidence,
            let came = request?.submitted
        else { return nil }
        let steps = Int(fresh.milliseconds / Hazards.step.milliseconds) + 1
        return forecast.hazards(from: came, steps: steps, zone: now.zones.host)?.probability(within: fresh)
    }

    private func processingMoment(latest: WallTime) -> Judgement {
        switch requires.idle {
        case true?: return Judgement(verdict: open(.moment(.hostIdle)), score: 0.5)
        case false?: return Judgement(verdict: open(.moment(.anyHost)), score: 0.5)
        case nil: break
        }
        let sensors: SensorSet = [.presence, .load]
        guard let conditions = host.conditions else {
            return Judgement(
                verdict: closed(.moment(.notSensed), since: record?.openSince, until: latest),
                score: 0, next: latest, watched: sensors)
        }
        let quiet = Condition.idle.judged(conditions, at: now.wall)
        if quiet.isSatisfied {
            return Judgement(
                verdict: open(.moment(.quiet(quiet.fact))), score: 0.5, watched: sensors)
        }
        return Judgement(
            verdict: closed(
                .moment(.noisy(quiet.fact, latest: latest)), since: record?.openSince, until: quiet.until),
            score: 0, next: min(quiet.until ?? latest, latest), watched: sensors)
    }

    private func refreshMoment(_ definition: Shared<TaskDefinition>, latest: WallTime) -> Judgement {
        guard let last = record?.lastFresh else {
            return Judgement(verdict: open(.moment(.neverSucceeded)), score: 1)
        }
        if let plan = standingPlan {
            if plan.stands(at: now.wall) { return waiting(plan, latest: latest) }
            if let due = plan.launch, case .forecast = plan.basis,
                now.wall - due <= max(Plan.timeout, (host.passInterval ?? .zero) / 2)
            {
                return launching(plan)
            }
        }
        let forecast = appRecord?.forecast ?? UsageForecast()
        let steps = Int(RefreshPlan.horizon.milliseconds / Hazards.step.milliseconds)
        guard Double(forecast.known) >= Self.confidence,
            let hazards = forecast.hazards(from: now.wall, steps: steps, zone: now.zones.host)
        else {
            return cadence(definition, last: max(last, record?.lastLaunched ?? last), latest: latest)
        }
        let plan = plan(definition, hazards, lastFresh: last)
        if let first = plan.launch, first - now.wall <= (host.passInterval ?? .zero) / 2 {
            return launching(plan)
        }
        return waiting(plan, latest: latest)
    }

    /// The plan that was made, unless its app was used since.
    var standingPlan: Plan? {
        guard let plan, plan.isMade(by: now.wall) else { return nil }
        if case .cadence = plan.basis { return plan.stands(at: now.wall) ? plan : nil }
        return plan.session == appRecord?.forecast.lastUse && now.wall < plan.made + Self.review ? plan : nil
    }

    private func plan(_ definition: Shared<TaskDefinition>, _ hazards: Hazards, lastFresh: WallTime) -> Plan {
        let price = price(definition)
        let plan = RefreshPlan(
            .init(
                hazards: hazards, objective: definition.objective, price: price.amount,
                gap: max(definition.minGap, definition.repeat ?? .zero), fresh: definition.fresh,
                lastFresh: lastFresh <= now.wall ? lastFresh : nil, until: idlesAfter,
                passInterval: host.passInterval))
        return Plan(
            made: now.wall, look: min(now.wall + Self.review, plan.launches.first?.time ?? .distantFuture),
            launches: plan.launches,
            basis: .forecast(value: hazards.probability(within: definition.fresh), price: price),
            session: appRecord?.forecast.lastUse)
    }

    func price(_ definition: Shared<TaskDefinition>) -> LaunchPrice {
        let objective = definition.objective
        if definition.freshShare != nil {
            let multiplier = appRecord?.multiplier ?? 1
            return LaunchPrice(
                objective: objective, amount: Price.base(objective, perDay: 8) * multiplier)
        }
        // All apps share the refresh budget; the task's own budget sets the scale.
        let factor = Price.factor(host.spending, at: now.wall, perDay: host.budget)
        return LaunchPrice(
            objective: objective, amount: Price.base(objective, perDay: definition.budget) * factor)
    }

    private func launching(_ plan: Plan) -> Judgement {
        let chance = plan.launches.first?.chance ?? plan.value
        return Judgement(
            verdict: open(.moment(.likelyUse(chance, within: fresh))),
            // It is reviewed then, if there is still no room for it.
            score: chance, next: host.passInterval == nil ? now.wall + Plan.timeout : nil, plan: plan)
    }

    /// The judgement of a refresh that waits for its plan; the starvation bound and the next review may come first.
    func waiting(_ plan: Plan, latest: WallTime) -> Judgement {
        Judgement(
            verdict: closed(
                .moment(.planned(plan, fresh: fresh, latest: latest)), since: record?.openSince,
                until: plan.launch),
            score: plan.value, next: min(plan.look, latest), plan: plan)
    }

    private var fresh: Duration { definition?.fresh ?? RefreshPlan.fresh }

    /// Until the forecast is to be relied on: the budget, spread evenly.
    private func cadence(_ definition: Shared<TaskDefinition>, last: WallTime, latest: WallTime) -> Judgement
    {
        let even =
            definition.budget > 0
            ? Duration.milliseconds(Int64((86_400_000 / definition.budget).clamped(to: 0...1e13))) : .days(1)
        let gap = max(even, definition.repeat ?? .zero, definition.minGap)
        // The pass before the next is the last that is not too late; a half of an interval is as near as
        // passes come.
        let due = last + gap - (host.passInterval.map { min($0, gap) / 2 } ?? .zero)
        if due <= now.wall || last > now.wall {
            return Judgement(verdict: open(.moment(.evenly(gap))), score: 0.25)
        }
        return waiting(
            Plan(
                made: now.wall, look: min(due, latest), launches: [PlannedLaunch(time: due, chance: 0)],
                basis: .cadence(gap)), latest: latest)
    }
}
