import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// Carries out the scheduler's effects, one case a line.
extension Host {
    func perform(_ effect: Effect) {
        noteOwnWork(effect)
        switch effect {
        case .record, .arm, .sample:
            // Taken out by `handle` before anything waits.
            break
        case .startWorker(let worker): startWorker(worker)
        case .comparePlugin(let worker): comparePlugin(of: worker)
        case .resumeWorker(let worker): pool?.resume(worker)
        case .suspendWorker(let worker): pool?.suspend(worker)
        case .evictWorker(let worker):
            if !callOffStart(of: worker) { pool?.evict(worker) }
        case .killWorker(let worker, let reason):
            if !callOffStart(of: worker) { pool?.kill(worker, reason: reason) }
        case .launch(let launch): self.launch(launch)
        case .keepWorker(let worker, let end): pool?.keep(worker, until: end)
        case .expire(let run, let worker, let reason):
            pool?.expire(run, in: worker, reason: reason)
            handle(.carriedOut(.expire(run)))
        case .reply(let token, let reply): replies.take(token)?(reply)
        case .deliver(let delivery): deliver(delivery)
        case .ping(let ping): give(ping)
        case .beginTransfer(let app, let start): begin(start, of: app)
        case .stopTransfer(_, let id, let keepsPart): transfers?.stop(id, keepsPart: keepsPart)
        case .removeTransferFiles(let app, let stem, let upload):
            removeTransferFiles(of: app, stem: stem, upload: upload)
        case .tellTransfers(let worker, let session): pool?.tellTransfers(session: session, of: worker)
        case .askFleet(let number, let call): ask(call, number)
        case .finished:
            isFinished = true
            loop.stop()
        }
    }

    private func launch(_ launch: Launch) {
        // Its worker may have ended while the record was written.
        guard scheduler.isRunning(launch.run) else { return }
        handle(.carriedOut(.launch(launch.run)))
        pool?.launch(
            launch.run, task: launch.task, kind: launch.kind, deadline: scheduler.deadline(of: launch.run),
            label: launch.label, origin: launch.origin, push: launch.push, in: launch.worker)
        watchDisk(usedBy: launch.app)
    }

    /// Notes the work that the host causes in an app, which does not count as use.
    private func noteOwnWork(_ effect: Effect) {
        switch effect {
        case .startWorker(let worker), .resumeWorker(let worker), .evictWorker(let worker),
            .killWorker(let worker, _):
            ownWork.touched(worker.app, at: Clock.monotonic)
        case .launch(let launch): ownWork.began(launch.app)
        case .record, .comparePlugin, .suspendWorker, .keepWorker, .expire, .reply, .arm, .sample, .deliver,
            .ping, .beginTransfer,
            .stopTransfer, .removeTransferFiles, .tellTransfers, .askFleet, .finished:
            break
        }
    }

    /// An event that is durable now.
    func recorded(_ event: HistoryEvent) {
        if event.event == .used { noteUse(event.app, at: event.time) }
        guard let run = event.run else { return }
        configuration.manager?.status(serviceStatus)
        switch event.event {
        case .completed, .failed, .interrupted:
            if disk.lastLooks.contains(event.app) { lookAtDisk() }
            // A run that an earlier host left unfinished is none of this host's.
            if event.event != .interrupted {
                pass.ended.append(event)
                ownWork.ended(event.app, at: Clock.monotonic)
            }
            // A service runs for long: only the history has its older runs.
            if configuration.goal == .service, pass.ended.count > 2_000 { pass.ended.removeFirst(1_000) }
            outputs.forget(run)
            tellFollowers()
            for tell in awaited.removeValue(forKey: run) ?? [] { tell(event) }
        default: break
        }
    }

    /// The outputs that go with these events: of runs that they end, and whatever else is ready.
    func outputs(with events: [HistoryEvent]) -> [OutputChunk] {
        for event in events {
            guard let run = event.run else { continue }
            switch event.event {
            case .launched:
                guard let worker = scheduler.worker(of: run) else { continue }
                outputs.begin(run, of: worker, isByHand: event.origin == .operator)
            case .completed, .failed: outputs.end(run, at: event.time)
            default: break
            }
        }
        let ready = outputs.takeReady()
        // The reserved room is for events, not for output.
        return scheduler.isDiskFull ? ready.map(\.withoutBytes) : ready
    }

    func arm(_ deadline: Deadline) {
        armed = deadline
        armLoop()
    }

    func armLoop() {
        let monotonic = [armed.monotonic, retryAt].compactMap { $0 }.min()
        loop.arm(wall: [armed.wall, retention.due].compactMap { $0 }.min(), monotonic: monotonic)
    }

    func alarm() {
        guard !isClosing else { return }
        if let due = retryAt, due <= Clock.monotonic {
            retryAt = nil
            commits.retry()
        }
        if retention.isDue(at: Clock.wall) { keepRetention() }
        examineIfIdle()
        refreshZones()
        handle(.wake)
    }
}
