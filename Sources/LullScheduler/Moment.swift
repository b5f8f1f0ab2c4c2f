import LullForecast
import LullModel

/// The score's own word: what launching now is worth, and whether a better moment is expected.
struct Judgement {
    var verdict: GateVerdict
    /// 0...1.
    var score: Double
    var isStarved = false
    /// When to judge again, if nothing happens before.
    var next: WallTime?
    var watched: SensorSet = []
    /// What a refresh that has to wait waits for.
    var plan: Plan?
}

/// What was decided of a refresh when it was last looked at: it stands until it is looked at again.
///
/// The price falls and rises with what other apps launch. If each look at the verdict planned anew, `why`
/// could find a launch that the host, asleep until its planned moment, does not make.
struct Plan: Sendable, Equatable {
    let made: WallTime
    /// When the host looks again.
    let look: WallTime
    /// The launch that it expects; nil: none within a day is worth its price.
    let launch: WallTime?
    let basis: Basis

    enum Basis: Sendable, Equatable {
        case forecast(value: Double, price: Double)
        /// Too little is known for a forecast: evenly, so far apart.
        case cadence(Duration)
    }

    var value: Double {
        switch basis {
        case .forecast(let value, _): value
        case .cadence: 0
        }
    }

    func stands(at now: WallTime) -> Bool { made <= now && now < look }
}

extension GateInput {
    /// Below this many uses (those of long ago count less) the forecast is not relied on.
    static let confidence = 3.0
    /// A plan is looked at again after this time, for the price may have fallen.
    static let review: Duration = .hours(6)

    /// Asked only while every gate is open.
    func judgeMoment() -> Judgement {
        guard let definition else {
            return Judgement(verdict: open(.moment, "not in the manifest"), score: 0)
        }
        let bound = definition.starvationBound
        let openTime = record?.openTime(at: now.wall) ?? .zero
        if openTime >= bound {
            return Judgement(
                verdict: open(
                    .moment,
                    "its gates have been open for \(Phrase.span(openTime)), and it waits for \(Phrase.span(bound)) at most"
                ),
                score: 1, isStarved: true)
        }
        let latest = now.wall + (bound - openTime)
        if request?.origin == .operator {
            return Judgement(verdict: open(.moment, "an operator asked for it: at once"), score: 1)
        }
        if let plan, plan.stands(at: now.wall) { return waiting(plan, latest: latest) }
        switch kind {
        case .refresh: return refreshMoment(definition, latest: latest)
        case .processing: return processingMoment(latest: latest)
        case .continued: return Judgement(verdict: open(.moment, "somebody waits for it: at once"), score: 1)
        }
    }

    private func processingMoment(latest: WallTime) -> Judgement {
        switch requires.idle {
        case true?: return Judgement(verdict: open(.moment, "the host is idle"), score: 0.5)
        case false?: return Judgement(verdict: open(.moment, "it does not wait for an idle host"), score: 0.5)
        case nil: break
        }
        let sensors: SensorSet = [.presence, .load]
        guard let conditions = host.conditions else {
            return Judgement(
                verdict: closed(
                    .moment, "the host's conditions are not sensed yet", since: record?.openSince,
                    until: latest),
                score: 0, next: latest, watched: sensors)
        }
        let quiet = Constraint.idleness(conditions, at: now.wall, explains: explains)
        if quiet.isSatisfied {
            return Judgement(
                verdict: open(.moment, "a quiet moment: \(quiet.sentence)"), score: 0.5, watched: sensors)
        }
        return Judgement(
            verdict: closed(
                .moment, "it waits for a quieter moment (\(quiet.sentence)), at the latest \(moment(latest))",
                since: record?.openSince, until: quiet.until,
                remedy: "set `idle: false` under its `requires`, or launch it now with `lull launch \(task)`"),
            score: 0, next: min(quiet.until ?? latest, latest), watched: sensors)
    }

    private func refreshMoment(_ definition: TaskDefinition, latest: WallTime) -> Judgement {
        guard let record, let last = record.lastFresh else {
            return Judgement(verdict: open(.moment, "it has never succeeded yet: at once"), score: 1)
        }
        let forecast = appRecord?.forecast ?? UsageForecast()
        guard forecast.evidence >= Self.confidence else {
            return cadence(definition, last: max(last, record.lastLaunched ?? last), latest: latest)
        }
        let price = Budget(perDay: host.budget).price(host.spending, at: now.wall)
        let plan = RefreshPlan(
            .init(
                forecast: forecast, zone: now.zones.host, price: price,
                gap: max(definition.minGap, definition.repeat ?? .zero),
                lastFresh: last <= now.wall ? last : nil,
                passInterval: host.passInterval),
            at: now.wall)
        if plan.isNow {
            return Judgement(
                verdict: open(
                    .moment,
                    "a use within the next hour has a likelihood of \(Phrase.share(plan.value)), and no better moment is near"
                ),
                // For as long as there is no room for it.
                score: plan.value,
                next: host.passInterval == nil ? RefreshPlan.gridPoint(after: now.wall) : nil)
        }
        return waiting(
            Plan(
                made: now.wall, look: min(plan.next ?? latest, latest, now.wall + Self.review),
                launch: plan.next, basis: .forecast(value: plan.value, price: price)),
            latest: latest)
    }

    /// What the wait is for; the starvation bound and the next review may come first.
    func waiting(_ plan: Plan, latest: WallTime) -> Judgement {
        Judgement(
            verdict: closed(
                .moment, sentence(of: plan, latest: latest), since: record?.openSince, until: plan.launch,
                remedy: remedy(of: plan)),
            score: plan.value, next: plan.look, plan: plan)
    }

    private func remedy(of plan: Plan) -> String {
        let launch = "launch it now with `lull launch \(task)`"
        if case .forecast = plan.basis { return launch }
        return "record uses with `lull used \(app?.identifier.text ?? "APP")`, or " + launch
    }

    private func sentence(of plan: Plan, latest: WallTime) -> String {
        switch plan.basis {
        case .cadence(let gap):
            return few(gap) + (plan.launch.map { ", next at \(moment($0))" } ?? "")
        case .forecast(let value, let price):
            let made = plan.made < now.wall ? "it was planned at \(moment(plan.made)): " : ""
            let likelihood = "a use within the next hour has a likelihood of \(Phrase.share(value))"
            let wait =
                plan.launch.map { "; a better moment is expected at \(moment($0))" }
                ?? ", less than the price of a launch (\(Phrase.share(price)))"
            return made + likelihood + wait + ", and it waits until \(moment(latest)) at most"
        }
    }

    private func few(_ gap: Duration) -> String {
        "little is known yet of when its app is used, so it is refreshed every \(Phrase.span(gap))"
    }

    /// Until the forecast is to be relied on: the budget, spread evenly.
    private func cadence(_ definition: TaskDefinition, last: WallTime, latest: WallTime) -> Judgement {
        let even =
            definition.budget > 0
            ? Duration.milliseconds(Int64((86_400_000 / definition.budget).clamped(to: 0...1e13))) : .days(1)
        let gap = max(even, definition.repeat ?? .zero, definition.minGap)
        // The pass before the next is the last that is not too late; a half of an interval is as near as
        // passes come.
        let due = last + gap - (host.passInterval.map { min($0, gap) / 2 } ?? .zero)
        if due <= now.wall || last > now.wall {
            return Judgement(verdict: open(.moment, few(gap)), score: 0.25)
        }
        return waiting(
            Plan(made: now.wall, look: min(due, latest), launch: due, basis: .cadence(gap)), latest: latest)
    }
}
