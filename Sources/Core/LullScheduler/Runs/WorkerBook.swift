import LullModel

/// The counts of all apps' workers, and the apps that are to be started for discovery.
///
/// The workers themselves are in `AppState.workers`.
struct WorkerBook: Sendable {
    /// The number of the last worker.
    private var number: UInt64 = 0
    private(set) var starting = 0
    /// Workers that were started and whose end is not reported.
    private(set) var live = 0
    /// Apps that wait to be started for discovery.
    private(set) var waiting: [AppIdentifier] = []
    /// Apps whose worker starts for discovery.
    private(set) var discovering: Set<AppIdentifier> = []
    /// Workers whose plugin files are being compared.
    private var comparing: Set<WorkerID> = []

    var isBusy: Bool { starting > 0 || !waiting.isEmpty || !comparing.isEmpty }

    /// Workers that start in order to launch something; each holds one place.
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

    /// Puts back apps that could not be started yet.
    mutating func putBack(_ apps: [AppIdentifier]) { waiting.append(contentsOf: apps) }

    mutating func forgetWanted(where isForgotten: (AppIdentifier) -> Bool = { _ in true }) {
        waiting.removeAll(where: isForgotten)
    }

    mutating func discover(_ app: AppIdentifier) { discovering.insert(app) }

    /// The app's worker is ready or gone; returns whether it was started for discovery.
    @discardableResult
    mutating func endDiscovery(of app: AppIdentifier) -> Bool { discovering.remove(app) != nil }

    /// False: they are being compared already.
    mutating func compare(_ worker: WorkerID) -> Bool { comparing.insert(worker).inserted }
    mutating func endComparison(of worker: WorkerID) { comparing.remove(worker) }

    /// The book of one app alone, of which `starting` workers start.
    func alone(_ app: AppIdentifier, starting: Int) -> WorkerBook {
        var book = WorkerBook()
        book.number = number
        book.starting = starting
        book.live = live
        book.discovering = discovering.intersection([app])
        return book
    }
}
