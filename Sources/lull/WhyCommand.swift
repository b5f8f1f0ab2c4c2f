import ArgumentParser
import LullControl
import LullHost
import LullModel
import LullScheduler

struct WhyCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Say why a task does not run, or how an app is doing.",
        usage: "lull why [<options>] <name>",
        discussion: """
            First the verdict and the one thing to do about it. Then the gates that are closed or soon will be, and \
            how likely the task is to run by when, learned from when its conditions held before. Of an app: its own \
            state, and a line for each of its tasks. Exits with 0 whatever the verdict is, and with 1 when there is \
            no such task or app.

            Examples:
              lull why refresh
              lull why com.example.ColorFeed
              lull why com.example.Backup.nightly --by "2026-12-24 08:00"
              lull why refresh --json | jq '.gates[] | select(.open | not)'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The task or app, in full or by its last word where that is unique.")
    var name: TaskOrAppName
    @Option(
        help: ArgumentHelp(
            "Say how likely it is to run by this time.",
            discussion: TimeArgument.forms + "; at most 30 days ahead.",
            valueName: "time"))
    var by: TimeArgument?
    @Flag(help: "Show every gate, open or closed, and what would let the task run from now on.") var all =
        false
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let report = try status()
        switch try NameResolver(report).taskOrApp(name.text) {
        case .task(let task): try explain(task, report)
        case .app(let app):
            guard by == nil else { throw Failure("--by is about a task. Name one of \(app).") }
            guard let why = AppWhyText(app, in: report, phrases: options.phrases) else {
                throw Failure("No app is called \(app).")
            }
            if json { return try Output.json(AppWhyJSON(why)) }
            Output.answer(styled: why.rendered(for: .output))
        }
    }

    private func explain(_ task: TaskIdentifier, _ report: StatusReport) throws {
        guard case .verdict(let verdict) = try ask(.why(task)),
            case .outlook(let outlook) = try ask(.outlook(task, by: try time()))
        else {
            throw Failure("The host answered another question than the one it was asked.")
        }
        // Only these show it, and the history may keep its readers waiting.
        let feasibility = all || json ? try self.feasibility(of: task) : nil
        if json {
            try Output.json(
                WhyJSON(
                    verdict: VerdictJSON(verdict), outlook: OutlookJSON(outlook), feasibility: feasibility,
                    historyTrouble: report.historyTrouble))
        } else {
            let text = WhyText(
                verdict: verdict, status: report.tasks.first { $0.task == task }, outlook: outlook,
                phrases: options.phrases, feasibility: feasibility, showsAll: all,
                historyTrouble: report.historyTrouble,
                remarks: (report.remarks ?? []).filter {
                    $0.contains(task.text) || $0.contains("stays in force")
                })
            Output.answer(styled: text.rendered(for: .output))
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
    private func feasibility(of task: TaskIdentifier) throws -> Feasibility? {
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
