import Glibc
import LullHistory
import LullManifest
import LullModel
import LullScheduler
import LullSystem

/// Puts manifests in force, handles signals, writes checkpoints, and ends a pass.
extension Host {
    /// Puts a manifest in force, and calls `then`.
    ///
    /// First the uses in its logs are read, so that the first launches are chosen by all that is known, and no app
    /// counts as idle whose last uses have yet to be read. The loop goes on meanwhile.
    func take(_ manifest: Manifest, then: @escaping () -> Void) {
        let files = ManifestFiles(path: configuration.manifestPath, manifest)
        // New files are watched from now on; the same ones since before they were read.
        if files != manifestFiles {
            manifestFiles = files
            manifestWatch?.note()
        }
        var isInForce = false
        followUsage(manifest) { [unowned self] in
            isInForce = true
            lookAtLimitedFolders(of: manifest) { [unowned self] in
                if !isShuttingDown { put(inForce: manifest) }
                then()
            }
        }
        if !isInForce { configuration.manager?.status("Reading uses from logs.") }
    }

    private func put(inForce manifest: Manifest) {
        let before = self.manifest
        self.manifest = manifest
        forgetPushHindrances(of: before)
        configuration.state.keep(inForce: manifest)
        onManifest?(manifest)
        judgeSettings()
        outputs.limit = manifest.retention.outputBytes
        loadZones()
        joinFleet(of: manifest)
        handle(.manifestLoaded(manifest, stamps: PluginStamp.all(of: manifest.apps)))
        watchTransferRoom()
        followFleet(of: manifest)
        watchEvents()
        noteChange()
        // Reading it needed memory that nothing else does.
        memoryGivenBack = nil
    }

    /// A changed file is read as after SIGHUP; one with an error leaves the old manifest in force.
    func watchManifest() {
        manifestWatch = FilesWatch(
            loop: loop, files: { [unowned self] in manifestFiles.now }
        ) { [unowned self] in
            guard !isShuttingDown else { return }
            reload()
        }
        if manifestWatch == nil {
            logger.warning(
                "Changes of \(configuration.manifestPath) can't be watched, because this process may open no more files; `lull reload` reads it again. Raise LimitNOFILE."
            )
        }
    }

    func received(_ signal: Int32) {
        switch signal {
        case SIGHUP: reload()
        default:
            guard !isShuttingDown else {
                // A second signal does not wait for a disk that is full or does not answer.
                if isClosing || isCommitFailing || storeTrouble != nil { giveUp() }
                return
            }
            logger.notice("Shutting down: current runs are told to end.")
            shutDown()
        }
    }

    func shutDown() {
        guard !isShuttingDown else { return }
        isShuttingDown = true
        configuration.manager?.stopping("Current runs are told to end.")
        lastReport = scheduler.report(at: now)
        handle(.shutdown)
        pool?.leaveNothing()
    }

    /// The first thing to do once everything is set up.
    func begin() {
        guard !isShuttingDown else { return }
        hasBegun = true
        configuration.manager?.ready(serviceStatus)
        let held = self.held
        self.held = []
        for put in held { put() }
        guard case .launch(let task, let instead, let params, let by) = configuration.goal else {
            return restIfQuiet()
        }
        handle(
            .launchRequested(
                task, instead: instead, params: params,
                reply: replies.expect { [unowned self] reply in
                    switch reply {
                    case .refused(let refusal):
                        pass.answer = refusal.sentence
                        pass.wasRefused = true
                    case .done(let sentence), .unchanged(let sentence): pass.answer = sentence
                    case .launched(_, let next): pass.answer = next
                    case .accepted, .transfer: break
                    }
                }), by: by)
        restIfQuiet()
    }

    /// What `systemctl status` shows.
    var serviceStatus: String {
        let running = scheduler.runCount
        return Sentences.size(of: manifest) + (running > 0 ? "; \(running) under way" : "")
    }

    /// A pass is over once every worker that starts has started, every run has ended and all of it is durable. A
    /// service gives back memory that it does not need for the long wait that follows.
    func restIfQuiet() {
        guard hasBegun, !isShuttingDown, commits.isQuiet, reads.isQuiet, imports.isEmpty, !scheduler.isBusy
        else {
            return
        }
        configuration.goal == .service ? giveBackMemory() : shutDown()
    }

    /// Not before a short wait, nor often: what runs next has to map its code again.
    private func giveBackMemory() {
        let now = self.now
        let soon: Duration = .minutes(1)
        if let wake = armed.wall, wake - now.wall < soon { return }
        if let wake = armed.monotonic, wake - now.monotonic < soon { return }
        if let memoryGivenBack, now.monotonic - memoryGivenBack < .minutes(10) { return }
        memoryGivenBack = now.monotonic
        history.giveBackMemory()
        OwnMemory.giveBack()
    }

    private static let triesOfEnd = 3

    func historyTrouble(_ error: HistoryError?) {
        guard !isClosing else { return }
        guard let error else {
            storeRecovered()
            if isCommitFailing { logger.notice("The history records events again.") }
            isCommitFailing = false
            failedCommits = 0
            if disk.isFull {
                disk.isFull = false
                lookAtDisk()
            }
            if eventsSinceCheckpoint >= LedgerStore.checkpointInterval(scheduler.ledger) { checkpoint() }
            return
        }
        // A new start of the host can recover.
        if error.isStateLost { return endWithoutState(error) }
        if !isCommitFailing {
            logger.error("\(error.message) \(error.fix) Nothing is launched until it can be written.")
        }
        isCommitFailing = true
        failedCommits += 1
        if case .full = error {
            disk.isFull = true
            lookAtDisk()
        }
        // A service waits for the disk. A pass that cron started would only be in the next one's way, and a host that
        // was asked to end would never end.
        if configuration.goal != .service || isShuttingDown, failedCommits >= Self.triesOfEnd {
            return giveUp()
        }
        retryAt = Clock.monotonic + .seconds(5)
        armLoop()
    }

    /// Ends although the history can't be written: nothing that it lacks was ever acknowledged.
    private func giveUp() {
        guard !isFinished, !isClosing else { return hurry() }
        logger.error("Gave up: current runs are killed, and what they did is not recorded.")
        isCommitFailing = true
        pool?.killAll(reason: "the history can't be written")
        isFinished = true
        loop.stop()
    }

    /// Folds the log into a checkpoint, and deletes what is older than it has to be kept.
    func checkpoint() {
        guard eventsSinceCheckpoint > 0, !isCommitFailing, !scheduler.isDiskFull, verifyState() else {
            return
        }
        eventsSinceCheckpoint = 0
        guard let data = try? LedgerStore.encode(scheduler.ledger) else {
            logger.error("The ledger can't be written as a checkpoint; the next start folds the whole log.")
            return
        }
        commits.add(HistoryBatch(checkpoint: Checkpoint(version: Ledger.version, data: data)), then: nil)
        prune()
    }
}
