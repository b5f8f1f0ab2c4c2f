import LullModel
import LullScheduler
import LullWeb

/// A verdict for people: the answer first, then what to do, then the gates that count.
struct WhyText {
    let verdict: Verdict
    let status: StatusReport.TaskStatus?
    let outlook: Outlook
    let phrases: Phrases
    var feasibility: Feasibility?
    /// Every gate, and all that is known.
    var showsAll = false
    /// Of the whole host: why it can record nothing, and so launches nothing.
    var historyTrouble: String?
    /// What is wrong with the manifest's files, and with this task's settings.
    var remarks: [String] = []

    /// A gate that closes within this time is worth a line.
    private static let near: Duration = .hours(72)

    func rendered(for terminal: Terminal) -> String {
        var out = wrapped(headline, to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }.joined()
        for text in [historyTrouble].compactMap({ $0 }) + remarks { out += paragraph(text, terminal) + "\n" }
        for text in [lastRun(status?.lastReason.map { PrintedLast($0).sentence })].compactMap({ $0 }) + quoted
        {
            out += wrapped(text, to: terminal.columns).joined(separator: "\n") + "\n"
        }
        if let over = status?.overLimit {
            out += paragraph(over.prefix(1).uppercased() + over.dropFirst() + ".", terminal) + "\n"
        }
        for sentence in OutdatedRuns.sentences([status].compactMap { $0 }) {
            out += paragraph(sentence, terminal) + "\n"
        }
        if let first { out += "\n" + paragraph("→ " + first + ".", terminal) + "\n" }
        let shown = showsAll ? verdict.gates : closedOrClosing
        // One closed gate stands in the headline already.
        if showsAll || shown.count > 1 || shown.contains(where: { said(beyondHeadline: $0) }) {
            out += "\n" + table(of: shown).rendered(for: terminal)
        }
        let paragraphs =
            expectation + (showsAll ? outlookText.lasting : [])
            + (isRunning && !showsAll ? [] : outlookText.outlook)
        if !paragraphs.isEmpty { out += "\n" }
        for text in paragraphs { out += paragraph(text, terminal) + "\n" }
        if !showsAll, verdict.gates.count > shown.count {
            let rest = verdict.gates.count - shown.count
            let others = rest == 1 ? "gate" : "\(rest) gates"
            out += "\n" + terminal.styled("--all shows the other \(others).", .dim) + "\n"
        }
        while out.hasSuffix("\n") { out.removeLast() }
        return out
    }

    private func paragraph(_ text: String, _ terminal: Terminal) -> String {
        wrapped(phrases.remedy(text), to: terminal.columns).joined(separator: "\n  ")
    }

    private func table(of gates: [GateVerdict]) -> Table {
        var table = Table(header: ["GATE", "", "VERDICT"])
        for gate in gates {
            table.rows.append([
                .init(gate.gate.rawValue),
                gate.isOpen ? .init("open", .green) : .init("closed", .red),
                .init(sentences(of: gate), gate.isOpen ? .dim : nil),
            ])
        }
        return table
    }

    private var closedOrClosing: [GateVerdict] {
        verdict.gates.filter { gate in
            !gate.isOpen || gate.closes.map { $0 - phrases.now < Self.near } ?? false
        }
    }

    /// Whether a gate's line says more than the headline does.
    private func said(beyondHeadline gate: GateVerdict) -> Bool {
        gate.isOpen || opening(of: gate.gate) != nil || gate.since != nil
    }

    /// Whether it is late, by when it is expected, and how often its constraints held.
    private var expectation: [String] {
        var sentences: [String] = []
        if let lateness = status?.lateness {
            sentences.append("It is late: \(lateness).")
        } else if let expected = status?.expectedBy, showsAll {
            sentences.append("It is overdue unless it is launched by \(phrases.time(expected)).")
        }
        if let feasibility, showsAll {
            sentences.append(
                feasibility.sentence.prefix(1).uppercased() + feasibility.sentence.dropFirst() + ".")
        }
        return sentences
    }

    private var isRunning: Bool { status?.running.isEmpty == false }

    var outlookText: OutlookText { OutlookText(facts: outlook, phrases: phrases) }

    func sentences(of gate: GateVerdict) -> String {
        [GateText(gate: gate, phrases: phrases).sentences, opening(of: gate.gate)]
            .compactMap { $0 }.joined(separator: " ")
    }

    /// No likelihood stands beside "no likelihood can be given".
    private func opening(of gate: GateName) -> String? {
        outlook.unknown == nil ? outlookText.opening(of: gate) : nil
    }

    var headline: String {
        if let running = status?.running, let run = running.first {
            return "\(verdict.task) runs (run \(run))."
        }
        let closed = verdict.closed
        guard let first = closed.first else { return "\(verdict.task) may run: every gate is open." }
        let verb = status?.needsSomebody ?? (verdict.gates.count < 2) ? "does not run" : "waits"
        let why =
            closed.count == 1
            ? clause(of: first) : Self.list(closed.map { GateWords.short($0.gate.rawValue) })
        return "\(verdict.task) \(verb): \(why)."
    }

    private func clause(of gate: GateVerdict) -> String {
        var clause = gate.reason
        while clause.last == "." { clause.removeLast() }
        return clause.hasPrefix("it is ") ? String(clause.dropFirst(6)) : clause
    }

    private static func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return items.dropLast().joined(separator: ", ") + " and " + last
    }

    /// With what it printed last, where there is room for one line.
    var lastRun: String? { lastRun(status?.lastReason.map { PrintedLast($0).inOneLine }) }

    private var quoted: [String] { PrintedLast(status?.lastReason ?? "").lines.map { "│ " + $0 } }

    private func lastRun(_ reason: String?) -> String? {
        guard let status else { return nil }
        guard let launched = status.lastLaunched else { return "It has never run." }
        var text = "Last run \(phrases.relative(launched))"
        if let run = status.lastRun { text += " (run \(run))" }
        if let outcome = status.lastOutcome { text += ": \(outcome.rawValue)" }
        if let milliseconds = status.lastMilliseconds {
            text += " after \(Phrases.span(.milliseconds(milliseconds)))"
        }
        if let reason { text += ", \(reason)" }
        return text.hasSuffix(".") ? text : text + "."
    }

    /// A running host opens none of these.
    private static let somebodys: Set<GateName> = [.permitted, .enabled, .paused, .idleApp]

    /// The one thing to do first: about what only somebody opens, else about the first closed gate.
    var first: String? {
        guard status?.running.isEmpty ?? true else { return nil }
        let closed = verdict.closed.filter { $0.remedy != nil }
        let gate =
            closed.first { Self.somebodys.contains($0.gate) } ?? closed.first { $0.until == nil }
            ?? closed.first
        guard let remedy = gate?.remedy else { return nil }
        // Only time holds it back, and it would fail again.
        if hasFailed, let launch = remedy.firstRange(of: "launch it now with "),
            launch.lowerBound == remedy.startIndex
        {
            return "Mend what it failed of, then try it with " + remedy[launch.upperBound...]
        }
        return remedy.prefix(1).uppercased() + remedy.dropFirst()
    }

    private var hasFailed: Bool {
        switch status?.lastOutcome {
        case .failed, .crashed, .killed, .expired: true
        default: false
        }
    }

    /// What opens several gates is said once.
    var remedies: [String] {
        var remedies: [String] = []
        for remedy in verdict.closed.compactMap(\.remedy) where !remedies.contains(remedy) {
            remedies.append(remedy)
        }
        return remedies
    }
}
