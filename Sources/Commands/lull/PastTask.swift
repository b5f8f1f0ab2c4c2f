import LullCommands
import LullHistory
import LullHost
import LullModel

/// A task that the manifest does not list any more, as the history knows it.
struct PastTask {
    let task: TaskIdentifier
    /// When the task's removal ended its pending request; nil: that is not recorded.
    let removed: WallTime?
    /// Its last event.
    let last: WallTime

    /// Nil: the history has nothing of it.
    init?(_ task: TaskIdentifier, in history: some History) throws(HistoryError) {
        func newest(_ names: Set<HistoryEvent.Name> = []) throws(HistoryError) -> HistoryEvent? {
            let query = HistoryQuery(task: task, names: names, order: .newestFirst, limit: 1)
            return try history.events(matching: query).first
        }
        guard let last = try newest() else { return nil }
        self.task = task
        self.last = last.time
        let end = try newest([.givenUp])
        let isRemoval = end?.gates == [GateName.permitted.rawValue]
        removed = isRemoval ? end?.time : nil
    }

    func sentence(_ phrases: Phrases) -> String {
        "\(task) is not in the manifest any more"
            + (removed.map { ": it was removed \(phrases.when($0))." }
                ?? ". Its last event in the history is from \(phrases.time(last)).")
    }

    /// All tasks that a state's history knows.
    static func names(in folder: StateFolder) -> [TaskIdentifier] {
        guard let history = try? SQLiteHistory.open(folder: folder.path, mode: .readOnly),
            let ledger = try? LedgerStore.load(from: history, zones: .utc)
        else { return [] }
        return ledger.tasks.keys.sorted()
    }

    /// A task of the history that no entry of the manifest permits; nil: an entry permits it, or the history does not
    /// know it.
    static func find(
        _ task: TaskIdentifier, in folder: StateFolder, permitted: (TaskIdentifier) -> Bool
    ) -> PastTask? {
        guard !permitted(task), let history = try? SQLiteHistory.open(folder: folder.path, mode: .readOnly)
        else { return nil }
        return try? PastTask(task, in: history)
    }
}
