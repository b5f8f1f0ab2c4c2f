import LullModel

/// Transfers: asked for, acted on and answered by their app, and by operators.
extension SchedulerState {
    /// How long after a use the app counts as in the foreground.
    private static let foreground: Duration = .minutes(5)

    mutating func askTransfer(_ app: AppIdentifier, _ order: TransferOrder, _ token: Token) {
        if let refusal = refusal(of: order, app) {
            let time = now.wall
            if let sentence = apps[app]?.records.admit(refusal.sentence, at: time) {
                record(HistoryEvent(.refused, at: now.wall, app: app, reason: sentence))
            }
            return reply(token, .refused(refusal))
        }
        var order = order
        var reason: String?
        if !order.isDiscretionary, !isInForeground(app) {
            order.isDiscretionary = true
            reason = "asked for in the background, so the host chooses the moment"
        }
        let id = TransferID(ledger.transfers.next)
        note(.asked(id, order), of: app, reason)
        recent.transfers.note(id, token)
        reply(token, .transfer(id))
        withTransfers(of: app) { $0.wait(id) }
        narrowTransferLimit(of: app, to: id)
        touchTransfers(of: app)
    }

    /// Whether somebody waits for what the app begins. If not, the system chooses the moment, as on iOS.
    private func isInForeground(_ app: AppIdentifier) -> Bool {
        if let used = ledger.apps[app]?.lastUsed, used <= now.wall, now.wall - used < Self.foreground {
            return true
        }
        return (apps[app]?.runs ?? []).contains { id in
            guard let run = runs[id] else { return false }
            let durable = ledger.runs[id]
            return run.kind == .continued || durable?.isExtra == true || durable?.isUrgent == true
        }
    }

    private mutating func refusal(of order: TransferOrder, _ name: AppIdentifier) -> Refusal? {
        guard let rules = app(name)?.transfers else {
            return Refusal(
                .notPermitted,
                "\(name) may not transfer anything. Write `transfers: {}` in its entry in \(manifest.path).")
        }
        if isShuttingDown {
            return Refusal(
                .unavailable, "The host is shutting down; ask for the transfer again when it is back.")
        }
        if ledger.apps[name]?.disabledAt != nil {
            return Refusal(.unavailable, "\(name) is disabled. `lull enable \(name)` enables it.")
        }
        guard let host = order.host else {
            return Refusal(
                .unavailable,
                "'\(order.shownURL.clipped(to: 200))' is not an HTTP address. Ask for one with http:// or https:// and a host."
            )
        }
        guard rules.permission(of: host) != nil else {
            return Refusal(
                .notPermitted,
                "\(name) may not transfer with \(host.clipped(to: 200)). Add it to `transfers: { hosts }` of the app in \(manifest.path)."
            )
        }
        if let size = order.expectedToReceive, size > rules.maxSize {
            return Refusal(
                .notPermitted,
                "\(name) expects \(Phrase.size(size)), but a transfer may have at most \(Phrase.size(rules.maxSize)). "
                    + "Raise `transfers: { max_size }` of the app in \(manifest.path).")
        }
        if let size = order.expectedToReceive, let limit = app(name)?.limits.disk, size > limit {
            return Refusal(
                .notPermitted,
                "\(name) expects \(Phrase.size(size)), but may keep only \(Phrase.size(limit)) in its folder. "
                    + "Raise `disk` in its `limits` in \(manifest.path).")
        }
        if let earlier = order.resumes, !isKept(earlier, of: name) {
            return Refusal(
                .unavailable, "Nothing is kept of the transfer \(earlier). Begin it again.")
        }
        let count = ledger.transfers.count(of: name)
        guard count < Limits.transfers else {
            return Refusal(
                .tooManyPending,
                "\(name) has \(count) transfers that wait or have not been taken, which is the limit. Take or cancel some."
            )
        }
        guard ledger.transfers.bytes(of: name) + order.bytes <= Limits.transferTextBytes else {
            return Refusal(
                .tooManyPending,
                "The transfers of \(name) hold more than \(Phrase.size(Int64(Limits.transferTextBytes))) of text together. "
                    + "Take or cancel some, or send long text as a file.")
        }
        return historyRefusal(of: name) ?? transferAllowance(of: name)
    }

