public import LullConditions
public import LullControl
import LullHistory
import LullModel
import LullScheduler
import LullSystem
import LullWorkers

/// The state of a host that does not run: answers as the running one would, and records orders.
///
/// The same scheduler judges, on conditions sensed now. Nothing is launched and no worker is started. A change takes
/// the state's lock for a moment, so that no host begins meanwhile.
public struct OfflineHost {
    let state: StateFolder
    let manifest: Manifest
    let roots: ConditionRoots

    public init(state: StateFolder, manifest: Manifest, roots: ConditionRoots) {
        self.state = state
        self.manifest = manifest
        self.roots = roots
    }

    /// `bearer`: of an act over the page.
    public func answer<Q: Question>(
        _ question: Q, for bearer: Bearer? = nil
    ) throws(HostError) -> Result<Q.Answer, ControlRefusal> {
        var answer: Result<Q.Answer, ControlRefusal>?
        let by = Q.isAct ? Asker.ofThisProcess(bearer).name(in: state) : nil
        try question.put(to: OfflineHandler(host: self, by: by)) { answer = $0 }
        return answer ?? .refused(noHost)
    }

    var noHost: String { "No host is running on \(state.path)." }

    /// What the scheduler would see if a host began now.
    func scheduler(at now: Now) throws(HostError) -> SchedulerState {
        var scheduler = judge(try readLedger())
        for absence in sight.missed(by: scheduler.ledger, at: now) {
            _ = scheduler.handle(.absent(absence), at: now)
        }
        let folders = DiskWatch.limitedFolders(of: manifest, in: state, limit: .seconds(2))
        let uses = DiskWatch.take(folders).mapValues(\.use)
        _ = scheduler.handle(.foldersLooked(uses, isAll: false), at: now)
        if let room = DiskRoom(of: state.path) {
            _ = scheduler.handle(.diskLooked(room, isFull: false), at: now)
        }
        _ = scheduler.handle(.manifestLoaded(manifest, stamps: Self.stamps(of: manifest)), at: now)
        _ = scheduler.handle(.conditionsChanged(conditions), at: now)
        scheduler.giveUpMissed(betweenPasses: PassTimes(in: state).interval(at: now.wall), at: now)
        return scheduler
    }

    func report(_ report: StatusReport) -> StatusReport {
        var report = report
        // The manifest that this is judged by is in force nowhere.
        report.inForce = nil
        report.fleetAway = nil
        // In order of time; absences of the machine come before those of the host.
        if let ledger = try? readLedger(), let missed = sight.missed(by: ledger, at: now).last {
            report.absent = .init(since: missed.start, cause: missed.cause)
        }
        report.hostless = hostless(since: report.absent)
        return report
    }

    private func hostless(since absent: StatusReport.Absent?) -> StatusReport.Hostless {
        let hasRun = sight.read() != nil
        if let other = RunningHosts().other(running: manifest.path, than: state.path) {
            let none = hasRun ? "No host is running" : "No host has run"
            return .init(
                "\(none) on \(state.path), but one runs \(manifest.path) with its state in \(other.state). "
                    + "`lull status --state \(other.state)` shows what it does.", runsElsewhere: true)
        }
        let start = "Start one with `lull run`, or name another state folder with `--state`."
        return .init(
            hasRun
                ? "No host is running on \(state.path)\(Self.since(absent, now)), so nothing is launched. This is what "
                    + "the last one left, judged now. \(start)"
                : "No host has run on \(state.path) yet. \(start)", runsElsewhere: false)
    }

    private static func since(_ absent: StatusReport.Absent?, _ now: Now) -> String {
        guard let absent else { return "" }
        let time = Phrase.moment(absent.since, seenFrom: now.wall, in: now.zones.host)
        return absent.cause == .lost
            ? ", because the last one was killed or crashed at \(time) or later" : " since \(time)"
    }

    /// An empty ledger when nothing has been recorded yet.
    func readLedger() throws(HostError) -> Ledger {
        do {
            let history = try SQLiteHistory.open(folder: state.path, mode: .readOnly)
            return try LedgerStore.load(from: history, zones: now.zones)
        } catch {
            if case .missing = error { return Ledger() }
            throw .history(error)
        }
    }

    /// Records what `body` does to the state's scheduler and its history; a nil batch: nothing is recorded.
    func change<Answer>(
        _ body: (inout SchedulerState, SQLiteHistory, Now) throws(HistoryError) -> (Answer, HistoryBatch?)
    ) throws(HostError) -> Answer {
        try write { (history) throws(HistoryError) in
            let now = self.now
            var scheduler = judge(try LedgerStore.load(from: history, zones: now.zones))
            var effects: [Effect] = []
            let before = scheduler.ledger
            let missed = sight.missed(by: before, at: now)
            for absence in missed { effects += scheduler.handle(.absent(absence), at: now) }
            effects += scheduler.handle(.manifestLoaded(manifest, stamps: Self.stamps(of: manifest)), at: now)
            let (answer, more) = try body(&scheduler, history, now)
            guard let more else { return answer }
            try history.append([HistoryBatch(effects), more])
            sight.saveWithoutHost(before, missed: missed, at: now)
            return answer
        }
    }

    /// Lets `body` write to the history, while no host does.
    func write<Answer>(_ body: (SQLiteHistory) throws(HistoryError) -> Answer) throws(HostError) -> Answer {
        try state.create()
        do {
            let lock = try StateLock.take(folder: state.path, at: Clock.wall, isBrief: true)
            defer { withExtendedLifetime(lock) {} }
            let history = try SQLiteHistory.open(folder: state.path, mode: .readWrite)
            // Closed, so that the next opening need not look at every page.
            defer { try? history.close() }
            return try body(history)
        } catch {
            throw .history(error)
        }
    }

    func judge(_ ledger: Ledger) -> SchedulerState {
        var options = SchedulerOptions(discovers: false, launches: false)
        options.identify(roots: roots)
        return SchedulerState(ledger: ledger, options: options)
    }

    var now: Now {
        Now(
            wall: Clock.wall, monotonic: Clock.monotonic,
            zones: ZoneLoader.load(manifest.zoneNames, around: Clock.wall), asleep: Clock.asleep)
    }

    private var sight: SightFile { SightFile(in: state, roots: roots) }

    private var conditions: Conditions { ConditionSensors(roots: roots, loop: nil).current() }

    static func stamps(of manifest: Manifest) -> [AppIdentifier: String] {
        PluginStamp.all(of: manifest.apps)
    }
}

extension HistoryBatch {
    /// The events that these effects record.
    init(_ effects: [Effect]) {
        self.init(events: effects.compactMap { if case .record(let event) = $0 { event } else { nil } })
    }
}
