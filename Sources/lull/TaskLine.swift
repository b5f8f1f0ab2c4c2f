import LullModel

/// What a table says of one task: its state in a word, and the reason in a sentence.
struct TaskLine {
    let status: StatusReport.TaskStatus
    let phrases: Phrases

    var state: Table.Cell {
        if !status.running.isEmpty { return .init("runs", .green) }
        if status.verdict.mayRun { return .init("ready", .green) }
        return .init(needsSomebody ? "stopped" : "waits", needsSomebody ? .yellow : nil)
    }

    /// It stays so until somebody does something about it.
    var needsSomebody: Bool {
        status.verdict.closed.contains { gate in
            switch gate.gate {
            case .permitted, .enabled, .idleApp: true
            // Without a time it has only not been discovered yet.
            case .registered: gate.since != nil
            default: false
            }
        }
    }

    var lastRun: Table.Cell {
        guard let launched = status.lastLaunched else { return .init("never", .dim) }
        let when = phrases.relative(launched)
        guard let outcome = status.lastOutcome else { return .init(when) }
        return outcome.isSuccess ? .init("ok, \(when)") : .init("\(outcome.rawValue), \(when)", .red)
    }

    /// Which gates are closed, since when, until when.
    var why: String {
        if !status.running.isEmpty {
            return "run \(status.running.map(\.description).joined(separator: ", ")) is under way"
        }
        let closed = status.verdict.closed
        guard !closed.isEmpty else { return "will be launched" }
        return closed.map { GateText(gate: $0, phrases: phrases).clause }.joined(separator: "; ")
    }
}
