import LullModel

/// Which transfers are under way: they begin while their gates are open, and stop when one of `endingTransfers` closes.
extension SchedulerState {
    private static let retry = TaskDefinition.Retry(first: .seconds(5), max: .hours(1))
    /// After an attempt that brought this many bytes the next one follows at once.
    private static let gotOn: Int64 = 256 << 10

    mutating func touchTransfers(of app: AppIdentifier) {
        guard transfers[app]?.isTouched == false else { return }
        transfers[app]?.isTouched = true
        touched.add(transfersOf: app)
    }

    /// Reviews the transfers that a change of these sensors may concern.
    mutating func touchTransfers(watching sensors: SensorSet) {
        guard !transfers.isEmpty else { return }
        let isOther = sensors.contains(.network)
        if isOther { transfers.noteNetwork(at: now.wall) }
        for app in transfers.owners {
            guard let appTransfers = transfers[app] else { continue }
            // A transfer that waits for its next attempt watches no sensor, and is tried at once over another network.
            if isOther && !appTransfers.waiting.isEmpty || !appTransfers.watching.isDisjoint(with: sensors) {
                touchTransfers(of: app)
            }
        }
    }

    /// What the gates say of transfers of one need.
    private struct Look {
        let evaluation: Evaluation
        /// The gate that ends active transfers; nil: none.
        let ends: GateFinding?
    }

    /// Transfers with an equal value share a look at the gates: those that have waited for the starvation bound have
    /// their own.
    private struct Looking: Hashable {
        let need: TransferNeed
        let isStarved: Bool
    }

    private func look(_ state: TransferState, _ need: TransferNeed, tellsOpen: Bool = false) -> Look? {
        guard let input = transferInput(for: state, need, tellsOpen: tellsOpen) else { return nil }
        let evaluation = input.evaluate()
        let ends = evaluation.verdicts.first {
            !$0.isOpen && GateInput.endingTransfers.contains($0.gate)
        }
        return Look(evaluation: evaluation, ends: ends)
    }

    func transferInput(for state: TransferState, _ need: TransferNeed, tellsOpen: Bool = false) -> GateInput?
    {
        guard let task = TransferRules.task(of: state.app), listing.names(task), let place = place(of: task)
        else { return nil }
        var input = gateInput(for: task)
        input.tellsOpen = tellsOpen
        input = input.asked(for: state, need, by: manifest.apps[place.app].tasks[place.task])
        if let record = ledger.transfers.records[state.id] { input.record?.openSince = record.asked }
        return input
    }

