public import LullModel

/// The reports on transfers for people and apps.
extension SchedulerState {
    /// The transfers of all apps if nil, in the order in which they were asked for.
    public func transferReports(of app: AppIdentifier?, at now: Now) -> [TransferReport] {
        var copy = self
        copy.turn.now = now
        let records =
            app.map { ledger.transfers.records(of: $0) }
            ?? ledger.transfers.records.values.sorted { $0.state.id < $1.state.id }
        return records.map { copy.report(of: $0) }
    }

    /// The app's transfers with their progress, of one session if not nil: at most `count` that were asked for after
    /// `after`.
    public func transfers(
        of app: AppIdentifier, session: String?, after: TransferID = TransferID(0), atMost count: Int = .max
    ) -> [TransferState] {
        ledger.transfers.records(of: app, session: session, after: after, atMost: count).map(shown)
    }

    /// A number that an app has given to none of its transfers.
    public func nextTransferOrdinal(of app: AppIdentifier) -> UInt64 {
        let last = ledger.transfers.ordinals[app] ?? 0
        return last == .max ? last : last + 1
    }

    private func shown(_ record: TransferRecord) -> TransferState {
        var state = record.state
        state.isResumable = record.keepsPart && !record.isGoneOnWith
        if let active = transfers[state.app]?.active[state.id] {
            state.phase = .active
            state.progress = active.progress
        } else if !state.phase.isOver {
            state.progress = progress(of: state)
            if state.phase == .waiting, record.isSuspended || record.isHeld { state.phase = .paused }
        }
        return state
    }

    private func report(of record: TransferRecord) -> TransferReport {
        let state = shown(record)
        var report = TransferReport(state: state)
        switch state.phase {
        case .active:
            guard let active = transfers[state.app]?.active[state.id] else { break }
            let seconds = (turn.now.monotonic - active.since).inSeconds
            let came =
                Double(active.progress.received) - Double(active.before) + Double(active.progress.sent)
            guard seconds > 0, came > 0 else { break }
            report.rate = came / seconds
            let left = [
                state.progress.toReceive.map { Double($0) - Double(state.progress.received) },
                state.progress.toSend.map { Double($0) - Double(state.progress.sent) },
            ].compactMap { $0 }.reduce(0, +)
            if let rate = report.rate, left > 0, rate > 0 {
                report.likelyDone = now.wall + .milliseconds(Int64(min(left / rate * 1000, 1e13)))
            }
        case .waiting: explain(record, &report)
        case .paused:
            report.reasons = [
                record.heldBy.map { "\($0) has paused it: `lull transfers resume \(state.id)` lets it go on" }
                    ?? "its app has suspended it"
            ]
        case .challenged:
            report.reasons = [
                "its app has to answer: \(state.challenge?.sentence ?? "the server asks something")"
            ]
        case .finished, .failed, .cancelled:
            report.reasons = ["it is over, but its app has not received the result yet"]
        }
        return report
    }

    private func explain(_ record: TransferRecord, _ report: inout TransferReport) {
        let state = record.state
        guard let rules = app(state.app)?.transfers,
            let input = transferInput(for: state, TransferNeed(state.order), tellsOpen: true)
        else {
            report.reasons = ["\(manifest.path) has no `transfers` for \(state.app)"]
            return
        }
        let evaluation = input.evaluate()
        let closed = evaluation.verdicts.filter { !$0.isOpen }
        report.reasons = closed.map { input.told($0).reason }
        report.until = closed.compactMap(\.until).max()
        if let time = earliest(TransferGlance(record)), time > now.wall {
            report.until = max(report.until ?? time, time)
            let begin = state.order.earliestBegin.map { $0 > now.wall } ?? false
            report.reasons.append(
                begin && record.notBefore == nil
                    ? "its app wants it not before \(Phrase.moment(time, seenFrom: now.wall, in: now.zones.host))"
                    : "the last attempt failed: \(record.reason ?? "it was interrupted")")
        }
        if let shortage = shortage(of: record, in: transferRoom(of: state.app)) {
            report.reasons.append(shortage)
        }
        if report.reasons.isEmpty, let appTransfers = transfers[state.app],
            !appTransfers.hasPlace(of: max(1, rules.atOnce))
        {
            let slow = appTransfers.slow == 0 ? "" : ", \(appTransfers.slow) of them slowly"
            report.reasons = [
                "\(appTransfers.active.count) of the app's transfers are under way\(slow), which is the limit (`at_once`)"
            ]
        }
        if report.reasons.isEmpty, transfers.count >= Limits.transfersAtOnce {
            report.reasons = [
                "\(transfers.count) transfers of all apps are under way, which is the limit"
            ]
        }
        if isShuttingDown { report.reasons.append("the host is shutting down") }
    }
}
