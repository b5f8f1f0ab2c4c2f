import LullModel
import LullScheduler

extension Simulation {
    mutating func carryOut(_ effect: Effect) {
        invariants.note(effect)
        switch effect {
        case .record(let event): note(record: event)
        case .startWorker(let app): start(app)
        case .resumeWorker(let app): change(app, from: .suspended, to: .warm, "resumed")
        case .suspendWorker(let app): change(app, from: .warm, to: .suspended, "suspended")
        case .evictWorker(let app): evict(app)
        case .killWorker(let app, let reason): kill(app, reason)
        case .launch(let launch): self.launch(launch)
        case .expire(let run, let app, _): expire(run, app)
        case .reply(_, let reply): note(reply: reply)
        case .arm(let deadline): armed = deadline
        case .sample(let sensors):
            if !sensors.subtracting(sampled).isEmpty { planSample() }
            sampled = sensors
        case .finished:
            isFinished = true
            if !workers.isEmpty { invariants.fault("finished while a worker is left") }
        }
    }

    /// What a worker does by itself, once its time has come; of a worker that is gone, nothing.
    mutating func carryOn(_ matter: Agenda.Matter) {
        switch matter {
        case .started(let app, let number):
            guard workers[app]?.number == number, workers[app]?.phase == .starting else { return }
            finishStart(of: app)
        case .exited(let app, let number, let sentence):
            guard workers[app]?.number == number else { return }
            workers[app] = nil
            handle(.workerExited(app, sentence: sentence))
        case .returned(let run, let number):
            guard workers.values.contains(where: { $0.number == number && $0.runs[run] != nil }) else {
                return
            }
            handle(.launchReturned(run))
        case .submits(let run, let app, let number):
            guard workers[app]?.number == number, let task = workers[app]?.runs[run] else { return }
            for model in handler(of: task).submits where workers[app]?.number == number {
                submit(model.submission(of: app, at: clock.wall))
            }
        case .completes(let run, let app, let number, let success):
            guard workers[app]?.number == number, workers[app]?.runs.removeValue(forKey: run) != nil else {
                return
            }
            handle(.completed(run, success: success, summary: success ? "done" : "could not do it"))
        case .crashes(let run, let app, let number):
            guard workers[app]?.number == number, workers[app]?.runs[run] != nil else { return }
            leave(app, "ended by signal 6 (SIGABRT)", after: .zero)
        case .withdrawn(let token):
            if invariants.isUnanswered(token) {
                handle(.withdrawn(reply: token))
                invariants.withdraw(token)
            }
        case .samples: sample()
        }
    }

    /// The process is gone, and with it its runs; the host hears of it after a while.
    mutating func leave(_ app: AppIdentifier, _ sentence: String, after wait: Duration) {
        guard let number = workers[app]?.number else { return }
        workers[app]?.phase = .leaving
        workers[app]?.runs = [:]
        agenda.add(.exited(app, worker: number, sentence), at: clock.monotonic + wait)
    }

