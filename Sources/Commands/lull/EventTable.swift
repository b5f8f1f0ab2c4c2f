import LullCommands
import LullHistory
import LullModel

/// Events of a history for people, one after another as they were recorded.
struct EventTable {
    let events: [HistoryEvent]
    let phrases: Phrases
    /// The host of each event, if they are events of a fleet.
    var hosts: [String]?

    func rendered(for terminal: Terminal) -> String {
        var table = Table(header: (hosts == nil ? [] : ["HOST"]) + ["TIME", "EVENT", "OF", "RUN", "DETAILS"])
        for (index, event) in events.enumerated() {
            let host = (hosts?[index]).map { [Table.Cell($0)] } ?? []
            table.rows.append(
                host + [
                    .init(phrases.exact(event.time)), .init(event.title, Self.style(of: event)),
                    .init(event.task?.text ?? event.app.text), .init(event.run?.description ?? ""),
                    .init(details(of: event)),
                ])
        }
        return table.rendered(for: terminal)
    }

    private static func style(of event: HistoryEvent) -> Terminal.Style? {
        switch event.event {
        case .completed: .green
        case .failed, .interrupted, .violation: .red
        case .expired, .idleSoon, .idled, .refused: .yellow
        case .notified where event.isUntold: .red
        case .transfer where event.transfer?.isFailure == true: .red
        default: nil
        }
    }

    private func details(of event: HistoryEvent) -> String {
        var words: [String] = []
        if let outcome = event.outcome { words.append(outcome.rawValue) }
        // An event without a run, or about a time limit, has its span in its reason.
        if let milliseconds = event.milliseconds, event.run != nil, event.event != .expired {
            words.append((words.isEmpty ? "" : "after ") + Phrase.about(.milliseconds(milliseconds)))
        }
        if let attempt = event.attempt, event.event == .failed {
            let next = event.earliestBegin.map { "tried again \(phrases.time($0))" }
            words.append(
                "(\(attempt.phrase)\(attempt.number < attempt.most ? ", " + (next ?? "not tried again") : ""))"
            )
        }
        if let note = event.notice { words.append(Self.words(of: note)) }
        if let request = Self.request(of: event) { words.append(request) }
        if let params = event.params { words.append("with " + TaskParam.words(params)) }
        if let triggerEvent = event.triggerEvent {
            words.append((words.isEmpty ? "" : "for: ") + triggerEvent.phrase)
        }
        if let act = event.notification { words.append(act.words) }
        if let note = event.transfer { words.append(note.words(phrases.exactly)) }
        if let by = Self.author(of: event) { words.append("by " + by) }
        let head = words.joined(separator: " ")
        // The run's end, a line above, has the reason of a notice about the run.
        let isSaid = event.event == .notice && event.run != nil
        guard let reason = event.reason.map({ PrintedLast($0).inOneLine }), !reason.isEmpty, !isSaid else {
            return head
        }
        return head.isEmpty ? reason : head + ": " + reason
    }

    /// Who acted; nil: not known, or the reason says it.
    private static func author(of event: HistoryEvent) -> String? {
        switch event.event {
        case .launched: event.request == nil ? nil : event.by
        case .expired: event.outcome == .stopped ? nil : event.by
        default: event.by
        }
    }

    /// The request's number, as its caller got it, so that the request's end can be found.
    private static func request(of event: HistoryEvent) -> String? {
        guard let request = event.request else { return nil }
        switch event.event {
        case .submitted, .replaced, .merged, .cancelled, .givenUp: return "request \(request)"
        case .launched: return "for request \(request)"
        default: return nil
        }
    }

    private static func words(of note: NoticeNote) -> String {
        let covers = note.covers.map { " (of \($0))" } ?? ""
        return switch note.state {
        case .due: "\(note.kind.rawValue)\(covers), to \(note.sink)"
        case .held: "\(note.kind.rawValue), held for a summary to \(note.sink)"
        case .delivered: "\(note.sink) was notified"
        case .failed: "\(note.sink) could not be notified, try \(note.attempt ?? 1)"
        case .givenUp: "\(note.sink) could not be notified; gave up"
        case .handedOn: "\(note.sink) could not be notified; the other sinks are notified instead"
        }
    }
}