    /// Begins and stops an app's transfers according to their gates.
    mutating func judgeTransfers(of app: AppIdentifier) {
        transfers[app]?.isTouched = false
        guard options.launches, listing.since != nil else { return }
        if let limit = transfers[app]?.limitAt, limit <= now.wall { limitTransfers(of: app) }
        // A transfer that has met its limit is not active any more.
        guard let appTransfers = transfers[app], let rules = self.app(app)?.transfers,
            let task = TransferRules.task(of: app),
            let bound = definition(of: task)?.starvationBound
        else { return }
        var looks: [Looking: Look] = [:]
        let glances = ledger.transfers.glances(of: app)
        func lookAt(_ id: TransferID, _ need: TransferNeed) -> Look? {
            guard let glance = glances[id] else { return nil }
            let looking = Looking(need: need, isStarved: now.wall - glance.asked >= bound)
            if let look = looks[looking] { return look }
            guard let state = ledger.transfers.records[id]?.state else { return nil }
            let look = self.look(state, need)
            looks[looking] = look
            return look
        }
        for (id, active) in appTransfers.active.sorted(by: { $0.key < $1.key }) {
            guard let look = lookAt(id, active.need), let gate = look.ends else { continue }
            interrupt(id, of: app, by: gate)
        }
        var next: WallTime?
        var room = transferRoom(of: app)
        var waitsForRoom = false
        var watched: SensorSet = []
        var sampled: SensorSet = []
        let places = max(1, rules.atOnce)
        if appTransfers.active.count >= places, !appTransfers.waiting.isEmpty {
            let time = now.monotonic
            let again = transfers[app]?.lookAtPaces(at: time, share: rules.rate.map { $0 / Int64(places) })
            next = again.map { now.wall + ($0 - now.monotonic) }
        }
        for id in transfers[app]?.waiting ?? [] {
            guard !isShuttingDown, transfers.count < Limits.transfersAtOnce,
                transfers[app]?.hasPlace(of: places) == true
            else { break }
            guard let glance = glances[id], glance.isWanted else { continue }
            if let time = earliest(glance), time > now.wall {
                next = min(next ?? time, time)
                continue
            }
            guard let look = lookAt(id, glance.need) else { continue }
            if look.evaluation.isReady {
                guard let record = ledger.transfers.records[id] else { continue }
                guard shortage(of: record, in: room) == nil else {
                    waitsForRoom = true
                    continue
                }
                room = room.map { $0 - toCome(of: record) }
                begin(record, glance.need, rules)
            } else {
                // The look may have been taken for a younger transfer.
                let starves = glance.asked + bound
                if starves > now.wall { next = min(next ?? starves, starves) }
            }
        }
        for look in looks.values {
            watched.formUnion(look.evaluation.watched)
            sampled.formUnion(look.evaluation.sampled)
            next = [next, look.evaluation.next].compactMap { $0 }.min()
        }
        transfers[app]?.waitsForRoom = waitsForRoom
        watch(app, watched, sampled)
        let limit = transfers[app]?.limitAt
        next = [next, limit].compactMap { $0 }.min().map { max($0, now.wall + .milliseconds(1)) }
        agenda[.transfers(app)] = next
    }

    private mutating func watch(_ app: AppIdentifier, _ watched: SensorSet, _ sampled: SensorSet) {
        watchers.changeSampling(from: transfers[app]?.sampling ?? [], to: sampled)
        transfers[app]?.watching = watched
        transfers[app]?.sampling = sampled
    }

    /// When the next attempt may begin; nil: at once. After a change of the network an interrupted transfer does not
    /// wait.
    func earliest(_ glance: TransferGlance) -> WallTime? {
        guard let notBefore = glance.notBefore else { return glance.earliestBegin }
        if let at = glance.interruptedAt, let changed = transfers.networkChangedAt, at <= changed {
            return glance.earliestBegin
        }
        return max(notBefore, glance.earliestBegin ?? notBefore)
    }

    private mutating func begin(_ record: TransferRecord, _ need: TransferNeed, _ rules: TransferRules) {
        let state = record.state
        let attempt = transfers.nextAttempt()
        let progress = progress(of: state)
        let active = AppTransfers.Active(
            attempt: attempt, since: now.monotonic, before: progress.received, progress: progress, need: need)
        withTransfers(of: state.app) { appTransfers in
            appTransfers.waiting.take(state.id)
            appTransfers.active[state.id] = active
        }
        let task = TransferRules.task(of: state.app).flatMap { definition(of: $0) }
        turn.effects.append(
            .beginTransfer(
                state.app,
                TransferStart(
                    id: state.id, attempt: attempt, stem: state.stem, folder: "", order: state.order,
                    rules: rules, answers: record.answers ?? [],
                    keepsFree: Limits.transferDiskRoom + (task?.requires.diskFree ?? 0),
                    room: folderRoom(of: state.app))))
    }

    mutating func stopTransfer(_ id: TransferID, of app: AppIdentifier, keepsPart: Bool) {
        guard transfers[app]?.active[id] != nil else { return }
        endAttempt(id, of: app)
        turn.effects.append(.stopTransfer(app, id, keepsPart: keepsPart))
    }

    /// Ends an attempt. There is room for one more then, which may be another app's.
    private mutating func endAttempt(_ id: TransferID, of app: AppIdentifier) {
        let wasFull = transfers.count >= Limits.transfersAtOnce
        if let ended = transfers[app]?.active.removeValue(forKey: id) {
            transfers[app]?.last[id] = ended.progress
        }
        guard wasFull else { return }
        for app in transfers.owners where transfers[app]?.waiting.isEmpty == false {
            touchTransfers(of: app)
        }
    }

