import ArgumentParser
import LullControl
import LullHost
import LullModel
import LullScheduler

struct WhyCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Say why a task does not run, gate by gate.",
        discussion: """
            Lists every gate between the task and its launch: open or closed, since when, until when, when it is \
            likely to open, and what would open it; then how likely the task runs by when, and the smallest change \
            that lets it run now. A likelihood is learned from when the conditions held before. Exits with 0 whatever the verdict is, and with 1 when there is no such task.

            Examples:
              lull why com.example.ColorFeed.refresh
              lull why com.example.Backup.nightly --by "2026-12-24 08:00"
              lull why com.example.ColorFeed.refresh --json | jq '.gates[] | select(.open | not)'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The task's identifier, such as com.example.ColorFeed.refresh.") var task: TaskIdentifier
    @Option(
        help: ArgumentHelp(
            "Say how likely it runs by this time.",
            discussion: TimeArgument.forms + "; at most 30 days ahead.",
            valueName: "time"))
    var by: TimeArgument?
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        guard case .verdict(let verdict) = try ask(.why(task)), case .status(let report) = try ask(.status)
        else {
            throw Failure("The host answered another question than the one it was asked.")
        }
        guard case .outlook(let outlook) = try ask(.outlook(task, by: try time())) else {
            throw Failure("The host answered another question than the one it was asked.")
        }
        let feasibility = try self.feasibility()
        if json {
            try Output.json(
                WhyJSON(
                    verdict: VerdictJSON(verdict), outlook: OutlookJSON(outlook), feasibility: feasibility))
        } else {
            let status = report.tasks.first { $0.task == task }
            Output.answer(
                styled: WhyText(
                    verdict: verdict, status: status, outlook: outlook, phrases: options.phrases,
                    feasibility: feasibility
                )
                .rendered(for: .output))
        }
        // Of what the manifest does not permit there is one gate; what fits a wildcard has no row of its own.
        guard verdict.gates.count > 1 else {
            let known = report.tasks.map(\.task.text)
            if let near = Sentences.nearest(to: task.text, among: known) {
                Output.error("Did you mean \(near)?")
            }
            throw ExitCode(1)
        }
    }

    /// Of its constraints, as the history has them.
    private func feasibility() throws -> Feasibility? {
        guard let manifest = options.read(manifest).manifest,
            let definition = manifest.tasks.first(where: { $0.identifier == task })
        else { return nil }
        return PastConditions(try options.checkedFolder().path, manifest).feasibility(of: definition)
    }

    private func time() throws -> WallTime? {
        guard let by else { return nil }
        let time = by.time(ahead: true)
        let now = Phrases.current.now
        guard time > now else { throw Failure("`--by` has passed. Give a time to come, such as `--by 6h`.") }
        guard time <= now + Outlook.farthest else {
            throw Failure("`--by` is more than 30 days ahead. Give a nearer time, such as `--by 7d`.")
        }
        return time
    }
}

/// A verdict for people: the answer first, then every gate.
struct WhyText {
    let verdict: Verdict
    let status: StatusReport.TaskStatus?
    let outlook: Outlook
    let phrases: Phrases
    var feasibility: Feasibility?

    func rendered(for terminal: Terminal) -> String {
        var out = wrapped(headline, to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }.joined()
        if let last = lastRun { out += wrapped(last, to: terminal.columns).joined(separator: "\n") + "\n" }
        if let over = status?.overLimit {
            let sentence = over.prefix(1).uppercased() + over.dropFirst() + "."
            out += wrapped(sentence, to: terminal.columns).joined(separator: "\n") + "\n"
        }
        out += "\n"
        var table = Table(header: ["GATE", "", "VERDICT"])
        for gate in verdict.gates {
            table.rows.append([
                .init(gate.gate.rawValue),
                gate.isOpen ? .init("open", .green) : .init("closed", .red),
                .init(sentences(of: gate), gate.isOpen ? .dim : nil),
            ])
        }
        out += table.rendered(for: terminal)
        for remedy in remedies {
            out +=
                "\n" + wrapped("→ " + phrases.remedy(remedy), to: terminal.columns).joined(separator: "\n  ")
        }
        let paragraphs = expectation + outlookText.paragraphs
        if !paragraphs.isEmpty { out += "\n" }
        for paragraph in paragraphs {
            out += "\n" + wrapped(phrases.remedy(paragraph), to: terminal.columns).joined(separator: "\n  ")
        }
        return out
    }

    /// Whether it is late, by when it is expected, and how often its constraints held.
    private var expectation: [String] {
        var sentences: [String] = []
        if let lateness = status?.lateness {
            sentences.append("It is late: \(lateness).")
        } else if let expected = status?.expectedBy {
            sentences.append(
                "Expected to be launched by \(phrases.time(expected)); later than that is told as overdue.")
        }
        if let feasibility {
            sentences.append(
                feasibility.sentence.prefix(1).uppercased() + feasibility.sentence.dropFirst() + ".")
        }
        return sentences
    }

    var outlookText: OutlookText { OutlookText(outlook: outlook, phrases: phrases) }

    func sentences(of gate: GateVerdict) -> String {
        [GateText(gate: gate, phrases: phrases).sentences, outlookText.opening(of: gate.gate)]
            .compactMap { $0 }.joined(separator: " ")
    }

    var headline: String {
        if let running = status?.running, let run = running.first {
            return "\(verdict.task) runs (run \(run))."
        }
        let closed = verdict.closed
        guard !closed.isEmpty else { return "\(verdict.task) may run: every gate is open." }
        let gates = closed.count == 1 ? "1 gate is" : "\(closed.count) gates are"
        return "\(verdict.task) does not run: \(gates) closed."
    }

    var lastRun: String? {
        guard let status else { return nil }
        guard let launched = status.lastLaunched else { return "It has never run." }
        var text = "Last run \(phrases.relative(launched))"
        if let run = status.lastRun { text += " (run \(run))" }
        if let outcome = status.lastOutcome { text += ": \(outcome.rawValue)" }
        if let milliseconds = status.lastMilliseconds {
            text += " after \(Phrases.span(.milliseconds(milliseconds)))"
        }
        if let reason = status.lastReason { text += ", \(reason)" }
        return text.hasSuffix(".") ? text : text + "."
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
