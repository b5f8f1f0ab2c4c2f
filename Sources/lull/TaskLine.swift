import LullModel

/// What a table says of one task: its state in a word, and the reason in a sentence.
struct TaskLine {
    let status: StatusReport.TaskStatus
    let phrases: Phrases

    /// "40 %, Export of 9 pages: page 4".
    private func progress(_ progress: RunProgress) -> String {
        let title = [progress.title, progress.subtitle].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: ": ")
        let share = progress.fraction.map { "\(Int(($0 * 100).rounded(.down))) %" }
        let still = "no progress since \(phrases.relative(progress.since))"
        let isStill = phrases.now - progress.since >= .seconds(10)
        return [share, title.isEmpty ? nil : title, isStill ? still : nil].compactMap { $0 }
            .joined(separator: ", ")
    }

    var state: Table.Cell {
        // What a wildcard permits is what waits, not the wildcard.
        if status.task.isWildcard { return .init("–", .dim) }
        if !status.running.isEmpty { return .init("runs", .green) }
        if status.lateness != nil { return .init("late", .red) }
        if status.verdict.mayRun { return .init("ready", .green) }
        let isStopped = status.needsSomebody
        return .init(isStopped ? "stopped" : "waits", isStopped ? .yellow : nil)
    }

    private var needsHandler: Bool {
        status.verdict.closed.contains { $0.gate == .registered && $0.since != nil }
    }

    var lastRun: Table.Cell {
        guard let launched = status.lastLaunched else { return .init("never", .dim) }
        let when = phrases.relative(launched)
        guard let outcome = status.lastOutcome else { return .init(when) }
        return outcome.isSuccess ? .init("ok, \(when)") : .init("\(outcome.rawValue), \(when)", .red)
    }

    /// The last outcome of a task that fails, and how often it has failed in a row.
    var failure: Table.Cell {
        let often = (status.failures ?? 0) > 1 ? " \(status.failures ?? 0)×" : ""
        guard let outcome = status.lastOutcome, let launched = status.lastLaunched else {
            return .init("failed\(often)", .red)
        }
        return .init("\(outcome.rawValue)\(often), \(phrases.relative(launched))", .red)
    }

    /// The same in a word or two: "fails 3×".
    var fails: String { (status.failures ?? 0) > 1 ? "fails \(min(status.failures ?? 0, 99))×" : "fails" }

    /// Why it failed, with what it printed last, each line of that in so many columns, and what comes next.
    func cause(quoting most: Int, in columns: Int) -> String {
        let told = PrintedLast(status.lastReason ?? "")
        let sentence = told.sentence.withoutFullStop
        let quoted = told.lines.suffix(most).map { ("│ " + $0).harmless.elided(to: max(columns, 20)) }
        return ((sentence.isEmpty ? [] : [sentence]) + quoted + ["→ " + next]).joined(separator: "\n")
    }

    private var next: String {
        let closed = status.verdict.closed
        guard status.running.isEmpty, closed.allSatisfy({ $0.gate == .backoff || $0.gate == .earliestBegin }),
            let time = closed.compactMap(\.until).max()
        else { return why }
        return "again \(phrases.relative(time)), at \(phrases.time(time))"
    }

    /// Which gates are closed, since when, until when.
    var why: String {
        if status.task.isWildcard, !needsHandler {
            return "permits identifiers with something in the place of its asterisk"
        }
        if !status.running.isEmpty {
            let runs = "run \(status.running.map(\.description).joined(separator: ", ")) is under way"
            let outdated = status.outdated.map {
                "run \($0.map(\.description).joined(separator: ", ")) as it was before the last change, the next as it is now"
            }
            return ([runs] + [outdated].compactMap { $0 } + status.progress.map(progress)).joined(
                separator: "; ")
        }
        if let lateness = status.lateness { return lateness }
        // Also while it is held back by something else: it will be begun all the same.
        if let over = status.overLimit { return over }
        let closed = status.verdict.closed
        guard !closed.isEmpty else { return "will be launched" }
        return closed.map { GateText(gate: $0, phrases: phrases).clause }.joined(separator: "; ")
    }
}

extension StatusReport.TaskStatus {
    /// It stays so until somebody does something about it.
    var needsSomebody: Bool {
        verdict.closed.contains { gate in
            switch gate.gate {
            case .permitted, .enabled, .idleApp: true
            case .paused: gate.until == nil
            // Without a time it has only not been discovered yet.
            case .registered: gate.since != nil
            default: false
            }
        }
    }

    /// When the last of the gates that open by time alone does; nil: another has to open, or none.
    var expected: WallTime? {
        let closed = verdict.closed
        guard !closed.isEmpty, closed.allSatisfy({ $0.until != nil }) else { return nil }
        return closed.compactMap(\.until).max()
    }
}
