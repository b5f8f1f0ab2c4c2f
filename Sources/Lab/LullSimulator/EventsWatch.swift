import LullModel
import LullScheduler

/// Checks that no event of `on` is lost: it ends in a launch, in another request, or in a record that says why not. The next
/// task of a chain is requested by the outcome that it names, and by no other.
///
/// It reads durable records alone.
struct EventsWatch: Sendable {
    /// How many events each waiting request stands for.
    private var waiting: [RequestID: Int] = [:]
    /// Of requests that have given way in this frame, by task.
    private var left: [TaskIdentifier: Int] = [:]
    /// `isTriedAgain`: another attempt follows, and the chain waits until that is over.
    private typealias End = (task: TaskIdentifier, outcome: Outcome, gates: [String]?, isTriedAgain: Bool)
    /// How runs have ended.
    private var ends: [RunID: End] = [:]
    /// The run of each task that was launched last.
    private var newest: [TaskIdentifier: RunID] = [:]
    /// The events that each task waits for, and the last run of all before it began to wait.
    private var watched: [TaskIdentifier: (events: String?, last: RunID?)] = [:]
    /// The runs that have ended in this frame, each with the newest runs of that moment.
    private var endedNow: [RunID: [TaskIdentifier: RunID]] = [:]
    /// The trigger events that were recorded in this frame.
    private var taken: [TaskIdentifier: [TriggerEvent]] = [:]
    private(set) var faults: [String] = []

    mutating func begin() {
        (left, endedNow, taken) = ([:], [:], [:])
    }

    mutating func note(_ event: HistoryEvent) {
        guard let task = event.task else { return }
        switch event.event {
        case .submitted:
            guard let request = event.request else { return }
            let owed = left.removeValue(forKey: task) ?? 0
            let count = event.triggerEvent?.count ?? 0
            if count < owed { faults.append("\(task) loses \(owed - count) events with its request") }
            if count > 0 { waiting[request] = count }
            if let triggerEvent = event.triggerEvent { taken[task, default: []].append(triggerEvent) }
            if event.origin == .event, count == 0 { faults.append("\(task) is asked for by no event") }
        case .happened:
            guard let request = event.request, let triggerEvent = event.triggerEvent else {
                return faults.append("an event of \(task) is taken into nothing")
            }
            waiting[request, default: 0] += triggerEvent.count
            taken[task, default: []].append(triggerEvent)
        case .replaced, .merged:
            if let count = event.request.flatMap({ waiting.removeValue(forKey: $0) }) {
                left[task, default: 0] += count
            }
        case .cancelled, .givenUp:
            if let request = event.request { waiting[request] = nil }
            if let run = newest[task] { ends[run]?.isTriedAgain = false }
        case .launched:
            let count = event.request.flatMap { waiting.removeValue(forKey: $0) } ?? 0
            let told = event.triggerEvent?.count ?? 0
            if told != count {
                faults.append("\(task) is launched for \(told) events, and \(count) have come")
            }
            newest[task] = event.run
        case .watched:
            if watched[task]?.events != event.reason {
                watched[task] = (event.reason, newest.values.max())
            }
        case .completed, .failed, .interrupted:
            guard let run = event.run, let outcome = event.outcome else { return }
            if ends.count > 4096 { ends = ends.filter { newest[$0.value.task] == $0.key } }
            ends[run] = (task, outcome, event.gates, event.earliestBegin != nil)
            if event.earliestBegin == nil { endedNow[run] = newest }
        default: break
        }
    }

    /// After the records of a frame.
    mutating func check(_ frame: Frame) {
        for (task, count) in left where count > 0 {
            // A request of a task that has left the manifest is given up, and does not give way.
            faults.append("\(count) events of \(task) are gone with a request that gave way")
        }
        let listed = Dictionary(frame.manifest.tasks.map { ($0.identifier, $0) }) { first, _ in first }
        let enabled = Set(frame.manifest.apps.filter(\.enabled).map(\.identifier))
        for (task, triggerEvents) in taken {
            for triggerEvent in triggerEvents where triggerEvent.kinds.contains(.after) {
                check(triggerEvent, of: task, listed[task])
            }
        }
        for task in frame.manifest.tasks where task.enabled && enabled.contains(task.app) {
            for (run, newest) in endedNow.sorted(by: { $0.key < $1.key }) {
                guard let end = ends[run], end.outcome != .interrupted,
                    task.on.contains(where: { leads($0, from: end, to: task.identifier, newest) }),
                    taken[task.identifier]?.contains(where: { $0.kinds.contains(.after) }) != true
                else { continue }
                faults.append("\(end.task) ended as \(end.outcome), and \(task.identifier) does not follow")
            }
            if let trigger = frame.about.trigger, task.on.contains(trigger), taken[task.identifier] == nil {
                faults.append("an event of \(task.identifier) is recorded nowhere")
            }
        }
    }

    /// Whether a trigger names the run that has ended, and each other task that it names has a last run that is over, ended as
    /// named, and began after the next task's own.
    private func leads(
        _ trigger: Trigger, from end: End, to next: TaskIdentifier, _ newest: [TaskIdentifier: RunID]
    ) -> Bool {
        trigger.links.contains { $0.task == end.task }
            && trigger.links.allSatisfy { link in
                if link.task == end.task { return link.outcome.fits(end.outcome, endedBy: end.gates) }
                guard let run = newest[link.task], let other = ends[run], !other.isTriedAgain else {
                    return false
                }
                return link.outcome.fits(other.outcome, endedBy: other.gates)
                    && [newest[next], watched[next]?.last].allSatisfy { $0.map { $0 < run } != false }
            }
    }

    private mutating func check(
        _ triggerEvent: TriggerEvent, of task: TaskIdentifier, _ definition: TaskDefinition?
    ) {
        // A repeated request may be of a chain that has been changed since.
        guard let definition, triggerEvent.count == 1, let run = triggerEvent.run,
            let newest = endedNow[run], let end = ends[run]
        else { return }
        let follows = definition.on.contains { leads($0, from: end, to: task, newest) }
        if !follows { faults.append("\(task) follows \(end.task), which ended as \(end.outcome)") }
    }

    mutating func takeFaults() -> [String] {
        defer { faults = [] }
        return faults
    }
}