    private func isKept(_ id: TransferID, of app: AppIdentifier) -> Bool {
        if let part = ledger.transfers.kept[id] { return part.app == app }
        guard let record = ledger.transfers.records[id], record.state.app == app else { return false }
        return record.keepsPart && !record.isGoneOnWith
    }

    /// Takes a call from the app's allowance, for each call is in the history; nil: it had room.
    private mutating func transferAllowance(of app: AppIdentifier) -> Refusal? {
        let time = now.monotonic
        guard let wait = apps[app, default: AppState()].transfers.take(at: time) else { return nil }
        return Refusal(
            .tooManyPending,
            "\(app) changes its transfers too often. Ask again in \(Phrase.span(wait)).")
    }

    /// The plugin gave up waiting: its transfer has no effect.
    mutating func withdrawTransfer(_ token: Token) {
        guard let id = recent.transfers.take(token), let state = ledger.transfers.records[id]?.state,
            !state.phase.isOver
        else { return }
        endTransfer(
            id, of: state.app, keepsPart: false, "withdrawn: the plugin stopped waiting for the answer")
        forgetTransfer(id, of: state.app, .taken(id), nil)
    }

    mutating func act(_ app: AppIdentifier, _ id: TransferID, _ act: TransferAct, _ token: Token?) {
        guard let record = ledger.transfers.records[id], record.state.app == app else {
            return reply(token, .refused(unknown(id, app)))
        }
        if let refusal = transferAllowance(of: app) { return reply(token, .refused(refusal)) }
        let isOver = record.state.phase.isOver
        switch act {
        case .cancel, .cancelKeeping:
            if !isOver {
                endTransfer(id, of: app, keepsPart: act == .cancelKeeping, "the app cancelled it")
            }
        case .suspend: if !isOver, !record.isSuspended { hold(id, of: app, byOperator: false) }
        case .resume: if !isOver, record.isSuspended { release(id, of: app, byOperator: false) }
        case .taking:
            guard isOver else { return reply(token, .refused(unfinished(id))) }
            if !record.state.wasTaking { note(.taking(id), of: app) }
        case .taken:
            guard isOver else { return reply(token, .refused(unfinished(id))) }
            forgetTransfer(id, of: app, .taken(id), nil)
        }
        reply(token, .done(""))
        touchTransfers(of: app)
    }

    private func unknown(_ id: TransferID, _ app: AppIdentifier) -> Refusal {
        Refusal(
            .unavailable, "\(app) has no transfer \(id). It has been taken already, or was never asked for.")
    }

    private func unfinished(_ id: TransferID) -> Refusal {
        Refusal(.unavailable, "The transfer \(id) is not over yet. Take it when it is.")
    }

    mutating func answer(
        _ app: AppIdentifier, _ id: TransferID, _ answer: TransferAnswer, _ token: Token?
    ) {
        guard let record = ledger.transfers.records[id], record.state.app == app else {
            return reply(token, .refused(unknown(id, app)))
        }
        guard record.isAsking else {
            return reply(
                token, .refused(Refusal(.unavailable, "The transfer \(id) has no open challenge.")))
        }
        if let refusal = transferAllowance(of: app) { return reply(token, .refused(refusal)) }
        note(.answered(id, answer), of: app)
        withTransfers(of: app) { $0.wait(id) }
        reply(token, .done(""))
        touchTransfers(of: app)
        askForTransfers(of: app)
    }

