import LullModel

/// How an app is notified of its transfers: at once while its worker is awake, else by a launch of `APP.transfers`.
extension SchedulerState {
    private static let tellGap: Duration = .milliseconds(250)
    /// How long an app that is awake has to take its transfers before it is launched for them.
    private static let timeout: Duration = .seconds(5)
    /// The most sessions that the reason of a launch names.
    private static let namedSessions = 5

    /// Notifies the app of a change of a transfer, and asks for a launch where one is due.
    mutating func tellOfTransfers(of app: AppIdentifier, _ id: TransferID) {
        guard let session = ledger.transfers.records[id]?.state.order.session else { return }
        tell(app, session)
        askForTransfers(of: app)
    }

    /// Notifies the app of progress: not for each byte, but once in `tellGap` for a session.
    mutating func tellOfProgress(of app: AppIdentifier, _ id: TransferID) {
        guard let session = ledger.transfers.records[id]?.state.order.session else { return }
        if let told = transfers[app]?.told[session], now.monotonic - told < Self.tellGap { return }
        tell(app, session)
    }

    private mutating func tell(_ app: AppIdentifier, _ session: String) {
        guard let worker = apps[app]?.current, worker.state == .warm else { return }
        let time = now.monotonic
        transfers[app]?.told[session] = time
        turn.effects.append(.tellTransfers(worker.id, session: session))
    }

    /// Asks for a launch where the app has transfers to take or to answer, and cancels the request where it has none.
    mutating func askForTransfers(of app: AppIdentifier) {
        guard let task = TransferRules.task(of: app), let definition = definition(of: task) else { return }
        let pending = ledger.tasks[task]?.pending
        if !ledger.transfers.hasDueSessions(of: app) {
            if pending?.origin == .transfers {
                endPending(of: task, .cancelled, "the app has received all results")
            }
            return
        }
        // A run that is under way is told of these as well; the ones that it leaves are asked for at its end.
        guard pending == nil, definition.enabled, runs.count(of: task) == 0 else { return }
        let due = ledger.transfers.dueSessions(of: app)
        var named = due.prefix(Self.namedSessions).map { "'\($0)'" }
        if due.count > named.count { named.append("\(due.count - named.count) more") }
        makeRequest(
            definition, origin: .transfers, earliestBegin: wait(of: app, due).map { now.wall + $0 },
            reason:
                "\(Phrase.list(named)): \(due.count == 1 ? "its" : "their") transfers have ended, or one asks something"
        )
    }

    /// How long to wait before a launch: while the app is awake, and after launches in which it took nothing.
    private func wait(of app: AppIdentifier, _ due: [String]) -> Duration? {
        let launches = due.lazy.flatMap { ledger.transfers.records(of: app, session: $0) }
            .filter { $0.isAsking || $0.state.phase.isOver }.map(\.launches).min()
        switch launches ?? 0 {
        case 0: return apps[app]?.worker == .warm ? Self.timeout : nil
        case 1: return .minutes(1)
        default: return .minutes(15)
        }
    }

    /// The sessions that a launch of `APP.transfers` names to the app, as JSON.
    func originOfTransfers(_ app: AppIdentifier) -> String {
        JSONValue.object(["sessions": .array(ledger.transfers.dueSessions(of: app).map(JSONValue.string))])
            .text
    }
}
