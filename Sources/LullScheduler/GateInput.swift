import LullForecast
import LullModel

/// All that the gates of one task look at, at one moment.
///
/// The gates are functions of this value alone, one to each name; what `why` prints and what the host decides
/// are the same calls. Sentences are made only when somebody will read them.
struct GateInput {
    /// What all tasks share.
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
        /// What the shifts of `spread` follow from.
        var identity = ""
        /// Of all tasks.
        var pause: Pause?
    }

    var now: Now
    var task: TaskIdentifier
    var host: Host
    /// Nil: the manifest does not list the task.
    var definition: TaskDefinition?
    var app: App?
    var record: TaskRecord?
    var appRecord: AppRecord?
    var stamp: String?
    /// Time in which the host was off, where the app's idle clock is the host's.
    var idleCredit: Duration = .zero
    /// Continued tasks whose handlers the plugin that runs has registered after its start.
    var lateHandlers: Set<TaskIdentifier> = []
    /// What its app keeps on the disk; nil: nobody has looked.
    var folderUse: FolderUse?
    /// That its app has filled the disk, which is short still; nil: it has not.
    var filledDisk: String?
    var runsOfTask = 0
    var runsOfApp = 0
    var explains = true
    /// What was decided when the host last looked; nil where it is to decide anew.
    var plan: Plan?

    var request: TaskRequest? { record?.pending }
    var kind: Kind { record?.pending?.kind ?? definition?.kind ?? .refresh }
    var requires: Requirements {
        (definition?.requires ?? .none).adding(record?.pending?.requires ?? .none)
    }
    var windowZone: Zone { now.zones[definition?.timezone] }

    func moment(_ time: WallTime) -> String { Phrase.moment(time, seenFrom: now.wall, in: now.zones.host) }

    /// "at 08:30", "tomorrow at 08:30", "on Sunday at 04:00".
    func at(_ time: WallTime) -> String { Phrase.when(time, seenFrom: now.wall, in: now.zones.host) }

    func open(
        _ gate: GateName, _ reason: @autoclosure () -> String, closes: @autoclosure () -> WallTime? = nil
    ) -> GateVerdict {
        GateVerdict(
            gate, isOpen: true, reason: explains ? reason() : "", closes: explains ? closes() : nil)
    }

    func closed(
        _ gate: GateName, _ reason: @autoclosure () -> String, since: WallTime? = nil, until: WallTime? = nil,
        remedy: @autoclosure () -> String? = nil
    ) -> GateVerdict {
        GateVerdict(
            gate, isOpen: false, reason: explains ? reason() : "",
            since: record?.closed[gate.rawValue] ?? since,
            until: until, remedy: explains ? remedy() : nil)
    }
}

/// What the gates say together: the decision, and when to ask again.
struct Evaluation {
    var verdicts: [GateVerdict]
    /// What launching now is worth; nil while a gate is closed.
    var score: Double?
    /// The task is launched next, whatever its score.
    var isStarved = false
    /// The earliest moment at which this can change by time alone.
    var next: WallTime?
    /// The sensors whose change can change this.
    var watched: SensorSet = []
    /// The sensors that have to be sampled, for they hold the last closed gates.
    var sampled: SensorSet = []
    /// The gates to be recorded as closed.
    var deferring: [String] = []
    /// Every gate is open but perhaps for the number of runs at once of host and app.
    var isReady = false
    /// What a refresh that waits for its moment waits for.
    var plan: Plan?
}

extension GateInput {
    /// The verdicts in the order of the gates' names; where nobody will read them, those of closed gates alone.
    private func gates() -> [GateVerdict] {
        var verdicts: [GateVerdict] = []
        if explains { verdicts.reserveCapacity(GateName.allCases.count) }
        func take(_ verdict: GateVerdict) {
            if PlantedBug.passesOver(verdict.gate).isPlanted { return }
            if explains || !verdict.isOpen { verdicts.append(verdict) }
        }
        take(permitted())
        take(registered())
        take(enabled())
        take(paused())
        take(idleApp())
        take(requested())
        take(earliestBegin())
        take(network())
        take(externalPower())
        take(battery())
        take(idle())
        take(load())
        take(disk())
        take(folder())
        take(window())
        take(quiet())
        take(rateLimit())
        take(budget())
        take(backoff())
        take(concurrency())
        take(shuttingDown())
        return verdicts
    }

