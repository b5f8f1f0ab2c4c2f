import LullModel
import LullScheduler

/// The effects of decisions on what surrounds the scheduler.
extension Simulation {
    mutating func carryOut(_ effect: Effect, of frame: Frame) {
        invariants.note(effect, of: frame)
        switch effect {
        // Taken out before anything waits.
        case .record, .arm, .sample: break
        case .startWorker(let app): start(app)
        case .resumeWorker(let app): change(app, from: .suspended, to: .warm, "resumed")
        case .suspendWorker(let app): change(app, from: .warm, to: .suspended, "suspended")
        case .evictWorker(let app): evict(app)
        case .killWorker(let app, let reason): kill(app, reason)
        case .launch(let launch): self.launch(launch)
        case .expire(let run, let app, _):
            expire(run, app)
            handle(.carriedOut(.expire(run)))
        case .reply(let token, let reply):
            tell { "= \(token.number): \(reply)" }
            trace.note(reply)
        case .deliver(let delivery): deliver(delivery)
        case .ping(let ping): agenda.add(.pinged(ping.name, host: hosts), at: clock.monotonic + .seconds(1))
        case .finished: finish()
        }
    }

    /// A sink takes a moment, and not every try.
    private mutating func deliver(_ delivery: Delivery) {
        let wait = Int64.random(in: 5...2_000, using: &random)
        let fails = Int.random(in: 0..<8, using: &random) == 0
        agenda.add(
            .delivered(delivery.notice.id, host: hosts, trouble: fails ? "it does not answer" : nil),
            at: clock.monotonic + .milliseconds(wait))
    }

    private mutating func finish() {
        if !workers.isEmpty { invariants.fault("finished while a worker is left") }
        guard let down = startsAgain else {
            isFinished = true
            return
        }
        seen = sight
        restart(down: down)
    }

    /// Says what changed, as far as Linux has an event for it or the sensor is sampled.
    mutating func change(to new: Conditions) {
        conditions = new
        tellConditions()
    }

    private mutating func tellConditions() {
        var new = told
        new.externalPower = conditions.externalPower
        new.battery = conditions.battery
        new.network = conditions.network
        new.presence = conditions.presence
        if sampled.contains(.load) {
            new.load = conditions.load
            new.cpuPressure = conditions.cpuPressure
        }
        if sampled.contains(.disk) { new.diskFree = conditions.diskFree }
        if sampled.contains(.memory) { new.memoryPressure = conditions.memoryPressure }
        guard new != told else { return }
        told = new
        handle(.conditionsChanged(new))
    }

    mutating func sample(_ sensors: Set<Conditions.Sensor>) {
        if !sensors.subtracting(sampled).isEmpty { planSample() }
        sampled = sensors
    }

    private mutating func planSample() {
        agenda.removeAll { $0 == .samples }
        agenda.add(.samples, at: clock.monotonic + .seconds(30))
    }

    mutating func takeSample() {
        tellConditions()
        if !sampled.isEmpty, told != conditions { planSample() }
    }

    private mutating func start(_ app: AppIdentifier) {
        guard workers[app] == nil else { return invariants.fault("\(app) is started while it has a worker") }
        workersStarted += 1
        workers[app] = VirtualWorker(number: workersStarted, began: clock.monotonic)
        let wait = Int64.random(in: plugin(of: app).startMilliseconds, using: &random)
        agenda.add(.started(app, worker: workersStarted), at: clock.monotonic + .milliseconds(wait))
        handle(.carriedOut(.startWorker(app)))
    }

    private mutating func change(
        _ app: AppIdentifier, from old: VirtualWorker.Phase, to new: VirtualWorker.Phase, _ word: String
    ) {
        guard let worker = workers[app], worker.phase == old else {
            // A process that has just died can't be told apart from a living one by the scheduler.
            if let phase = workers[app]?.phase, phase != .leaving {
                invariants.fault("\(app) is \(word) while its worker is \(phase)")
            }
            return
        }
        if new == .suspended && !worker.runs.isEmpty { invariants.fault("\(app) is suspended while it runs") }
        workers[app]?.phase = new
    }

    private mutating func evict(_ app: AppIdentifier) {
        guard let worker = workers[app] else { return }
        if !worker.runs.isEmpty { invariants.fault("\(app) is evicted while it runs") }
        if worker.phase != .leaving { leave(app, "ended by itself (status 0)", after: .milliseconds(5)) }
    }

    private mutating func kill(_ app: AppIdentifier, _ reason: String) {
        guard let worker = workers[app] else { return }
        if worker.phase == .leaving { return }
        invariants.check(killed: worker, of: app, reason, at: clock.monotonic)
        leave(app, "ended by signal 9 (SIGKILL)", after: .milliseconds(5))
    }

    private mutating func launch(_ launch: Launch) {
        // Its worker may have ended while the record was written, and another of the app may have been started.
        guard state.isRunning(launch.run) else { return }
        handle(.carriedOut(.launch(launch.run)))
        trace.note(
            Trace.Launched(
                time: clock.wall, trueTime: clock.trueTime, task: launch.task, app: launch.app,
                run: launch.run,
                kind: launch.kind, request: launch.request))
        guard let worker = workers[launch.app] else { return }
        guard worker.phase != .leaving else { return }
        guard worker.phase == .warm else {
            return invariants.fault("\(launch.task) is launched in a worker that is \(worker.phase)")
        }
        let model = handler(of: launch.task)
        workers[launch.app]?.runs[launch.run] = VirtualWorker.Run(task: launch.task, began: clock.monotonic)
        let (run, app, number) = (launch.run, launch.app, worker.number)
        let length = Int64.random(in: model.milliseconds, using: &random)
        let end = clock.monotonic + .milliseconds(max(2, length))
        if random.chance(model.hangsInLaunch) {
            workers[app]?.runs[run]?.hangs = true
            return
        }
        agenda.add(.returned(run, worker: number), at: clock.monotonic + .milliseconds(1))
        agenda.add(.submits(run, app, worker: number), at: clock.monotonic + .milliseconds(1))
        if launch.kind == .continued {
            agenda.add(.progresses(run, app, worker: number, 1), at: clock.monotonic + .seconds(20))
        }
        if random.chance(model.hangs) {
            workers[app]?.runs[run]?.hangs = true
        } else if random.chance(model.crashes) {
            agenda.add(.crashes(run, app, worker: number), at: end)
        } else {
            agenda.add(.completes(run, app, worker: number, success: !random.chance(model.fails)), at: end)
        }
    }

    private mutating func expire(_ run: RunID, _ app: AppIdentifier) {
        guard let worker = workers[app], worker.phase != .leaving else { return }
        // Its completion may be on its way.
        guard let known = worker.runs[run] else { return }
        workers[app]?.runs[run]?.expired = clock.monotonic
        guard !known.hangs else { return }
        let wait = Int64.random(in: handler(of: known.task).heedsExpirationMilliseconds, using: &random)
        agenda.add(
            .completes(run, app, worker: worker.number, success: false),
            at: clock.monotonic + .milliseconds(wait))
    }

    func plugin(of app: AppIdentifier) -> PluginModel { world.plugins[app] ?? PluginModel() }
    func handler(of task: TaskIdentifier) -> HandlerModel { world.handlers[task] ?? HandlerModel() }
}
