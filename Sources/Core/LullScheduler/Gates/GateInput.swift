import LullForecast
import LullModel

/// The input of all gates of one task, at one moment.
///
/// The gates are functions of this value alone, one for each name. `why` and the host's decisions make the same calls.
struct GateInput {
    /// The part that all tasks share.
    struct Host {
        var manifestPath = "jobs.yaml"
        var concurrency = 4
        var running = 0
        var isShuttingDown = false
        var discovers = true
        var passInterval: Duration?
        var conditions: Conditions?
        /// When the value of a sensor last changed, as far as this host has seen.
        var changed: [SensorSet: WallTime] = [:]
        var spending = Spending()
        /// Refresh launches a day, of all apps together.
        var budget = 0.0
        /// The host's identity, from which the shifts of `spread` follow.
        var identity = ""
        /// The pause of all tasks; nil: none.
        var pause: Pause?
        /// What all apps together may cost, and what they have.
        var costLimits: [CostLimit] = []
        var costs = CostSums()
    }

    var now: Now
    var task: TaskIdentifier
    var host: Host
    /// Nil: the manifest does not list the task.
    var definition: Shared<TaskDefinition>?
    var app: Shared<App>?
    var record: Shared<TaskRecord>?
    var appRecord: Shared<AppRecord>?
    var stamp: String?
    /// Time in which the host was off, where the app's idle clock is the host's.
    var idleCredit: Duration = .zero
    /// Continued tasks whose handlers the plugin that runs has registered after its start.
    var lateHandlers: Set<TaskIdentifier> = []
    /// The disk use of its app; nil: not measured.
    var folderUse: FolderUse?
    /// A sentence if its app has filled the disk and room is still short; nil: it has not.
    var filledDisk: String?
    /// The events that `on` waits for, while the task has no request.
    var awaited: [GateFact.AwaitedEvent] = []
    /// Requests in a row for files that came during its last run, or just after it.
    var fed = 0
    var runsOfTask = 0
    /// The task that holds back the group; nil: none.
    var group: GateFact.Group?
    var runsOfApp = 0
    /// Whether open gates are reported, too.
    var tellsOpen = false
    /// The task's turn in the fleet; nil: this host has none.
    var sharing: GateFact.Sharing?
    /// The plan of the last review; nil: a new one is to be made.
    var plan: Plan?

    var request: TaskRequest? { record?.pending }
    var kind: Kind { record?.pending?.kind ?? definition?.kind ?? .refresh }
    /// Whether it is for an urgent push of an app that has not lost the right to them: it passes every policy gate.
    var isUrgent: Bool {
        guard record?.pending?.push?.isUrgent == true else { return false }
        return appRecord?.urgencyLostAt == nil || Mutation.keepsUrgency.isOn
    }
    var requires: Requirements {
        isUrgent ? .none : (definition?.requires ?? .none).adding(record?.pending?.requires ?? .none)
    }
    var windowZone: Zone { now.zones[definition?.timezone] }

    /// The total time for which all its gates have been open.
    var openTime: Duration { record?.value.openTime(at: now.wall) ?? .zero }
    /// The starvation bound: when it is launched at any score, if its gates stay open from now on.
    func latest(_ definition: Shared<TaskDefinition>) -> WallTime {
        now.wall + (definition.starvationBound - openTime)
    }

    func open(_ fact: GateFact, closes: @autoclosure () -> WallTime? = nil) -> GateFinding {
        GateFinding(fact, isOpen: true, closes: tellsOpen ? closes() : nil)
    }

    func closed(_ fact: GateFact, since: WallTime? = nil, until: WallTime? = nil) -> GateFinding {
        GateFinding(fact, isOpen: false, since: record?.closed[fact.gate.rawValue] ?? since, until: until)
    }

    var words: VerdictWords {
        VerdictWords(
            task: task, app: app?.identifier, manifest: host.manifestPath, now: now.wall,
            zone: now.zones.host,
            zoneOfTask: windowZone)
    }