    /// All gates, and what follows.
    func evaluate() -> Evaluation {
        var verdicts = gates()
        var result = Evaluation(verdicts: [])
        var ofConditions: SensorSet = []
        var ofConditionsClosed = false
        var isBarred = false
        for verdict in verdicts where !verdict.isOpen {
            if let until = verdict.until, until > now.wall { result.next = min(result.next ?? until, until) }
            switch verdict.gate {
            case .concurrency, .shuttingDown, .moment: break
            case let gate where gate.isOfConditions:
                ofConditions.formUnion(sensor(of: gate))
                ofConditionsClosed = true
            default: isBarred = true
            }
        }
        // What else holds the task back is found out when the policy lets it through: nothing is sensed for
        // it before.
        if !isBarred {
            result.watched = watchedSensors
            if ofConditionsClosed && SensorSet.sampled.isSuperset(of: ofConditions) {
                result.sampled = ofConditions
            }
        }
        // Whoever asked for it, its time may open what else is closed; later it may be given up.
        for time in [definition?.at == nil ? nil : due, askedFor, lapse] {
            if let time, time > now.wall { result.next = min(result.next ?? time, time) }
        }
        for verdict in verdicts where !verdict.isOpen && isRecorded(verdict.gate, isBarred) {
            result.deferring.append(verdict.gate.rawValue)
        }
        result.deferring.sort()
        if isBarred || ofConditionsClosed {
            // A gate may have closed since, with nothing to look at until the planned moment.
            if !isExact, let plan = standingPlan, plan.stands(at: now.wall), let definition {
                let latest =
                    now.wall + (definition.starvationBound - (record?.openTime(at: now.wall) ?? .zero))
                verdicts.append(waiting(plan, latest: max(latest, plan.look)).verdict)
                result.verdicts = verdicts
                result.plan = plan
                return result
            }
            result.plan = standingPlan
            verdicts.append(open(.moment, "it is judged once the other gates are open"))
        } else {
            judgeMoment(&verdicts, &result)
        }
        result.verdicts = verdicts
        return result
    }

    private func isRecorded(_ gate: GateName, _ isBarred: Bool) -> Bool {
        switch gate {
        case .concurrency, .shuttingDown, .moment: false
        default: !(isBarred && gate.isOfConditions)
        }
    }

    private func judgeMoment(_ verdicts: inout [GateVerdict], _ result: inout Evaluation) {
        var judgement = revival() ?? judgeMoment()
        if PlantedBug.passesOver(.moment).isPlanted {
            judgement.verdict = open(.moment, judgement.verdict.reason)
        }
        verdicts.append(judgement.verdict)
        result.score = judgement.score
        result.isStarved = judgement.isStarved
        result.plan = judgement.plan
        result.watched.formUnion(judgement.watched)
        if !judgement.verdict.isOpen { result.sampled.formUnion(judgement.watched.intersection(.sampled)) }
        judgement.next = [judgement.next, lapse].compactMap { $0 }.min()
        let closing = windowCalendar?.closing(after: now.wall)
        let silence = quietCalendar?.opening(from: now.wall)
        for time in [judgement.next, closing, silence] {
            if let time, time > now.wall { result.next = min(result.next ?? time, time) }
        }
        let isClosing = host.isShuttingDown && !PlantedBug.passesOver(.shuttingDown).isPlanted
        result.isReady = judgement.verdict.isOpen && !isTaskFull && !isClosing
    }

    private func sensor(of gate: GateName) -> SensorSet {
        switch gate {
        case .network: .network
        case .externalPower: .power
        case .battery: .battery
        case .idle: idlenessSensors
        case .load: .load
        case .disk: .disk
        default: []
        }
    }

    /// Presence, and the load where presence is unknown.
    var idlenessSensors: SensorSet {
        host.conditions?.presence.value == nil ? [.presence, .load] : .presence
    }

    private var watchedSensors: SensorSet {
        var watched: SensorSet = []
        let requires = requires
        if requires.network != nil { watched.insert(.network) }
        if requires.externalPower { watched.insert(.power) }
        if requires.batteryAbove != nil { watched.insert(.battery) }
        if requires.idle == true { watched.formUnion([.presence, .load]) }
        if requires.loadBelow != nil { watched.insert(.load) }
        if requires.diskFree != nil { watched.insert(.disk) }
        return watched
    }
}

extension GateName {
    /// It is about what the host senses.
    fileprivate var isOfConditions: Bool {
        switch self {
        case .network, .externalPower, .battery, .idle, .load, .disk: true
        case .permitted, .registered, .enabled, .paused, .idleApp, .requested, .earliestBegin, .folder,
            .window, .quiet, .rateLimit, .budget, .backoff, .concurrency, .shuttingDown, .moment:
            false
        }
    }
}
