import LullModel

/// The gates of transfers are those of tasks: a transfer is judged as if it were a request of `APP.transfers`.
extension GateInput {
    /// The input for a transfer: `definition` is the manifest's entry for the app's transfers, with its constraints.
    func asked(for state: TransferState, _ need: TransferNeed, by definition: TaskDefinition) -> GateInput {
        var input = self
        var definition = definition
        definition.kind = need.isDiscretionary ? .processing : .continued
        definition.requires = definition.requires.adding(
            Requirements(
                network: need.isUnmetered ? .unmetered : .any, externalPower: need.isDiscretionary))
        input.definition = Shared(definition)
        // The week rule and the plugin do not matter: the app takes no part in the transfer.
        input.app?.idleAfter = nil
        input.app?.costLimits = []
        input.host.costLimits = []
        var app = AppRecord(app: state.app, touched: state.asked)
        app.discovered = state.asked
        app.stamp = stamp
        app.disabledAt = appRecord?.disabledAt
        app.pause = appRecord?.pause
        input.appRecord = Shared(app)
        input.lateHandlers = [task]
        var record = TaskRecord(task: task, app: state.app, touched: state.asked)
        record.disabledAt = self.record?.disabledAt
        record.pause = self.record?.pause
        // A transfer that has waited for the starvation bound goes on as soon as the other gates are open.
        record.openSince = state.asked
        record.pending = TaskRequest(
            id: RequestID(state.id.number), task: task, app: state.app, kind: definition.kind,
            origin: .transfers, submitted: state.asked)
        input.record = Shared(record)
        input.runsOfTask = 0
        input.runsOfApp = 0
        input.host.running = 0
        input.plan = nil
        return input
    }

    /// The gates that end a transfer under way when they close; load, disk and presence do not.
    static let endingTransfers: Set<GateName> = [
        .permitted, .enabled, .paused, .network, .externalPower, .battery, .window, .quiet,
    ]
}