    /// The verdict for a person, with its sentence.
    func told(_ finding: GateFinding) -> GateVerdict {
        let words = words.words(for: finding.fact)
        return GateVerdict(
            finding.gate, isOpen: finding.isOpen, reason: words.reason, since: finding.since,
            until: finding.until, closes: finding.closes,
            remedy: finding.isOpen ? nil : words.remedy)
    }
}

extension App {
    /// The processing launches a day that the app's plugin may ask for: the sum of its processing tasks' budgets.
    var processingBudget: Double {
        tasks.reduce(0) { $1.kind == .processing && $1.enabled ? $0 + $1.budget : $0 }
    }
}

/// What the gates say together: the decision, and when to ask again.
struct Evaluation {
    var verdicts: [GateFinding]
    /// What launching now is worth; nil while a gate is closed.
    var score: Double?
    /// The task is launched next, whatever its score.
    var isStarved = false
    /// The earliest moment at which this can change by time alone.
    var next: WallTime?
    /// Before this moment time alone does not open the last closed gate; nil: no closed gate has said when it opens.
    var mayOpenAt: WallTime?
    /// When time alone opens all gates that are to be recorded as closed; nil: one of them needs more.
    var opens: WallTime?
    /// The sensors whose change can change the evaluation.
    var watched: SensorSet = []
    /// The sensors that have to be sampled, as the last closed gates depend on them.
    var sampled: SensorSet = []
    /// The gates to be recorded as closed.
    var deferring: [String] = []
    /// Every gate is open, except perhaps the limits on runs at once of host and app.
    var isReady = false
    /// As `isReady`, but the host has yet to ask the fleet for a lease.
    var wantsLease = false
    /// The plan of a refresh that waits for its moment.
    var plan: Plan?
}

extension GateInput {
    /// The findings in the order of the gates' names; open gates only if they are to be reported.
    private func gates(_ required: [Condition]) -> [GateFinding] {
        var verdicts: [GateFinding] = []
        if tellsOpen { verdicts.reserveCapacity(GateName.allCases.count) }
        for gate in GateName.allCases where gate != .moment {
            // Most tasks require no conditions, and these open gates are seldom reported.
            if gate.opener == .condition, required.isEmpty, !tellsOpen { continue }
            if gate == .fleet, sharing == nil { continue }
            let verdict = verdict(of: gate, required)
            if Mutation.passesOver(gate).isOn { continue }
            if tellsOpen || !verdict.isOpen { verdicts.append(verdict) }
        }
        return verdicts
    }

