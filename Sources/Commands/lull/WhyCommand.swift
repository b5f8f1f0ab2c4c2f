import ArgumentParser
import LullAnswers
import LullCommands
import LullControl
import LullHistory
import LullHost
import LullModel
import LullScheduler

struct WhyCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Say why a task or a transfer does not run, or how an app is doing.",
        usage: "lull why [<options>] <name>",
        discussion: """
            First comes the verdict and the one thing to do about it. Then come the gates that are closed or \
            soon will be, and how likely the task is to run by certain times, learned from when its conditions \
            held before. For an app: its state, and a line for each of its tasks. For a transfer: what it \
            waits for, and how far it has come. Exits with 0 whatever the verdict is, and with 1 if there is \
            no such task or app.

            Examples:
              lull why refresh
              lull why com.example.ColorFeed
              lull why t17
              lull why com.example.Backup.nightly --by "2026-12-24 08:00"
              lull why nightly --fleet
              lull why refresh --json | jq '.gate_states[] | select(.open | not)'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(
        help: "The task or app, in full or by its last word where that is unique; or a transfer, such as t17."
    )
    var name: TaskOrAppName
    @Option(
        help: ArgumentHelp(
            "Say how likely it is to run by this time.",
            discussion: TimeArgument.forms + "; at most 30 days ahead.",
            valueName: "time"), transform: TimeArgument.told)
    var by: TimeArgument?
    @Flag(help: "Show every gate, open or closed, and what would let the task run from now on.") var all =
        false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var fleet: FleetFlag
    var manifest: String? { manifestOption.path }

    func run() throws {
        var names = try names()
        let folder = options.folder
        names.past = { PastTask.names(in: folder) }
        if let transfer = TransferID(name.text), (try? names.taskOrApp(name.text)) == nil {
            return try explain(transfer)
        }
        let found = try find { try names.taskOrApp(name.text) }
        if fleet.fleet { return try explainInFleet(found) }
        let report = try status(of: found.scope)
        switch found {
        case .task(let task): try explain(task, report, names)
        case .app(let app):
            guard by == nil else { throw Failure("--by is about a task. Name one of \(app).") }
            guard let why = AppWhyText(app, in: report, phrases: options.phrases) else {
                throw Failure("No app is called \(app).")
            }
            if json { return try Output.json(AppWhyJSON(why)) }
            Output.answer(styled: why.rendered(for: .output))
        }
    }

    private func explain(_ task: TaskIdentifier, _ report: StatusReport, _ names: NameResolver) throws {
        let why = try ask(Ask.Why(task, by: try time()))
        let (verdict, outlook) = (why.verdict, why.outlook)
        // Only these show it, and reading the history may take long.
        let feasibility = all || json ? try self.feasibility(of: task) : nil
        let runs = WhatRuns(of: task, options, manifest: manifest)
        let better = better(than: runs?.definition)
        if json {
            try Output.json(
                WhyJSON(
                    verdict: VerdictJSON(verdict), outlook: OutlookJSON(outlook),
                    feasibility: feasibility.map(FeasibilityJSON.init), historyTrouble: report.historyTrouble,
                    command: runs?.command, place: runs?.place,
                    hint: better?.sentence))
        } else {
            let status = report.tasks.first { $0.task == task }
            // The sources of its app's uses decide when a refresh comes.
            let ofApp = status?.kind == .refresh ? status.map { report.remarks(on: $0.app) } ?? [] : []
            // Below, `absent` says it of a host that has run here.
            let hostless = [report.hostless].compactMap {
                $0.flatMap { $0.runsElsewhere || report.absent == nil ? $0.sentence : nil }
            }
            let text = WhyText(
                verdict: verdict, status: status, outlook: outlook,
                phrases: options.phrases, feasibility: feasibility, showsAll: all,
                historyTrouble: report.historyTrouble,
                absent: report.lacksHost ? report.absent : nil,
                // Without a manifest in force no host has judged the task; passes come by themselves.
                isHostGone: report.inForce == nil && report.absent?.cause != .passes,
                remarks: hostless
                    + (report.remarks ?? []).filter {
                        $0.contains(task.text) || $0 == report.inForce?.trouble
                    }
                    + ofApp, runs: runs, better: better)
            Output.answer(styled: text.rendered(for: .output))
        }
        // A task that the manifest does not permit has one gate; one that fits a wildcard has no row of its own.
        guard verdict.gates.count > 1 else {
            if !json, let past = PastTask.find(task, in: options.folder, permitted: { _ in false }) {
                Output.answer(past.sentence(options.phrases))
                Output.answer(
                    options.remedy("`lull history --task \(task) --events` shows what became of it."))
                throw ExitCode(1)
            }
            if let near = Sentences.nearest(to: task.text, among: names.tasks.map(\.text)) {
                Output.error("Did you mean \(near)?")
            }
            throw ExitCode(1)
        }
    }

    /// A better way to start the task; nil also where the history can't be read.
    private func better(than task: TaskDefinition?) -> BetterTool? {
        guard let task, let history = try? SQLiteHistory.open(folder: options.folder.path, mode: .readOnly)
        else { return nil }
        return try? BetterTool(of: task, in: history)
    }

    /// How often its constraints held, from the history.
    private func feasibility(of task: TaskIdentifier) throws -> Feasibility? {
        guard let manifest = options.read(options.manifestOfState(manifest)).manifest,
            let definition = manifest.tasks.first(where: { $0.identifier == task })
        else { return nil }
        return PastConditions(try options.checkedFolder().path, manifest).feasibility(of: definition)
    }

    private func time() throws -> WallTime? {
        guard let by else { return nil }
        let time = by.time(ahead: true)
        let now = Phrases.current.now
        guard time > now else { throw Failure("`--by` has passed. Give a future time, such as `--by 6h`.") }
        guard time <= now + Outlook.farthest else {
            throw Failure("`--by` is more than 30 days ahead. Give a nearer time, such as `--by 7d`.")
        }
        return time
    }
}
