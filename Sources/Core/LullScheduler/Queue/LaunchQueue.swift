import HeapModule
import LullModel

/// What waits to be launched, as the last reviews of the tasks found it.
struct LaunchQueue: Sendable {
    /// The best ready task of each app that has one; stale when the app offers another by now.
    private var offers = Heap<Ready>()
    /// Tasks found ready whose wait for room the history does not record yet.
    private var unplaced: [TaskIdentifier] = []
    /// Refresh requests that wait for the budget.
    private var drawing: Set<TaskIdentifier> = []
    /// Tasks that may be launched for an urgent push now.
    private var urgent: Set<TaskIdentifier> = []

    var hasOffers: Bool { !offers.isEmpty }
    /// How many offers it keeps, stale ones too.
    var count: Int { offers.count }
    /// In a fixed order, as are all lists of tasks that are gone through.
    var forBudget: [TaskIdentifier] { drawing.sorted() }
    var forPushes: [TaskIdentifier] { urgent.sorted() }

    mutating func offer(_ ready: Ready) { offers.insert(ready) }

    mutating func popBest() -> Ready? { offers.popMax() }

    /// Drops stale offers once they are many. `apps`: how many there are.
    mutating func trim(apps: Int, isCurrent: (Ready) -> Bool) {
        if offers.count > 4 * apps + 1024 { offers = Heap(offers.unordered.filter(isCurrent)) }
    }

    mutating func note(_ task: TaskIdentifier, isUrgent: Bool, waitsForBudget: Bool) {
        if isUrgent { urgent.insert(task) } else { urgent.remove(task) }
        if waitsForBudget { drawing.insert(task) } else { drawing.remove(task) }
    }

    mutating func forget(_ task: TaskIdentifier) { note(task, isUrgent: false, waitsForBudget: false) }

    mutating func noteUnplaced(_ task: TaskIdentifier) { unplaced.append(task) }

    mutating func takeUnplaced(atMost most: Int) -> [TaskIdentifier] {
        let taken = Array(unplaced.prefix(most))
        unplaced.removeFirst(taken.count)
        return taken
    }
}
