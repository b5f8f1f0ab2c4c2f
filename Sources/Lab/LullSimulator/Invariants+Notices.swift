import LullModel
import LullScheduler

/// Checks notices: each sink is notified once of everything that it asked for, and of nothing else.
struct TellingWatch: Sendable {
    /// Notices that are to be delivered, by number.
    var open: [UInt64: String] = [:]
    var ended: Set<UInt64> = []
    /// Deliveries under way of the host that lives.
    var underWay: Set<UInt64> = []
    /// How many notices of a kind a run has, due or held.
    var told: [String: Int] = [:]
    /// Tasks whose failure was notified, with no success since.
    var troubled: Set<TaskIdentifier> = []
    /// The runs that ended in this frame, and the kind of notice that is due for each.
    var news: [(run: RunID, task: TaskIdentifier, kind: NoticeKind)] = []

    static func key(_ kind: NoticeKind, _ run: RunID) -> String { "\(kind.rawValue) \(run)" }
}

extension Invariants {
    mutating func noticed(_ event: HistoryEvent) {
        guard let note = event.notice else { return fault("a notice says nothing of itself") }
        if telling.open[note.id] != nil || telling.ended.contains(note.id) {
            fault("notice \(note.id) is decided twice")
        }
        if note.state == .due { telling.open[note.id] = note.sink } else { telling.ended.insert(note.id) }
        if let run = event.run { telling.told[TellingWatch.key(note.kind, run), default: 0] += 1 }
        if note.kind == .failed || note.kind == .overdue, let task = event.task, note.covers == nil {
            telling.troubled.insert(task)
        }
    }

    mutating func notified(_ event: HistoryEvent) {
        guard let note = event.notice else { return fault("what became of a notice is not said") }
        guard telling.open[note.id] == note.sink else {
            return fault("notice \(note.id) ends, and is not open for \(note.sink)")
        }
        telling.underWay.remove(note.id)
        guard note.state != .failed else { return }
        telling.open[note.id] = nil
        telling.ended.insert(note.id)
    }

    /// A run has ended: its notices are checked once all of the frame is recorded.
    mutating func tellingOf(_ run: RunID, _ known: Run, _ outcome: Outcome) {
        if outcome.isSuccess {
            if telling.troubled.remove(known.task) != nil {
                telling.news.append((run, known.task, .recovered))
            }
        } else if outcome.isFailure(endedBy: known.expiredBy) {
            telling.news.append((run, known.task, .failed))
        }
    }

    mutating func checkTelling(_ frame: Frame) {
        for (run, task, kind) in telling.news {
            let sinks = frame.manifest.tasks.first { $0.identifier == task }?.notify ?? []
            let wanted = sinks.count { $0.on.contains(kind) }
            let told = telling.told[TellingWatch.key(kind, run)] ?? 0
            if told != wanted {
                fault("\(told) of \(wanted) are told that run \(run) of \(task) \(kind.rawValue)")
            }
        }
        telling.news = []
    }

    mutating func deliver(_ delivery: Delivery) {
        let id = delivery.notice.id
        guard telling.open[id] == delivery.notice.sink else {
            return fault("notice \(id) is delivered, and is not open")
        }
        if !telling.underWay.insert(id).inserted { fault("notice \(id) is delivered twice at once") }
    }
}