    private mutating func interrupt(_ id: TransferID, of app: AppIdentifier, by gate: GateFinding) {
        let received = transfers[app]?.active[id]?.progress.received ?? 0
        let state = ledger.transfers.records[id]?.state
        let reason = state.flatMap { state in
            transferInput(for: state, TransferNeed(state.order)).map { $0.told(gate).reason }
        }
        note(.interrupted(id, until: now.wall, received: received), of: app, reason)
        stopTransfer(id, of: app, keepsPart: true)
        withTransfers(of: app) { $0.wait(id) }
    }

    /// Handles the news of an attempt from the process that transfers.
    mutating func heard(_ id: TransferID, attempt: UInt64, _ news: TransferNews) {
        guard let state = ledger.transfers.records[id]?.state else { return }
        let app = state.app
        guard let active = transfers[app]?.active[id] else {
            if attempt == TransferNews.found { found(state, news.received ?? 0) }
            return
        }
        guard active.attempt == attempt || Mutation.believesOldNews.isOn else { return }
        if let received = news.received {
            transfers[app]?.added += received - active.progress.received
        }
        if case .progressed(let progress) = news {
            transfers[app]?.active[id]?.progress = progress
            return tellOfProgress(of: app, id)
        }
        endAttempt(id, of: app)
        switch news {
        case .progressed: break
        case .finished(var result):
            // The host keeps the headers from servers until the app takes them, so their size is limited.
            if ledger.transfers.bytes(of: app) > 2 * Limits.transferTextBytes { result.headers = [] }
            note(.finished(id, result), of: app)
        case .failed(let failure): fail(id, of: app, failure)
        case .challenged(let challenge): challenged(id, of: app, challenge)
        case .interrupted(let sentence, let retryAfter, let received):
            // A process that was killed can't report how far it was.
            retry(id, of: app, sentence, retryAfter, received: max(received, active.progress.received))
        }
        touchTransfers(of: app)
        tellOfTransfers(of: app, id)
    }

    private mutating func found(_ state: TransferState, _ received: Int64) {
        guard !state.phase.isOver, state.order.direction == .download else { return }
        var progress = state.progress
        progress.received = received
        withTransfers(of: state.app) { $0.last[state.id] = progress }
    }

    /// An app that does not answer challenges is not launched for one: the default applies, as in Apple's API.
    private mutating func challenged(
        _ id: TransferID, of app: AppIdentifier, _ challenge: TransferChallenge
    ) {
        let isUnanswered = ledger.transfers.isUnanswered(challenge, of: id)
        note(.challenged(id, challenge), of: app)
        guard isUnanswered, !Mutation.asksTheMute.isOn else { return }
        note(.answered(id, .byDefault), of: app, "the app does not answer challenges")
        withTransfers(of: app) { $0.wait(id) }
    }

    private mutating func retry(
        _ id: TransferID, of app: AppIdentifier, _ sentence: String, _ retryAfter: Duration?, received: Int64
    ) {
        guard let state = ledger.transfers.records[id]?.state else { return }
        let attempts = received > state.progress.received ? 1 : state.attempts + 1
        let own =
            received - state.progress.received >= Self.gotOn
            ? .zero : Backoff(retry: Self.retry).delay(after: attempts)
        let asked = min(retryAfter ?? .zero, .days(1))
        note(
            .interrupted(id, until: now.wall + max(own, asked), received: received), of: app, sentence)
        transfers[app]?.last[id]?.received = received
        if !Mutation.forgetsInterruptedTransfers.isOn { withTransfers(of: app) { $0.wait(id) } }
    }

    mutating func fail(_ id: TransferID, of app: AppIdentifier, _ failure: TransferFailure) {
        note(.failed(id, failure), of: app, failure.sentence)
        guard let reason = ledger.transfers.records[id]?.state.failureReason,
            let task = TransferRules.task(of: app)
        else { return }
        tell(.failed, HistoryEvent(.transfer, at: now.wall, app: app, task: task), reason)
    }
}
