import LullModel

/// Transfers that end without an attempt: they last too long, their app does not take them, or it may make none any
/// more.
extension SchedulerState {
    /// Ends transfers that have lasted too long, and forgets those that their app does not take.
    mutating func limitTransfers(of app: AppIdentifier) {
        for record in ledger.transfers.records(of: app) {
            guard record.over <= now.wall else { continue }
            let id = record.state.id
            if record.state.phase.isOver {
                let span = Phrase.span(Limits.transferKept)
                forgetTransfer(
                    id, of: app, .givenUp(id), "it ended \(span) ago, and the app has not taken its result")
            } else {
                withTransfers(of: app) { $0.waiting.take(id) }
                let received = progress(of: record.state).received
                let span = Phrase.span(record.state.order.wholeLimit)
                fail(
                    id, of: app,
                    TransferFailure(
                        code: TransferFailure.Code.timedOut,
                        sentence: "it took longer than \(span), its `timeoutIntervalForResource`"
                            + (record.reason.map { "; last error: \($0)" } ?? ""),
                        isResumable: received > 0 && record.state.order.direction == .download))
                stopTransfer(id, of: app, keepsPart: received > 0)
                tellOfTransfers(of: app, id)
            }
        }
        for (id, part) in ledger.transfers.kept.sorted(by: { $0.key < $1.key })
        where part.app == app && part.since + Limits.transferKept <= now.wall {
            ledger.transfers.forget(id)
            turn.effects.append(.removeTransferFiles(app, stem: part.stem, upload: nil))
        }
        setTransferLimit(of: app)
    }

    mutating func setTransferLimit(of app: AppIdentifier) {
        let ends = ledger.transfers.records(of: app).lazy.map(\.over).min()
        let kept = ledger.transfers.kept.values.lazy.filter { $0.app == app }
            .map { $0.since + Limits.transferKept }.min()
        let limit = [ends, kept].compactMap { $0 }.min()
        withTransfers(of: app) { $0.limitAt = limit }
    }

    /// A new transfer may have the earliest limit.
    mutating func narrowTransferLimit(of app: AppIdentifier, to id: TransferID) {
        guard let limit = ledger.transfers.records[id]?.over else { return }
        withTransfers(of: app) { $0.limitAt = min($0.limitAt ?? limit, limit) }
    }

    /// Transfers that an earlier host had under way wait again; those that their app may no longer make are cancelled.
    mutating func loadTransfers(isFirst: Bool) {
        guard !ledger.transfers.isEmpty else { return }
        if isFirst {
            for record in ledger.transfers.records.values.sorted(by: { $0.state.id < $1.state.id })
            where record.isWanted {
                withTransfers(of: record.state.app) { $0.wait(record.state.id) }
            }
        }
        for name in ledger.transfers.apps.sorted() {
            let entry = app(name)
            if entry?.transfers == nil {
                let reason =
                    entry == nil
                    ? "\(name) was removed from \(manifest.path)"
                    : "\(manifest.path) has no `transfers` for \(name) any more"
                for record in ledger.transfers.records(of: name) where !record.state.phase.isOver {
                    endTransfer(record.state.id, of: name, keepsPart: false, reason)
                }
            }
            withTransfers(of: name) { _ in }
            setTransferLimit(of: name)
            touchTransfers(of: name)
            askForTransfers(of: name)
        }
    }

    /// Apple's force quit: the app's transfers are cancelled.
    mutating func cancelTransfers(of app: AppIdentifier, _ reason: String) {
        for record in ledger.transfers.records(of: app) where !record.state.phase.isOver {
            endTransfer(record.state.id, of: app, keepsPart: false, reason)
        }
    }
}

extension TransferRecord {
    /// When it is ended, or forgotten.
    fileprivate var over: WallTime { state.ended.map { $0 + Limits.transferKept } ?? limit }
}
