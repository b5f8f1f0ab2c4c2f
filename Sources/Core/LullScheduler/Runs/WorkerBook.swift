import LullModel

/// The workers of all apps together, as far as they are counted, and the apps that are to be started for discovery.
///
/// Each worker stands with its app (`AppState.workers`).
struct WorkerBook: Sendable {
    /// Of the last worker.
    private var number: UInt64 = 0
    private(set) var starting = 0
    /// Started, and its end not heard of.
    private(set) var live = 0
    /// Apps that wait to be started for discovery.
    private(set) var waiting: [AppIdentifier] = []
    /// Apps whose worker starts for that.
    private(set) var discovering: Set<AppIdentifier> = []

    /// Each worker that is started in order to launch something holds one place.
    var startingToLaunch: Int { starting - discovering.count }

    mutating func start(_ app: AppIdentifier) -> WorkerID {
        number += 1
        starting += 1
        live += 1
        return WorkerID(app: app, number: number)
    }

    mutating func change(from old: WorkerState, to new: WorkerState) {
        if old == .starting { starting -= 1 }
        if new == .starting { starting += 1 }
        if new == .none { live -= 1 }
    }

    mutating func want(_ app: AppIdentifier) {
        if !waiting.contains(app) { waiting.append(app) }
    }

    mutating func nextWanted() -> AppIdentifier? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// They could not be started yet.
    mutating func putBack(_ apps: [AppIdentifier]) { waiting.append(contentsOf: apps) }

    mutating func forgetWanted(where isForgotten: (AppIdentifier) -> Bool = { _ in true }) {
        waiting.removeAll(where: isForgotten)
    }

    mutating func discover(_ app: AppIdentifier) { discovering.insert(app) }

    /// Its worker is there or gone; whether it was started for discovery.
    @discardableResult
    mutating func endDiscovery(of app: AppIdentifier) -> Bool { discovering.remove(app) != nil }

    /// What is left of it where no app but one is known, of which `starting` workers start.
    func alone(_ app: AppIdentifier, starting: Int) -> WorkerBook {
        var book = WorkerBook()
        book.number = number
        book.starting = starting
        book.live = live
        book.discovering = discovering.intersection([app])
        return book
    }
}