    /// Carries out an operator's command.
    mutating func order(_ id: TransferID, _ ordering: TransferOrdering, _ token: Token) {
        guard let record = ledger.transfers.records[id] else {
            return reply(
                token,
                .refused(
                    Refusal(.unavailable, "There is no transfer \(id). `lull transfers` lists them all.")))
        }
        let app = record.state.app
        guard !record.state.phase.isOver else {
            return reply(token, .unchanged("\(id) is over: \(record.state.phase.rawValue)."))
        }
        switch ordering {
        case .pause:
            guard !record.isHeld else { return reply(token, .unchanged("\(id) is paused already.")) }
            hold(id, of: app, byOperator: true)
            reply(token, .done("Paused \(id), until `lull transfers resume \(id)`."))
        case .resume:
            let isActive = transfers[app]?.active[id] != nil
            guard !isActive, record.isHeld || record.notBefore != nil else {
                let words =
                    isActive
                    ? "it is under way" : record.isSuspended ? "its app has suspended it" : "it is not paused"
                return reply(token, .unchanged("\(id) goes on by itself: \(words)."))
            }
            release(id, of: app, byOperator: true)
            reply(token, .done("\(id) goes on as soon as its gates are open."))
        case .cancel:
            endTransfer(id, of: app, keepsPart: false, "an operator cancelled it")
            reply(token, .done("Cancelled \(id). Lull notifies \(app)."))
        }
        touchTransfers(of: app)
    }

    private mutating func hold(_ id: TransferID, of app: AppIdentifier, byOperator: Bool) {
        note(.paused(id, byOperator: byOperator), of: app, byOperator ? self.byOperator : "by the app")
        withTransfers(of: app) { $0.waiting.take(id) }
        stopTransfer(id, of: app, keepsPart: true)
    }

    private mutating func release(_ id: TransferID, of app: AppIdentifier, byOperator: Bool) {
        note(.resumed(id, byOperator: byOperator), of: app, byOperator ? self.byOperator : "by the app")
        if ledger.transfers.records[id]?.isWanted == true { withTransfers(of: app) { $0.wait(id) } }
    }

    /// Cancels a transfer that is not over.
    mutating func endTransfer(
        _ id: TransferID, of app: AppIdentifier, keepsPart: Bool, _ reason: String
    ) {
        withTransfers(of: app) { $0.waiting.take(id) }
        let state = ledger.transfers.records[id]?.state
        let received = state.map { progress(of: $0).received } ?? 0
        let hasPart = keepsPart && state?.order.direction == .download && received > 0
        note(.cancelled(id, keepsPart: hasPart), of: app, reason)
        stopTransfer(id, of: app, keepsPart: hasPart)
        tellOfTransfers(of: app, id)
    }

    /// Forgets a transfer that is no longer needed.
    mutating func forgetTransfer(
        _ id: TransferID, of app: AppIdentifier, _ note: TransferNote, _ reason: String?
    ) {
        guard let record = ledger.transfers.records[id] else { return }
        self.note(note, of: app, reason)
        let time = now.monotonic
        apps[app]?.history.release(record.spentBytes, at: time)
        transfers[app]?.last[id] = nil
        if !record.isGoneOnWith, ledger.transfers.kept[id] == nil {
            turn.effects.append(
                .removeTransferFiles(app, stem: record.state.stem, upload: record.state.order.file))
        }
        if !ledger.transfers.hasSession(record.state.order.session, of: app) {
            withTransfers(of: app) { $0.told[record.state.order.session] = nil }
        }
        askForTransfers(of: app)
    }

    mutating func note(_ note: TransferNote, of app: AppIdentifier, _ reason: String? = nil) {
        var event = HistoryEvent(.transfer, at: now.wall, app: app, reason: reason)
        event.transfer = note
        record(event)
    }

    mutating func withTransfers(of app: AppIdentifier, _ body: (inout AppTransfers) -> Void) {
        body(&transfers[app, default: AppTransfers()])
    }
}

extension TransferOrder {
    /// The host of the URL; nil: it is no URL of HTTP.
    var host: String? {
        let lowered = url.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowered.hasPrefix($0) }) else { return nil }
        var authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        if authority.first == "[" {
            return authority.firstIndex(of: "]").map { String(authority[...$0]) }
        }
        let name = authority.prefix { $0 != ":" }
        return name.isEmpty ? nil : String(name)
    }
}
