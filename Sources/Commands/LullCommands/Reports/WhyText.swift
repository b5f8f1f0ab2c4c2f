import LullAnswers
import LullModel
import LullScheduler

/// A verdict for people: the answer first, then what to do, then the gates that count.
package struct WhyText {
    package let verdict: Verdict
    let status: StatusReport.TaskStatus?
    package let outlook: Outlook
    let phrases: Phrases
    var feasibility: Feasibility?
    /// Every gate, and all that is known.
    var showsAll = false
    /// Why the host can record nothing, and so launches nothing.
    var historyTrouble: String?
    /// Nil where a host runs.
    var absent: StatusReport.Absent?
    /// No host runs, perhaps only since a moment ago.
    var isHostGone = false
    /// Problems with the manifest's files, and with this task's settings.
    var remarks: [String] = []
    /// What it runs; nil: not known to the caller.
    package var runs: WhatRuns?
    /// A better way to start it, as its last runs show.
    var better: BetterTool?

    package init(
        verdict: Verdict, status: StatusReport.TaskStatus?, outlook: Outlook, phrases: Phrases,
        feasibility: Feasibility? = nil, showsAll: Bool = false, historyTrouble: String? = nil,
        absent: StatusReport.Absent? = nil, isHostGone: Bool = false, remarks: [String] = [],
        runs: WhatRuns? = nil,
        better: BetterTool? = nil
    ) {
        self.verdict = verdict
        self.status = status
        self.outlook = outlook
        self.phrases = phrases
        self.feasibility = feasibility
        self.showsAll = showsAll
        self.historyTrouble = historyTrouble
        self.absent = absent
        self.isHostGone = isHostGone
        self.remarks = remarks
        self.runs = runs
        self.better = better
    }

    /// A gate that closes within this time is worth a line.
    private static let near: Duration = .hours(72)

    package func rendered(for terminal: Terminal) -> String {
        var out = wrapped(edited ?? headline, to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }
            .joined()
        if edited != nil {
            out += paragraph("It" + headline.dropFirst(verdict.task.text.count), terminal) + "\n"
        }
        for text in [hostless, historyTrouble].compactMap({ $0 }) + remarks {
            out += paragraph(text, terminal) + "\n"
        }
        for text in [lastRun(status?.lastReason.map { PrintedLast($0).sentence })].compactMap({ $0 }) + quoted
        {
            out += wrapped(text, to: terminal.columns).joined(separator: "\n") + "\n"
        }
        if let runs {
            out += wrapped(runs.sentence, to: terminal.columns).joined(separator: "\n  ") + "\n"
        }
        for text in background() { out += paragraph(text, terminal) + "\n" }
        if let over = status?.overLimit, !isLimitSaid {
            out += paragraph(over.sentenceCased + ".", terminal) + "\n"
        }
        for sentence in OutdatedRuns.sentences([status].compactMap { $0 }) {
            out += paragraph(sentence, terminal) + "\n"
        }
        if let first { out += "\n" + paragraph("→ " + first + ".", terminal) + "\n" }
        let shown = showsAll ? verdict.gates : closedOrClosing
        // The headline already has a single closed gate.
        if showsAll || shown.count > 1 || shown.contains(where: { said(beyondHeadline: $0) }) {
            out += "\n" + table(of: shown).rendered(for: terminal)
        }
        let paragraphs =
            expectation + (showsAll ? outlookText.lasting : [])
            + (isRunning && !showsAll ? [] : outlookText.outlook)
        if !paragraphs.isEmpty { out += "\n" }
        for text in paragraphs { out += paragraph(text, terminal) + "\n" }
        if let better { out += "\n" + paragraph("Hint: " + better.sentence + ".", terminal) + "\n" }
        if !showsAll, verdict.gates.count > shown.count {
            let rest = verdict.gates.count - shown.count
            let others = rest == 1 ? "gate" : "\(rest) gates"
            out += "\n" + terminal.styled("--all shows the other \(others).", .dim) + "\n"
        }
        while out.hasSuffix("\n") { out.removeLast() }
        return out
    }

    private var hostless: String? {
        absent.map {
            "No host has run since \(phrases.time($0.since)), so nothing is launched. "
                + "Start one with `lull run`."
        }
    }

    /// The first paragraph for a task that failed and has been changed since: the failure may be mended.
    private var edited: String? {
        guard hasFailed, let status, status.isEdited == true, status.running.isEmpty else { return nil }
        return
            "\(verdict.task) was changed in the manifest since its last run, which failed with the old "
            + "settings. Its next run uses the new ones."
    }

    /// When it comes by itself, what it missed while no host ran, and which run broke the chain that it is in.
    package func background(withSchedule: Bool = true) -> [String] {
        guard let status else { return [] }
        var sentences: [String] = []
        if let request = status.pending, let params = request.params {
            sentences.append(
                "Request \(request.id) waits to run it with \(TaskParam.words(params)).")
        }
        if withSchedule, let schedule = status.schedule { sentences.append("Its schedule: \(schedule).") }
        if let absent = status.dueWhileAbsent {
            let isOn = self.absent != nil && phrases.now - absent.until < .seconds(1)
            let end = isOn ? "now" : phrases.time(absent.until)
            sentences.append(
                "It was due \(phrases.when(absent.due)), and \(absent.cause.phrase) from \(phrases.time(absent.from)) to \(end)"
                    + (absent.cause.detail.map { ": \($0)" } ?? "") + "."
                    + (status.lastLaunched.map { $0 >= absent.until } == true ? " It has run since." : ""))
        }
        if let root = status.brokenChain {
            sentences.append(
                "Nothing started it: \(root.task) \(root.outcome.deed) \(phrases.when(root.ended)). `lull why \(root.task)` says more."
            )
        }
        return sentences
    }

    /// Whether a closed gate already says that the time limit was met, and what to do.
    private var isLimitSaid: Bool {
        verdict.closed.contains { $0.gate == .backoff && $0.reason.contains("time limit of") }
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
                feasibility.sentence.sentenceCased + ".")
        }
        return sentences
    }

    private var isRunning: Bool { status?.running.isEmpty == false }

    package var outlookText: OutlookText { OutlookText(facts: outlook, phrases: phrases) }

    package func sentences(of gate: GateVerdict) -> String {
        [GateText(gate: gate, phrases: phrases).sentences, opening(of: gate.gate)]
            .compactMap { $0 }.joined(separator: " ")
    }

    /// Nil where the outlook says that no likelihood can be given.
    private func opening(of gate: GateName) -> String? {
        outlook.unknown == nil ? outlookText.opening(of: gate) : nil
    }

    package var headline: String {
        if let running = status?.running, let run = running.first {
            guard let began = status?.lastLaunched else { return "\(verdict.task) runs (run \(run))." }
            let span = Phrase.about(phrases.now - began)
            return "\(verdict.task) has been running since \(phrases.time(began)), for \(span) (run \(run))."
        }
        // Nobody needs to request a disabled task.
        let isDisabled = verdict.closed.contains { $0.gate == .enabled }
        let closed = verdict.closed.filter { !isDisabled || $0.gate != .requested }
        guard let first = closed.first else {
            let lacksHost = absent != nil || isHostGone
            return "\(verdict.task) \(lacksHost ? "waits for a host" : "may run"): every gate is open."
        }
        let verb = status?.needsSomebody ?? (verdict.gates.count < 2) ? "does not run" : "waits"
        // A host that can get no slot says why, whatever else is closed.
        let fleet = closed.first { $0.gate == .fleet && ($0.until == nil || $0.since != nil) }
        // Before its plugin has been started there is no handler, and nothing else of the task counts.
        let start = closed.contains { $0.gate == .registered } ? closed.first { $0.gate == .backoff } : nil
        let why =
            (fleet ?? start).map(clause)
            ?? (closed.count == 1 ? clause(of: first) : Phrase.list(closed.map { $0.gate.short }))
        return "\(verdict.task) \(verb): \(why)."
    }

    private func clause(of gate: GateVerdict) -> String {
        var clause = gate.reason
        while clause.last == "." { clause.removeLast() }
        return clause.hasPrefix("it is ") ? String(clause.dropFirst(6)) : clause
    }

    /// The last run with its last output, where there is room for one line.
    package var lastRun: String? { lastRun(status?.lastReason.map { PrintedLast($0).inOneLine }) }

    private var quoted: [String] { PrintedLast(status?.lastReason ?? "").lines.map { "│ " + $0 } }

    private func lastRun(_ reason: String?) -> String? {
        // The headline has the run that is under way.
        guard let status, status.lastRun.map({ !status.running.contains($0) }) ?? true else { return nil }
        guard let launched = status.lastLaunched else { return "It has never run." }
        var text = "Last run \(phrases.past(launched))"
        if let run = status.lastRun { text += " (run \(run))" }
        if let outcome = status.lastOutcome { text += ": \(outcome.rawValue)" }
        if let milliseconds = status.lastMilliseconds {
            text += " after \(Phrase.about(.milliseconds(milliseconds)))"
        }
        if edited != nil { text += " with the old settings" }
        if let reason { text += ", \(reason)" }
        return text.hasSuffix(".") ? text : text + "."
    }

    /// Gates that a running host does not open by itself.
    private static let somebodys: Set<GateName> = [.permitted, .enabled, .paused, .idleApp]

    /// The one thing to do first; nil while the task runs, or where no closed gate has a remedy.
    var first: String? {
        guard status?.running.isEmpty ?? true, let remedy = firstRemedy else { return nil }
        // Only time holds it back, and it would fail again.
        if hasFailed, let launch = remedy.firstRange(of: "launch it now with "),
            launch.lowerBound == remedy.startIndex
        {
            let head =
                edited == nil ? "Fix the cause, then try it with " : "Try the new settings with "
            return head + remedy[launch.upperBound...]
        }
        return remedy.sentenceCased
    }

    /// A gate that only a person opens comes first, then the one that opens last. Others' runs end by themselves, so
    /// they count least.
    private var firstRemedy: String? {
        let closed = verdict.closed.filter { $0.remedy != nil }
        let others = closed.filter { $0.gate != .concurrency }
        let gate =
            closed.first { Self.somebodys.contains($0.gate) } ?? others.first { $0.until == nil }
            ?? others.max { ($0.until ?? .distantFuture) < ($1.until ?? .distantFuture) } ?? closed.first
        return gate?.remedy
    }

    private var hasFailed: Bool { status?.isFailing ?? false }

    /// The first remedy, then the others; a remedy for several gates is given once.
    package var remedies: [String] {
        var remedies = [first].compactMap { $0 }
        let said = first == nil ? nil : firstRemedy
        for remedy in verdict.closed.compactMap(\.remedy) where remedy != said && !remedies.contains(remedy) {
            remedies.append(remedy)
        }
        return remedies
    }
}
