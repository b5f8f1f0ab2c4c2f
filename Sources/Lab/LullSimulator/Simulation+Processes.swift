import LullModel
import LullScheduler
import LullWire

/// The host's actions on its workers.
extension Simulation {
    mutating func start(_ id: WorkerID) {
        guard workers[id] == nil else {
            return invariants.fault("\(id) is started twice")
        }
        workersStarted += 1
        workers[id] = VirtualWorker(number: workersStarted, began: clock.monotonic)
        introduce(id, worker: workersStarted)
        let wait = Int64.random(in: plugin(of: id.app).startMilliseconds, using: &random)
        agenda.add(.started(id, worker: workersStarted), at: clock.monotonic + .milliseconds(wait))
        handle(.carriedOut(.startWorker(id)))
    }

    private mutating func introduce(_ id: WorkerID, worker: Int) {
        let entry = manifest.apps.first { $0.identifier == id.app }
        let tasks = entry?.tasks ?? []
        workers[id]?.entry = entry
        let permits = tasks.map { SessionPermit(task: $0.identifier, kind: $0.kind, settings: "{}") }
        let session = WorkerSession(app: id.app, permits: permits)
        let kinds = Dictionary(tasks.map { ($0.identifier, $0.kind) }) { first, _ in first }
        links[id] = VirtualLink(worker: worker, session: session, watch: WireWatch(permits: kinds))
        let welcome = HostFrame.Welcome(
            app: id.app.text, plugin: "/plugins/\(id.app).so", stateFolder: "/state/\(id.app)", nice: 0,
            settingsBytes: 0, permits: 0)
        for frame in session.opening(
            welcome, confinement: [.confine(WireConfinement())], settings: "{}")
        {
            send(frame, to: id)
        }
    }

    mutating func launch(_ launch: Launch, under manifest: Manifest) {
        // Its worker may have ended while the record was written.
        guard state.isRunning(launch.run) else { return }
        handle(.carriedOut(.launch(launch.run)))
        trace.note(
            Trace.Launched(
                time: clock.wall, trueTime: clock.trueTime, task: launch.task, app: launch.app,
                run: launch.run,
                kind: launch.kind, request: launch.request))
        let id = launch.worker
        guard let phase = workers[id]?.phase else { return }
        if phase == .starting {
            invariants.fault("\(launch.task) is launched in a worker that is starting")
        }
        workers[id]?.launches += 1
        if let worker = workers[id], worker.runsAlone, worker.launches > 1 {
            invariants.fault("\(launch.task) is launched in a worker that has had its one run")
        }
        if phase != .leaving {
            workers[id]?.runs[launch.run] = VirtualWorker.Run(
                task: launch.task, began: clock.monotonic, most: Self.mostTime(of: launch, under: manifest))
        }
        links[id]?.watch.launches(launch.run)
        let frame = links[id]?.session.launch(
            launch.run, task: launch.task, kind: launch.kind, deadline: state.deadline(of: launch.run),
            label: launch.label, origin: launch.origin, push: launch.push)
        if let frame { sendAwake(frame, to: id) }
    }

    /// The limit and the grace of a run; nil: it may go on for as long as it makes progress.
    private static func mostTime(of launch: Launch, under manifest: Manifest) -> Duration? {
        let names = [launch.task] + launch.task.wildcards
        let task = names.lazy.compactMap { name in manifest.tasks.first { $0.identifier == name } }.first
        guard let task, let limit = task.timeLimit(of: launch.kind) else { return nil }
        return limit + task.grace
    }

    mutating func expire(_ run: RunID, _ id: WorkerID, _ reason: String) {
        if workers[id]?.runs[run] != nil { workers[id]?.runs[run]?.expired = clock.monotonic }
        if let frame = links[id]?.session.expire(run, reason: reason) { sendAwake(frame, to: id) }
    }

    private mutating func sendAwake(_ frame: HostFrame, to id: WorkerID) {
        wake(id)
        send(frame, to: id)
    }

    /// The scheduler can't tell a process that has just died from a living one.
    mutating func resume(_ id: WorkerID) {
        if let phase = workers[id]?.phase, phase != .leaving, phase != .suspended,
            links[id]?.wantsSuspension == false
        {
            invariants.fault("\(id) is resumed while its worker is \(phase)")
        }
        wake(id)
    }

    mutating func suspend(_ id: WorkerID) {
        guard let worker = workers[id], worker.phase != .leaving else { return }
        if worker.phase != .warm {
            return invariants.fault("\(id) is suspended while its worker is \(worker.phase)")
        }
        if !worker.runs.isEmpty { invariants.fault("\(id) is suspended while it runs") }
        links[id]?.wantsSuspension = true
        trySuspend(id)
    }

    /// Suspends as the pool does: only if nothing of the session stands in the way, and else later.
    mutating func trySuspend(_ id: WorkerID) {
        guard let link = links[id], link.wantsSuspension, link.session.isReady,
            workers[id]?.phase == .warm
        else { return }
        if link.session.obstacle == nil {
            workers[id]?.phase = .suspended
        } else {
            agenda.add(.suspends(id, worker: link.worker), at: clock.monotonic + .seconds(1))
        }
    }

    private mutating func wake(_ id: WorkerID) {
        links[id]?.wantsSuspension = false
        proceed(id)
    }

    /// Lets a worker go on, with the actions that it had postponed and the frames in its socket.
    mutating func proceed(_ id: WorkerID) {
        guard workers[id]?.phase == .suspended, let number = workers[id]?.number else { return }
        workers[id]?.phase = .warm
        for matter in workers[id]?.postponed ?? [] { agenda.add(matter, at: clock.monotonic) }
        workers[id]?.postponed = []
        for _ in 0..<(links[id]?.toWorker.count ?? 0) {
            agenda.add(.read(id, worker: number), at: clock.monotonic)
        }
    }

    /// Asks the worker to end; if it does not, it is killed.
    mutating func evict(_ id: WorkerID) {
        guard let worker = workers[id], links[id]?.session.isEnding == false else { return }
        if !worker.runs.isEmpty { invariants.fault("\(id) is evicted while it runs") }
        sendAwake(.terminate, to: id)
        links[id]?.session.end(reason: "evicted by the host")
        links[id]?.watch.ends()
        guard workers[id]?.phase != .leaving else { return }
        agenda.add(.mustHaveEnded(id, worker: worker.number), at: clock.monotonic + .seconds(2))
    }

    mutating func kill(_ id: WorkerID, _ reason: String) {
        guard let worker = workers[id], worker.phase != .leaving else { return }
        if !fillers.contains(id.app) {
            invariants.check(killed: worker, of: id.app, reason, at: clock.monotonic)
        }
        end(id, "killed by the host: \(reason)")
    }
}