    /// Says what changed, as far as Linux has an event for it or the sensor is sampled.
    mutating func tellConditions() {
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

    private mutating func planSample() {
        agenda.removeAll { $0 == .samples }
        agenda.add(.samples, at: clock.monotonic + .seconds(30))
    }

    private mutating func sample() {
        tellConditions()
        if !sampled.isEmpty, told != conditions { planSample() }
    }

    private mutating func start(_ app: AppIdentifier) {
        guard workers[app] == nil else { return invariants.fault("\(app) is started while it has a worker") }
        workersStarted += 1
        workers[app] = VirtualWorker(number: workersStarted)
        let wait = Int64.random(in: plugin(of: app).startMilliseconds, using: &random)
        agenda.add(.started(app, worker: workersStarted), at: clock.monotonic + .milliseconds(wait))
    }

    private mutating func finishStart(of app: AppIdentifier) {
        let plugin = plugin(of: app)
        if let trouble = plugin.trouble {
            workers[app] = nil
            handle(.workerFailed(app, sentence: trouble))
            return
        }
        let number = workers[app]?.number
        for model in plugin.submitsOnStart where workers[app]?.number == number {
            submit(model.submission(of: app, at: clock.wall))
        }
        guard workers[app]?.number == number, workers[app]?.phase == .starting else { return }
        workers[app]?.phase = .warm
        let tasks = invariants.manifest.tasks.filter { $0.app == app }.map(\.identifier)
        handle(.workerReady(app, registered: plugin.registers ?? tasks))
    }

    private mutating func change(
        _ app: AppIdentifier, from old: VirtualWorker.Phase, to new: VirtualWorker.Phase, _ word: String
    ) {
        guard let worker = workers[app], worker.phase == old else {
            // A process that has just died can't be told apart from a living one by the scheduler.
            if workers[app]?.phase != .leaving {
                invariants.fault(
                    "\(app) is \(word) while its worker is \(workers[app].map { "\($0.phase)" } ?? "gone")")
            }
            return
        }
        if new == .suspended && !worker.runs.isEmpty { invariants.fault("\(app) is suspended while it runs") }
        workers[app]?.phase = new
    }

    private mutating func evict(_ app: AppIdentifier) {
        guard let worker = workers[app] else { return invariants.fault("\(app) is evicted without a worker") }
        if !worker.runs.isEmpty { invariants.fault("\(app) is evicted while it runs") }
        if worker.phase != .leaving { leave(app, "ended by itself (status 0)", after: .milliseconds(5)) }
    }

    private mutating func kill(_ app: AppIdentifier, _ reason: String) {
        guard let worker = workers[app] else { return invariants.fault("\(app) is killed without a worker") }
        if worker.phase != .leaving { leave(app, "ended by signal 9 (SIGKILL)", after: .milliseconds(5)) }
    }

    private mutating func launch(_ launch: Launch) {
        note(
            launch: Trace.Launched(
                time: clock.wall, trueTime: clock.trueTime, task: launch.task, app: launch.app,
                run: launch.run,
                kind: launch.kind, request: launch.request))
        guard let worker = workers[launch.app], worker.phase == .warm || worker.phase == .leaving else {
            return invariants.fault("\(launch.task) is launched without a worker that could run it")
        }
        guard worker.phase == .warm else { return }
        let model = handler(of: launch.task)
        workers[launch.app]?.runs[launch.run] = launch.task
        let (run, app, number) = (launch.run, launch.app, worker.number)
        let length = Int64.random(in: model.milliseconds, using: &random)
        agenda.add(.returned(run, worker: number), at: clock.monotonic + .milliseconds(1))
        agenda.add(.submits(run, app, worker: number), at: clock.monotonic + .milliseconds(1))
        let end = clock.monotonic + .milliseconds(max(2, length))
        if random.chance(model.hangs) {
            workers[app]?.hanging.insert(run)
        } else if random.chance(model.crashes) {
            agenda.add(.crashes(run, app, worker: number), at: end)
        } else {
            agenda.add(.completes(run, app, worker: number, success: !random.chance(model.fails)), at: end)
        }
    }

    private mutating func expire(_ run: RunID, _ app: AppIdentifier) {
        guard let worker = workers[app], worker.phase != .leaving else { return }
        guard let task = worker.runs[run] else {
            return invariants.fault("run \(run) is expired after its end")
        }
        guard !worker.hanging.contains(run) else { return }
        let wait = Int64.random(in: handler(of: task).heedsExpirationMilliseconds, using: &random)
        agenda.add(
            .completes(run, app, worker: worker.number, success: false),
            at: clock.monotonic + .milliseconds(wait))
    }

    private func plugin(of app: AppIdentifier) -> PluginModel { world.plugins[app] ?? PluginModel() }
    private func handler(of task: TaskIdentifier) -> HandlerModel { world.handlers[task] ?? HandlerModel() }
}
