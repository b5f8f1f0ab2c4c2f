import ArgumentParser
import LullAnswers
import LullCommands
import LullHistory
import LullHost
import LullModel

struct CostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost", abstract: "Show what runs cost, the dearest tasks first.",
        usage: "lull cost [<options>]",
        discussion: """
            For each task: its time on the processors, its number of runs, the mean of one, and its share of \
            all. Then the dearest runs, with their peak memory, and what they read from storage and wrote to \
            it. All of this comes from the history; a run whose cost is unknown is counted as such. \
            Where the manifest has a `cost_limit`, it says how much of that is spent.

            Examples:
              lull cost
              lull cost --since 1d --by app
              lull cost --by hour
              lull cost --json | jq -r '.rows[] | "\\(.processor_ms) \\(.name)"'
            """)

    @OptionGroup var options: StateOptions
    @Option(
        help: ArgumentHelp(
            "Only runs that ended from this time on: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeArgument.told)
    var since: TimeArgument?
    @Option(help: ArgumentHelp("A row for each app, task or hour of the day.", valueName: "what"))
    var by = CostReport.Grouping.task
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let phrases = options.phrases
        let since = since?.time(ahead: false) ?? phrases.now - .days(7)
        do {
            let history = try SQLiteHistory.open(folder: options.checkedFolder().path, mode: .readOnly)
            let report = try CostReport.read(
                since: since, by: by, now: phrases.now, zone: phrases.zone, in: history)
            if json { return try Output.json(CostJSON(report)) }
            let text = CostText(
                report: report, phrases: phrases, limits: try limits(in: history, at: phrases.now))
            Output.answer(styled: text.rendered(for: .output))
        } catch let error as HistoryError {
            if case .missing = error {
                let sentence = "Nothing has been recorded in \(options.folder.path) yet."
                return json ? Output.error(sentence) : Output.answer(sentence)
            }
            throw Failure(error.message + "\n" + error.fix)
        }
    }
}

extension CostCommand {
    /// How much is spent of the cost limits that are in force.
    private func limits(in history: SQLiteHistory, at now: WallTime) throws(HistoryError) -> [String] {
        guard let manifest = options.folder.manifestInForce,
            !manifest.costLimits.isEmpty || manifest.apps.contains(where: { !$0.costLimits.isEmpty })
        else { return [] }
        let zones = ZoneLoader.load(manifest.zoneNames, around: now)
        return try LedgerStore.load(from: history, zones: zones).costSentences(by: manifest, at: now)
    }
}

extension CostReport.Grouping: ExpressibleByArgument {}