    /// Evaluates all gates.
    func evaluate() -> Evaluation {
        let required = requires.conditions.conditions
        var verdicts = gates(required)
        var result = Evaluation(verdicts: [])
        var ofConditions: SensorSet = []
        var ofConditionsClosed = false
        var isBarred = false
        for verdict in verdicts where !verdict.isOpen {
            if let until = verdict.until, until > now.wall {
                result.next = min(result.next ?? until, until)
                result.mayOpenAt = max(result.mayOpenAt ?? until, until)
            }
            if verdict.gate.bars { isBarred = true }
            guard verdict.gate.opener == .condition else { continue }
            for condition in required where condition.gate == verdict.gate {
                ofConditions.formUnion(condition.sensors(in: host.conditions))
            }
            ofConditionsClosed = true
        }
        // No conditions are sensed for a task before the policy gates let it through.
        if !isBarred {
            for condition in required { result.watched.formUnion(condition.sensors) }
            if ofConditionsClosed && SensorSet.sampled.isSuperset(of: ofConditions) {
                result.sampled = ofConditions
            }
        }
        // A kept condition that is recorded as closed is watched until it opens.
        if isBarred {
            for condition in required where isKept(condition.gate) {
                result.watched.formUnion(condition.sensors)
            }
        }
        // Whatever its origin, its due time may open other closed gates; after `lapse` it is given up.
        let opens = [definition?.at == nil ? nil : due, askedFor].compactMap { $0 }.filter { $0 > now.wall }
        for time in opens + [lapse].compactMap({ $0 }) where time > now.wall {
            result.next = min(result.next ?? time, time)
        }
        if let last = result.mayOpenAt { result.mayOpenAt = opens.reduce(last, min) }
        for verdict in verdicts where !verdict.isOpen && isRecorded(verdict, isBarred) {
            result.deferring.append(verdict.gate.rawValue)
            result.opens = verdict.until.map { max(result.opens ?? $0, $0) } ?? .distantFuture
        }
        result.deferring.sort()
        if result.opens == .distantFuture { result.opens = nil }
        if isBarred || ofConditionsClosed {
            // A gate may have closed since the plan was made; there is nothing to review until the planned moment.
            if !isExact, request?.triggerEvent == nil, let plan = standingPlan, plan.stands(at: now.wall),
                let definition
            {
                verdicts.append(waiting(plan, latest: max(latest(definition), plan.look)).verdict)
                result.verdicts = verdicts
                result.plan = plan
                return result
            }
            result.plan = standingPlan
            verdicts.append(open(.moment(.otherGates)))
        } else {
            judgeMoment(&verdicts, &result)
            // A task that lacks only room waits for room.
            let lacksRoom = verdicts.contains { $0.gate == .concurrency && !$0.isOpen }
            if verdicts.last?.isOpen == true, lacksRoom { result.deferring = [GateName.concurrency.rawValue] }
        }
        result.verdicts = verdicts
        return result
    }

    private func isRecorded(_ finding: GateFinding, _ isBarred: Bool) -> Bool {
        // One of its group may hold it back for as long as the moment does.
        if case .concurrency(.group) = finding.fact { return true }
        let gate = finding.gate
        return gate.bars || gate.opener == .condition && (!isBarred || isKept(gate))
    }

    /// A condition that closed before a policy gate did, and that needs no sampling: it stays recorded as closed, so
    /// that a pause does not restart its time.
    private func isKept(_ gate: GateName) -> Bool {
        (gate == .network || gate == .externalPower) && record?.closed[gate.rawValue] != nil
    }

    /// When a task that lacks only room goes before all others; nil: it does already, or its wait does not count.
    private func starves(_ judgement: Judgement) -> WallTime? {
        guard judgement.verdict.isOpen, !judgement.isStarved, !isExact, record?.openSince != nil,
            let definition
        else { return nil }
        return latest(definition)
    }

    private func judgeMoment(_ verdicts: inout [GateFinding], _ result: inout Evaluation) {
        var judgement = revival() ?? judgeMoment()
        if Mutation.passesOver(.moment).isOn {
            judgement.verdict = open(judgement.verdict.fact)
        }
        verdicts.append(judgement.verdict)
        result.score = judgement.score
        result.isStarved = judgement.isStarved
        result.plan = judgement.plan
        result.watched.formUnion(judgement.watched)
        if !judgement.verdict.isOpen { result.sampled.formUnion(judgement.watched.intersection(.sampled)) }
        judgement.next = [judgement.next, lapse, starves(judgement)].compactMap { $0 }.min()
        let closing = windowCalendar?.closing(after: now.wall)
        let silence = quietCalendar?.opening(from: now.wall)
        for time in [judgement.next, closing, silence] {
            if let time, time > now.wall { result.next = min(result.next ?? time, time) }
        }
        let isClosing = host.isShuttingDown && !Mutation.passesOver(.shuttingDown).isOn
        let mayRun = judgement.verdict.isOpen && !mustWaitForRuns && !isClosing
        result.isReady = mayRun && (sharing?.isOpen ?? true || Mutation.passesOver(.fleet).isOn)
        result.wantsLease = mayRun && sharing == .claims
    }
}
