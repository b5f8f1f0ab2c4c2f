import LullForecast
import LullModel
import RealModule

/// What can be predicted for a task: the world from which its futures are drawn, and when each closed gate is likely to
/// open.
struct OutlookProspect {
    private let input: GateInput
    private let history: ConditionHistory
    private let grid: OutlookGrid

    init(_ input: GateInput, history: ConditionHistory, until end: WallTime) {
        self.input = input
        self.history = history
        grid = OutlookGrid(from: input.now.wall, to: end, zone: input.now.zones.host)
    }

    private var now: WallTime { input.now.wall }

    /// Whether enough is known of the uses of its app to say anything.
    var knowsUses: Bool { Double(input.appRecord?.forecast.known ?? 0) >= GateInput.confidence }

    /// `uses`: whether the futures depend on those.
    func world(uses isUsed: Bool) -> OutlookWorld {
        let required = input.requires.conditions
        let quiet = input.requires.quiet(of: input.kind)
        return OutlookWorld(
            required: required, quiet: quiet,
            requiredCourse: required.conditions.isEmpty ? nil : course(of: required),
            quietCourse: quiet.map(course), uses: isUsed ? uses : nil)
    }

    // MARK: Gates

    func opening(ofCondition gate: GateName) -> Outlook.Opening {
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

    func within(_ time: WallTime?) -> WallTime? {
        time.flatMap { $0 <= now + Outlook.horizon ? $0 : nil }
    }

    var openingByUse: Outlook.Opening { opening(of: knowsUses ? uses : nil, otherwise: .never) }

    private var uses: OutlookHazard? {
        let zone = input.now.zones.host
        guard
            let hazards = input.appRecord?.forecast.hazards(from: now, steps: WeekAhead.steps, zone: zone)
        else { return nil }
        // The next use is predicted as in the plans; beyond the week that those cover, that week repeats.
        let survival = Survival(hazards)
        func none(in span: Duration) -> Double { 1 - survival.probability(from: .zero, to: span) }
        let noneInWeek = none(in: .days(7))
        let reached = grid.times.dropFirst().map { time in
            let weeks = ((time - now).inSeconds / Duration.days(7).inSeconds).rounded(.down)
            return 1 - Double.pow(noneInWeek, weeks) * none(in: time - now - .days(7 * Int(weeks)))
        }
        return OutlookHazard(grid, reached: reached)
    }

    // MARK: Conditions

    private func course(of set: ConditionSet) -> Result<OutlookCourse, OutlookWorld.Lack> {
        guard let strand = history[set.name], strand.isEnough(at: now) else {
            let seen = history[set.name].map {
                min(now - $0.first, .milliseconds(Int64($0.hours * 3_600_000)))
            }
            let names = Phrase.list(set.conditions.map(\.gate.rawValue))
            return .failure(
                OutlookWorld.Lack(
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
