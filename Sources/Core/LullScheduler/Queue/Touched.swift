import LullModel

/// What an event concerns, to be reviewed before the event is over.
struct Touched: Sendable {
    private var tasks: [TaskIdentifier] = []
    private var transfers: [AppIdentifier] = []
    /// Everything: the clock or a zone has changed, or records were imported.
    var isEverything = false

    var isEmpty: Bool { tasks.isEmpty && transfers.isEmpty }

    /// Each only once: the caller knows whether it is here.
    mutating func add(_ task: TaskIdentifier) { tasks.append(task) }
    mutating func add(transfersOf app: AppIdentifier) { transfers.append(app) }

    mutating func takeTasks() -> [TaskIdentifier] {
        defer { tasks = [] }
        return tasks
    }

    /// The apps whose transfers are to be reviewed.
    mutating func takeTransfers() -> [AppIdentifier] {
        defer { transfers = [] }
        return transfers
    }
}
