import LullAnswers
import LullModel

extension StatusReport {
    /// Whether ready tasks wait for a host. Not with passes: the next one comes by itself.
    package var lacksHost: Bool { absent.map { $0.cause != .passes } ?? false }

    package var chains: [TaskIdentifier: [ChainLink]] {
        Dictionary(tasks.compactMap { task in task.after.map { (task.task, $0) } }) { first, _ in first }
    }

    package var disabledTasks: Set<TaskIdentifier> {
        Set(
            tasks.filter { task in task.verdict.gates.contains { $0.gate == .enabled && !$0.isOpen } }.map(
                \.task))
    }

    /// The gate of the tasks whose plugin can't be loaded. Of a plugin that registers no handler for a task nobody knows since when.
    package var lacks: [TaskIdentifier: GateVerdict] {
        let broken = Set(apps.filter { $0.trouble != nil }.map(\.app))
        let gates = tasks.compactMap { task in
            !broken.contains(task.app)
                ? nil
                : task.verdict.gates.first { $0.gate == .registered && !$0.isOpen && $0.since != nil }
                    .map { (task.task, $0) }
        }
        return Dictionary(gates) { first, _ in first }
    }
}

/// One task in a table: its state in a word, and the reason in a line.
package struct TaskLine {
    let status: StatusReport.TaskStatus
    let phrases: Phrases
    var lacksHost = false

    package init(status: StatusReport.TaskStatus, phrases: Phrases, lacksHost: Bool = false) {
        self.status = status
        self.phrases = phrases
        self.lacksHost = lacksHost
    }

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

    package var state: Table.Cell {
        // The tasks that a wildcard permits wait, not the wildcard.
        if status.task.isWildcard { return .init("–", .dim) }
        if !status.running.isEmpty { return .init("runs", .green) }
        if status.lateness != nil { return .init("late", .red) }
        if status.verdict.mayRun { return .init("ready", .green) }
        return heldBack.map { .init($0.word, .yellow) } ?? .init("waits")
    }

    /// The first closed gate that a person has to open, and a word for it.
    private var heldBack: (word: String, gate: GateVerdict)? {
        for gate in status.verdict.closed {
            switch gate.gate {
            case .enabled: return ("disabled", gate)
            case .paused: return ("paused", gate)
            case .idleApp: return ("idle", gate)
            case .permitted where !status.task.isWildcard: return ("refused", gate)
            case .registered where gate.needsSomebody: return ("no handler", gate)
            case .permitted, .registered, .requested, .earliestBegin, .network, .externalPower, .battery,
                .idle, .load, .disk, .folder, .window, .quiet, .rateLimit, .budget, .costLimit, .backoff,
                .concurrency, .fleet, .shuttingDown, .moment:
                continue
            }
        }
        return nil
    }

    package var lastRun: Table.Cell {
        guard let launched = status.lastLaunched else { return .init("never", .dim) }
        let when = phrases.past(launched)
        guard let outcome = status.lastOutcome else { return .init(when) }
        if outcome.isSuccess { return .init("ok, \(when)") }
        return .init(
            "\(outcome.rawValue), \(when)", outcome.isFailure(endedBy: status.lastGates) ? .red : .yellow)
    }

    /// The last outcome of a task that fails, and how often it has failed in a row.
    var failure: Table.Cell {
        let often = (status.failures ?? 0) > 1 ? " \(status.failures ?? 0)×" : ""
        guard let outcome = status.lastOutcome, let launched = status.lastLaunched else {
            return .init("failed\(often)", .red)
        }
        return .init("\(outcome.rawValue)\(often), \(phrases.past(launched))", .red)
    }

    /// The same in a word or two: "fails 3×".
    package var fails: String {
        (status.failures ?? 0) > 1 ? "fails \(min(status.failures ?? 0, 99))×" : "fails"
    }

    /// Why it failed, with what it printed last, each line of that in so many columns, and what comes next.
    package func cause(quoting most: Int, in columns: Int) -> String {
        let told = PrintedLast(status.lastReason ?? "")
        let sentence = told.sentence.withoutFullStop
        let quoted = told.telling(most).map { ("│ " + $0).terminalSafe.elided(to: max(columns, 20)) }
        // A task that is running waits for nothing.
        let rest = status.running.isEmpty ? "→ " + next : reasons
        let parts = [changed].compactMap { $0 } + (sentence.isEmpty ? [] : [sentence]) + quoted + [rest]
        return parts.joined(separator: "\n")
    }

    /// Nil unless the manifest was changed since the failure, which may be mended by now.
    package var changed: String? {
        status.isEdited == true ? "changed in the manifest since: the next run uses the new settings" : nil
    }

    private var next: String {
        guard status.lateness == nil, status.overLimit == nil, heldBack == nil, let time = status.next?.time
        else {
            return reasons
        }
        guard time - phrases.now >= .seconds(1) else { return "again now" }
        return "again \(phrases.relative(time)), at \(phrases.time(time))"
    }

    /// Whether its last run was cut short, and what it waits for, in few words: `lull why` has the sentences.
    package var why: String { isSaid ? reasons : [cutShort, wait].compactMap { $0 }.joined(separator: "; ") }

    /// Its last run ended through no fault of the task.
    private var cutShort: String? {
        guard let gates = status.lastGates, let outcome = status.lastOutcome,
            !outcome.isFailure(endedBy: gates),
            let run = status.lastRun
        else { return nil }
        return "run \(run) was cut short: " + gates.map(GateName.short).joined(separator: ", ")
    }

    private var wait: String {
        guard let gate = status.verdict.closed.first else { return reasons }
        let next = status.next?.time.map { _ in "next " + NextText(next: status.next, phrases: phrases).cell }
        if let next { return next }
        if let held = heldBack?.gate {
            let words = text(held)
            return words.hasPrefix("it is ") ? String(words.dropFirst(6)) : words
        }
        if status.next == .afterBoot { return "next boot" }
        if status.next == .onEvent, status.verdict.closed.map(\.gate) == [.requested] {
            return "for an event"
        }
        // The handler has not been seen yet, or the folder is full: one word says too little.
        if gate.gate == .registered || gate.gate == .folder { return text(gate) }
        let words = status.verdict.closed.map { $0.gate.short }
        return words.joined(separator: ", ") + (gate.since.map { " since \(phrases.time($0))" } ?? "")
    }

    /// Which gates are closed, since when, until when.
    package var reasons: String {
        if status.task.isWildcard, heldBack?.gate.gate != .registered {
            return "permits identifiers with something in the place of its asterisk"
        }
        if !status.running.isEmpty { return runs }
        if let lateness = status.lateness { return lateness }
        // Also while it is held back by something else: it will be begun all the same.
        if let over = status.overLimit { return over }
        let closed = status.verdict.closed
        guard !closed.isEmpty else {
            return lacksHost ? "will be launched when a host runs" : "will be launched"
        }
        return closed.map(text).joined(separator: "; ")
    }

    /// Whether there is more to say than which gates it waits for.
    private var isSaid: Bool {
        status.task.isWildcard || !status.running.isEmpty || status.lateness != nil || status.overLimit != nil
    }

    private var runs: String {
        func text(_ runs: [RunID]) -> String { "run " + runs.map(\.description).joined(separator: ", ") }
        let old = "with the manifest before the last change"
        var runs = text(status.running) + " is under way"
        if let outdated = status.outdated {
            runs += outdated == status.running ? ", \(old)" : "; \(text(outdated)) \(old)"
        }
        return ([runs] + status.progress.map(progress)).filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private func text(_ gate: GateVerdict) -> String { GateText(gate: gate, phrases: phrases).clause }
}

extension StatusReport.TaskStatus {
    /// Its times or its interval, as the manifest has them; nil: on request or by events alone.
    package var schedule: String? {
        if let times { return times.at.joined(separator: "; ") + ", in \(times.zone)" }
        guard let repeats else { return nil }
        let span = Phrase.span(repeats)
        return kind == .refresh
            ? "no more often than every \(span), when its app is likely to be used" : "every \(span)"
    }

    /// It stays so until a person acts.
    package var needsSomebody: Bool { verdict.closed.contains(where: \.needsSomebody) }
}
