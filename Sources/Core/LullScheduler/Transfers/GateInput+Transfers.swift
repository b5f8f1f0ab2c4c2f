import LullModel

/// The gates of transfers are those of tasks: a transfer is looked at as if it were a request of `APP.transfers`.
extension GateInput {
    /// The same gates for a transfer: `definition` is the manifest's word on the app's transfers, constraints and all.
    func asked(for state: TransferState, _ need: TransferNeed, by definition: TaskDefinition) -> GateInput {
        var input = self
        var definition = definition
        definition.kind = need.isDiscretionary ? .processing : .continued
        definition.requires = definition.requires.adding(
            Requirements(
                network: need.isUnmetered ? .unmetered : .any, externalPower: need.isDiscretionary))
        input.definition = Shared(definition)
        // Neither the week rule nor the plugin is asked: the app has no part in it.
        input.app?.idleAfter = nil
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
        // Who has waited for the bound of a task goes on at any moment at which the other gates are open.
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

    /// What ends a transfer that is under way when it closes: load, a full disk and somebody at the machine do not.
    static let endingTransfers: Set<GateName> = [
        .permitted, .enabled, .paused, .network, .externalPower, .battery, .window, .quiet,
    ]
}
