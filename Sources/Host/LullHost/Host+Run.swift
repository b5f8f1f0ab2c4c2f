import LullConditions
import LullControl
import LullHistory
import LullModel
import LullNotices
import LullSystem
import LullWorkers

extension Host {
    /// Runs until SIGTERM or, for a pass, until nothing is left to do; then nothing of it is left behind.
    public func run() throws(HostError) -> HostResult {
        do {
            signals = try Signals(Self.signalsHeard, on: loop) { [unowned self] in received($0) }
            control = try ControlServer(
                stateFolder: configuration.state.path, loop: loop, readers: configuration.readers,
                barring: { [unowned self] in pool?.refusal(ofClient: $0) },
                handler: { [unowned self] put in hear(by: put.asker) { put.put(to: $0) } })
            post = try Post(loop: loop, desktop: configuration.desktop)
            diskTimer = try LoopTimer(on: loop) { [unowned self] in lookAtDisk() }
            pool = try WorkerPool(
                loop: loop, executable: configuration.worker, stateFolder: configuration.state.path
            ) { [unowned self] in hear($1, of: $0) }
            pool?.endEarlier()
        } catch let error as LoopError {
            throw .loop(error)
        } catch let error as ControlError {
            throw .control(error)
        } catch {
            throw .worker(path: configuration.worker)
        }
        writer.keepReserve()
        configuration.state.remember(manifest: configuration.manifestPath)
        if [.service, .pass].contains(configuration.goal) {
            try configuration.state.share(with: configuration.readers)
        }
        loop.onFileShortage = { [weak self] in self?.fileShortageChanged() }
        stateWatch = StateWatch(configuration.state.path, loop: loop) { [unowned self] in
            verifyState()
        }
        if configuration.goal == .service {
            watchManifest()
            watchZone()
        }
        loop.onAlarm = { [unowned self] in alarm() }
        do throws(LoopError) {
            try configuration.manager?.guardLoop(loop)
        } catch {
            throw .loop(error)
        }
        let sensors = ConditionSensors(roots: configuration.roots, loop: loop)
        self.sensors = sensors
        sense(sensors.current())
        sensors.start { [unowned self] in
            sense($0)
            noteChange()
        }
        let begun = now
        for absence in sight.missed(
            by: scheduler.ledger, passInterval: configuration.passInterval, at: begun)
        {
            handle(.absent(absence))
        }
        retention = RetentionTimes(start: Clock.wall)
        // Once the absences are durable: else the next host has to find them again.
        commits.add(nil) { [unowned self] in
            sight.begin(configuration.goal, at: begun)
            restIfQuiet()
        }
        sweepTransferFiles()
        start()
        if !isFinished { loop.run() }
        if let stateTrouble { throw .history(stateTrouble) }
        if commits.isQuiet { usage?.save() }
        eventWatch?.save()
        keepRetention()
        sight.end(at: now)
        // Transfers that are under way go on without this host.
        transfers?.end()
        fleet?.end()
        closeHistory()
        control = nil
        return HostResult(
            report: lastReport ?? scheduler.report(at: now), pass: pass, trouble: isCommitFailing)
    }
}
