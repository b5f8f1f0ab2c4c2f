import Foundation
import LullHistory
import LullModel

/// The test's own reading of the history, with separate rules: the fate of each request and each run.
///
/// It knows nothing of the scheduler's ledger, with which the tests compare it.
struct Account {
    enum Fate: Equatable { case pending, launched, ended }

    private(set) var requests: [RequestID: Fate] = [:]
    private(set) var submitted: [RequestID: TaskIdentifier] = [:]
    /// Requests of plugins, by task and earliest begin date.
    private(set) var begins: [Begin: Int] = [:]
    private(set) var uses: Set<Use> = []
    /// The outcome of each run; nil: not ended yet.
    private(set) var outcomes: [RunID: Outcome?] = [:]
    /// Contradictions in the history.
    private(set) var faults: [String] = []
    /// Number of events read: they are numbered from 1, and none has been deleted.
    private(set) var count: Int64 = 0

    struct Begin: Hashable {
        let task: String
        let milliseconds: Int64
    }

    struct Use: Hashable {
        let app: AppIdentifier
        let time: WallTime
    }

    var open: [RunID] { outcomes.filter { $0.value == nil }.map(\.key) }
    var pending: Set<RequestID> { Set(requests.filter { $0.value == .pending }.keys) }

    /// Reads on from where it stopped.
    mutating func read(_ history: any History) throws {
        var events: [HistoryEvent] = []
        try history.forEachEvent(after: count) { events.append($0) }
        for event in events { take(event) }
    }

    private mutating func take(_ event: HistoryEvent) {
        count += 1
        switch event.event {
        case .used: uses.insert(Use(app: event.app, time: event.time))
        case .submitted: takeSubmit(event)
        case .replaced, .merged, .cancelled, .givenUp:
            if let request = event.request { move(request, to: .ended, event) }
        case .launched:
            if let request = event.request { move(request, to: .launched, event) }
            guard let run = event.run else { return fault(event, "has no run") }
            if outcomes.updateValue(.none, forKey: run) != nil { fault(event, "launches a run again") }
        case .completed, .failed, .interrupted:
            guard let run = event.run else { return }
            guard let before = outcomes[run] else { return fault(event, "ends a run that never began") }
            if before != nil { fault(event, "ends a run for the second time") }
            guard let outcome = event.outcome else { return fault(event, "has no outcome") }
            outcomes[run] = .some(outcome)
        default: break
        }
    }

    private mutating func takeSubmit(_ event: HistoryEvent) {
        guard let request = event.request, let task = event.task else { return fault(event, "is of nothing") }
        if requests.updateValue(.pending, forKey: request) != nil { fault(event, "uses a number again") }
        submitted[request] = task
        if event.origin == .plugin, let begin = event.earliestBegin {
            begins[Begin(task: task.text, milliseconds: begin.milliseconds), default: 0] += 1
        }
    }

    private mutating func move(_ request: RequestID, to fate: Fate, _ event: HistoryEvent) {
        if requests[request] != .pending { fault(event, "ends a request that is not pending") }
        requests[request] = fate
    }

    private mutating func fault(_ event: HistoryEvent, _ what: String) {
        faults.append(
            "event \(count), \(event.event.rawValue) of \(event.task?.text ?? event.app.text), \(what)")
    }
}
