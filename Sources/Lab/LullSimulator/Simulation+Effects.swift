import LullModel
import LullScheduler

/// The effects of decisions on what surrounds the scheduler.
extension Simulation {
    mutating func carryOut(_ effect: Effect, of frame: Frame) {
        invariants.note(effect, of: frame)
        switch effect {
        // Taken out before anything waits.
        case .record, .arm, .sample, .keepWorker: break
        case .startWorker(let worker): start(worker)
        case .comparePlugin(let worker):
            handle(.pluginCompared(worker, stamp: manifest.virtualStamps[worker.app]))
        case .resumeWorker(let worker): resume(worker)
        case .suspendWorker(let worker): suspend(worker)
        case .evictWorker(let worker): evict(worker)
        case .killWorker(let worker, let reason): kill(worker, reason)
        case .launch(let launch):
            invariants.check(launch, in: workers[launch.worker]?.entry, frame)
            self.launch(launch, under: frame.manifest)
        case .expire(let run, let worker, let reason):
            expire(run, worker, reason)
            handle(.carriedOut(.expire(run)))
        case .reply(let token, let reply):
            tell { "= \(token.number): \(reply)" }
            trace.note(reply)
            answer(token, reply)
        case .deliver(let delivery): deliver(delivery)
        case .ping(let ping): agenda.add(.pinged(ping.name, host: hosts), at: clock.monotonic + .seconds(1))
        case .beginTransfer(let app, let start): begin(start, of: app)
        case .stopTransfer(_, let id, let keepsPart): stopTransfer(id, keepsPart: keepsPart)
        case .removeTransferFiles(_, let stem, _): virtualTransfers.done[stem] = nil
        case .tellTransfers(let worker, let session): tellTransfers(session, worker)
        case .askFleet(let number, let call):
            let answer = fleet.answer(call, at: clock.trueTime)
            agenda.add(.answered(number, answer, host: hosts), at: clock.monotonic)
        case .finished: finish()
        }
    }

    /// A sink takes a moment, and some tries fail.
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
        noteSight(.stopped, by: clock)
        restart(down: down)
    }

    /// Reports the change, as far as Linux has an event for it or the sensor is sampled.
    mutating func change(to new: Conditions) {
        conditions = new
        tellConditions()
    }

    /// Sensors whose changes have no event, and show only when they are sampled.
    private static let silent: Set<Conditions.Sensor> = [.load, .disk, .memory]

    private mutating func tellConditions() {
        var new = told
        for sensor in Conditions.Sensor.allCases
        where !Self.silent.contains(sensor) || sampled.contains(sensor) {
            new.copy(sensor, from: conditions)
        }
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

    func plugin(of app: AppIdentifier) -> PluginModel { world.plugins[app] ?? PluginModel() }
    func handler(of task: TaskIdentifier) -> HandlerModel { world.handlers[task] ?? HandlerModel() }
}
