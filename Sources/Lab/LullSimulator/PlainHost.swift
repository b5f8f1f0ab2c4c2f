import LullModel
import LullScheduler

/// The scheduler of a host whose effects happen at once, without processes, log, disk and wire.
///
/// Its owner sees each effect, and decides when runs end.
struct PlainHost: Sendable {
    private(set) var state: SchedulerState
    private(set) var armed = Deadline()
    /// The tasks that the plugin of each app registers once it is started.
    private let registered: [AppIdentifier: [TaskIdentifier]]

    init(_ state: SchedulerState, _ manifest: Manifest) {
        self.state = state
        registered = Dictionary(manifest.apps.map { ($0.identifier, $0.tasks.map(\.identifier)) }) { $1 }
    }

    func firstTask(of app: AppIdentifier) -> TaskIdentifier? { registered[app]?.first }

    /// Handles an event, and all events that follow from it.
    ///
    /// - Parameter seen: receives each effect, and returns the events that follow from it, after those that follow anyway.
    mutating func handle(_ event: Event, at now: Now, _ seen: (Effect) -> [Event]) {
        if case .wake = event { armed = Deadline() }
        var answers: [Event] = []
        carryOut(state.handle(event, at: now), &answers, seen)
        var next = 0
        while next < answers.count {
            carryOut(state.handle(answers[next], at: now), &answers, seen)
            next += 1
        }
    }

    private mutating func carryOut(
        _ effects: [Effect], _ answers: inout [Event], _ seen: (Effect) -> [Event]
    ) {
        for effect in effects {
            switch effect {
            case .launch(let launch): answers.append(.carriedOut(.launch(launch.run)))
            case .expire(let run, _, _): answers.append(.carriedOut(.expire(run)))
            case .startWorker(let worker):
                answers.append(.workerReady(worker, registered: registered[worker.app] ?? []))
            case .evictWorker(let worker), .killWorker(let worker, _):
                answers.append(.workerExited(worker, sentence: "ended by itself (status 0)"))
            case .arm(let deadline): armed = deadline
            case .record, .comparePlugin, .resumeWorker, .suspendWorker, .reply, .sample, .deliver, .ping,
                .keepWorker, .beginTransfer, .stopTransfer, .removeTransferFiles, .tellTransfers, .askFleet,
                .finished:
                break
            }
            answers += seen(effect)
        }
    }
}
