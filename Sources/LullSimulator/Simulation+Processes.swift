import LullModel
import LullScheduler
import LullSession
import LullWire

/// What the host does to its workers.
extension Simulation {
    mutating func start(_ app: AppIdentifier) {
        guard workers[app] == nil else {
            return invariants.fault("\(app) is started while it has a worker")
        }
        workersStarted += 1
        workers[app] = VirtualWorker(number: workersStarted, began: clock.monotonic)
        introduce(app, worker: workersStarted)
        let wait = Int64.random(in: plugin(of: app).startMilliseconds, using: &random)
        agenda.add(.started(app, worker: workersStarted), at: clock.monotonic + .milliseconds(wait))
        handle(.carriedOut(.startWorker(app)))
    }

    private mutating func introduce(_ app: AppIdentifier, worker: Int) {
        let tasks = manifest.apps.first { $0.identifier == app }?.tasks ?? []
        let permits = tasks.map { SessionPermit(task: $0.identifier, kind: $0.kind, settings: "{}") }
        let session = WorkerSession(app: app, permits: permits)
        let kinds = Dictionary(tasks.map { ($0.identifier, $0.kind) }) { first, _ in first }
        links[app] = VirtualLink(worker: worker, session: session, watch: WireWatch(permits: kinds))
        let welcome = HostFrame.Welcome(
            app: app.text, plugin: "/plugins/\(app).so", stateFolder: "/state/\(app)", nice: 0,
            settingsBytes: 0, permits: 0)
        for frame in session.opening(
            welcome, confinement: [.confine(WireConfinement())], settings: "{}")
        {
            send(frame, to: app)
        }
    }

    mutating func launch(_ launch: Launch, under manifest: Manifest) {
        // Its worker may have ended while the record was written, and another of the app may have been started.
        guard state.isRunning(launch.run) else { return }
        handle(.carriedOut(.launch(launch.run)))
        trace.note(
            Trace.Launched(
                time: clock.wall, trueTime: clock.trueTime, task: launch.task, app: launch.app,
                run: launch.run,
                kind: launch.kind, request: launch.request))
        let app = launch.app
        guard let phase = workers[app]?.phase else { return }
        if phase == .starting {
            invariants.fault("\(launch.task) is launched in a worker that is starting")
        }
        if phase != .leaving {
            workers[app]?.runs[launch.run] = VirtualWorker.Run(
                task: launch.task, began: clock.monotonic, most: Self.mostTime(of: launch, under: manifest))
        }
        links[app]?.watch.launches(launch.run)
        let frame = links[app]?.session.launch(
            launch.run, task: launch.task, kind: launch.kind, deadline: state.deadline(of: launch.run),
            label: launch.label)
        if let frame { sendAwake(frame, to: app) }
    }

    /// Its limit and its grace; nil: it may go on for as long as it gets on.
    private static func mostTime(of launch: Launch, under manifest: Manifest) -> Duration? {
        let names = [launch.task] + launch.task.wildcards
        let task = names.lazy.compactMap { name in manifest.tasks.first { $0.identifier == name } }.first
        guard let task, let limit = task.timeLimit(of: launch.kind) else { return nil }
        return limit + task.grace
    }

    mutating func expire(_ run: RunID, _ app: AppIdentifier, _ reason: String) {
        if workers[app]?.runs[run] != nil { workers[app]?.runs[run]?.expired = clock.monotonic }
        if let frame = links[app]?.session.expire(run, reason: reason) { sendAwake(frame, to: app) }
    }

    private mutating func sendAwake(_ frame: HostFrame, to app: AppIdentifier) {
        wake(app)
        send(frame, to: app)
    }

    /// A process that has just died can't be told apart from a living one by the scheduler.
    mutating func resume(_ app: AppIdentifier) {
        if let phase = workers[app]?.phase, phase != .leaving, phase != .suspended,
            links[app]?.wantsSuspension == false
        {
            invariants.fault("\(app) is resumed while its worker is \(phase)")
        }
        wake(app)
    }

    mutating func suspend(_ app: AppIdentifier) {
        guard let worker = workers[app], worker.phase != .leaving else { return }
        if worker.phase != .warm {
            return invariants.fault("\(app) is suspended while its worker is \(worker.phase)")
        }
        if !worker.runs.isEmpty { invariants.fault("\(app) is suspended while it runs") }
        links[app]?.wantsSuspension = true
        trySuspend(app)
    }

    /// As the pool does: only when that holds up nobody, and else later.
    mutating func trySuspend(_ app: AppIdentifier) {
        guard let link = links[app], link.wantsSuspension, link.session.isReady,
            workers[app]?.phase == .warm
        else { return }
        if link.session.obstacle == nil {
            workers[app]?.phase = .suspended
        } else {
            agenda.add(.suspends(app, worker: link.worker), at: clock.monotonic + .seconds(1))
        }
    }

    private mutating func wake(_ app: AppIdentifier) {
        links[app]?.wantsSuspension = false
        proceed(app)
    }

    /// What it was about to do, and what stands in its socket, it goes on with.
    mutating func proceed(_ app: AppIdentifier) {
        guard workers[app]?.phase == .suspended, let number = workers[app]?.number else { return }
        workers[app]?.phase = .warm
        for matter in workers[app]?.postponed ?? [] { agenda.add(matter, at: clock.monotonic) }
        workers[app]?.postponed = []
        for _ in 0..<(links[app]?.toWorker.count ?? 0) {
            agenda.add(.read(app, worker: number), at: clock.monotonic)
        }
    }

    /// Asks the worker to end; if it does not, it is killed.
    mutating func evict(_ app: AppIdentifier) {
        guard let worker = workers[app], links[app]?.session.isEnding == false else { return }
        if !worker.runs.isEmpty { invariants.fault("\(app) is evicted while it runs") }
        sendAwake(.terminate, to: app)
        links[app]?.session.end(reason: "evicted by the host")
        links[app]?.watch.ends()
        guard workers[app]?.phase != .leaving else { return }
        agenda.add(.mustHaveEnded(app, worker: worker.number), at: clock.monotonic + .seconds(2))
    }

    mutating func kill(_ app: AppIdentifier, _ reason: String) {
        guard let worker = workers[app], worker.phase != .leaving else { return }
        invariants.check(killed: worker, of: app, reason, at: clock.monotonic)
        end(app, "killed by the host: \(reason)")
    }
}
