public import LullConditions
public import LullControl
import LullHistory
import LullLoop
import LullModel
import LullScheduler
import LullWorkers

/// The state of a host that does not run: answers what the running one would, and takes down what it is told.
///
/// The same scheduler judges, on conditions sensed now. Nothing is launched and no worker is started. What changes
/// something takes the state's lock for its moment, so that no host begins meanwhile.
public struct OfflineHost {
    let state: StateFolder
    let manifest: Manifest
    let roots: ConditionRoots

    public init(state: StateFolder, manifest: Manifest, roots: ConditionRoots) {
        self.state = state
        self.manifest = manifest
        self.roots = roots
    }

    public func answer(_ request: ControlRequest) throws(HostError) -> ControlResponse {
        switch request {
        case .status, .why, .outlook, .pending, .forecast: try read(request)
        case .used, .submit, .cancel, .enable, .pause, .resume, .importEvents: try change(request)
        case .expire(let task):
            .refused("No host is running on \(state.path), so \(task) is not running either.")
        case .launch, .await, .reload, .changes, .loads:
            .refused("No host is running on \(state.path). Start one with `lull run`.")
        }
    }

    private func read(_ request: ControlRequest) throws(HostError) -> ControlResponse {
        var scheduler = judge(try readLedger())
        let now = self.now
        for absence in sight.missed(by: scheduler.ledger, at: now) {
            _ = scheduler.handle(.absent(absence), at: now)
        }
        let folders = DiskWatch.limitedFolders(of: manifest, in: state, limit: .seconds(2))
        _ = scheduler.handle(.foldersLooked(DiskWatch.take(folders), isAll: false), at: now)
        if let room = DiskRoom(of: state.path) {
            _ = scheduler.handle(.diskLooked(room, isFull: false), at: now)
        }
        _ = scheduler.handle(.manifestLoaded(manifest, stamps: Self.stamps(of: manifest)), at: now)
        _ = scheduler.handle(.conditionsChanged(conditions), at: now)
        switch request {
        case .why(let task): return .verdict(scheduler.verdict(for: task, at: now))
        case .outlook(let task, let by):
            var outlook = scheduler.outlook(for: task, by: by, at: now)
            outlook.needsHost = true
            return .outlook(outlook)
        case .pending(let app):
            if let app, !manifest.apps.contains(where: { $0.identifier == app }) {
                return .refused(Sentences.unknownApp(app, manifest))
            }
            return .pending(scheduler.pending(of: app))
        case .forecast(let app): return scheduler.answer(forecastOf: app, of: manifest, at: now)
        default:
            var report = scheduler.report(at: now)
            report.remarks = [absence] + (report.remarks ?? [])
            return .status(report)
        }
    }

    private var absence: String {
        sight.read() == nil
            ? "No host has run on \(state.path) yet. Start one with `lull run`."
            : "No host is running on \(state.path), and until one does nothing is launched. This is what the last one left, "
                + "judged now. Start one with `lull run`."
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

    private func change(_ request: ControlRequest) throws(HostError) -> ControlResponse {
        if case .used(let app, let time) = request,
            let sentence = Sentences.future(use: time, of: app, at: Clock.wall)
        {
            return .refused(sentence)
        }
        try state.create()
        do {
            let lock = try StateLock.take(folder: state.path, at: Clock.wall, isBrief: true)
            defer { withExtendedLifetime(lock) {} }
            let history = try SQLiteHistory.open(folder: state.path, mode: .readWrite)
            let now = self.now
            var scheduler = judge(try LedgerStore.load(from: history, zones: now.zones))
            var effects: [Effect] = []
            for absence in sight.missed(by: scheduler.ledger, at: now) {
                effects += scheduler.handle(.absent(absence), at: now)
            }
            effects += scheduler.handle(.manifestLoaded(manifest, stamps: Self.stamps(of: manifest)), at: now)
            let response: ControlResponse
            switch request {
            case .importEvents(let events):
                let plan = try HistoryImport(events, from: "The import", into: history)
                scheduler.take(imported: plan.events, zones: now.zones)
                effects += plan.events.map { .record($0) }
                response = plan.response
            default:
                guard let event = event(for: request, at: now) else { return refusal(of: request) }
                let idle = Set(manifest.apps.map(\.identifier).filter(scheduler.isIdle))
                let answers = scheduler.handle(event, at: now)
                effects += answers
                if case .used(let app, _) = request {
                    response = .done(scheduler.answer(toUseOf: app, wasIdle: idle.contains(app)))
                } else {
                    response = Self.response(to: answers)
                }
            }
            let records = effects.compactMap { effect -> HistoryEvent? in
                if case .record(let event) = effect { event } else { nil }
            }
            if !records.isEmpty { try history.append(HistoryBatch(events: records)) }
            sight.save(now)
            return response
        } catch {
            throw .history(error)
        }
    }

    private static let token = Token(0)

    private func event(for request: ControlRequest, at now: Now) -> Event? {
        switch request {
        case .used(let app, let time):
            guard manifest.apps.contains(where: { $0.identifier == app }) else { return nil }
            return .used(app, at: min(time ?? now.wall, now.wall))
        case .submit(let task, let earliestBegin, let instead):
            return .submitted(
                Submission(app: nil, task: task, earliestBegin: earliestBegin, isInstead: instead ?? false),
                reply: Self.token)
        case .cancel(let task, let next):
            guard let app = manifest.app(of: task) else { return nil }
            return .cancelled(app, task, next: next ?? false, reply: Self.token)
        case .enable(let app, let isEnabled, let task):
            return .enabled(app, isEnabled, task: task, reply: Self.token)
        case .pause(let scope, let until, let reason):
            return .paused(scope, until: until, reason: reason, reply: Self.token)
        case .resume(let scope): return .resumed(scope, reply: Self.token)
        default: return nil
        }
    }

    private func refusal(of request: ControlRequest) -> ControlResponse {
        switch request {
        case .used(let app, _): .refused(Sentences.unknownApp(app, manifest))
        case .cancel(let task, _): .refused(Sentences.unknownTask(task, manifest))
        default: .refused("No host is running on \(state.path).")
        }
    }

    private static func response(to effects: [Effect]) -> ControlResponse {
        for effect in effects {
            if case .reply(token, let reply) = effect { return ControlResponse(reply) }
        }
        return .done("Done.")
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
        Dictionary(uniqueKeysWithValues: manifest.apps.map { ($0.identifier, PluginStamp.of($0)) })
    }
}
