import ArgumentParser
import LullModel

package struct BacktestArguments: CommandArguments {
    package static let program = "lull-lab"
    package static let configuration = CommandConfiguration(
        commandName: "backtest",
        abstract: "Replay past uses, and show how fresh people would have found their data.",
        usage: "lull backtest [<options>] [<file>]",
        discussion: """
            Replays past uses through the real scheduler on a virtual clock: how old was the data that each \
            use found? For comparison, it shows what other plans reach with the same number of launches: a \
            fixed interval, a fixed interval in learned active hours, and the best plan that knows the future.

            Without --usage, it takes the uses in this host's history and every refresh task of the manifest, \
            each with its own budget and objective. It launches and records nothing.

            Examples:
              lull backtest
              lull backtest --budgets 1,2,4,8,16
              lull backtest --usage uses.csv.gz --budget 4 --launches out.csv
              lull backtest --usage uses.csv.gz --budgets 1,2,4,8,16 --json
            """)

    @OptionGroup package var options: StateOptions
    @Argument(help: StateOptions.manifestHelp("The manifest")) package var file: String?
    @Option(
        help: ArgumentHelp(
            "Replay this file of uses instead of the host's history.",
            discussion:
                "CSV with the columns app,unix_seconds,utc_offset_minutes, plain or compressed; `-` is standard input.",
            valueName: "file"))
    package var usage: String?
    @Option(
        help: ArgumentHelp(
            "With --usage: launches a day for each app, shared by all of them (default: 8).",
            valueName: "launches"))
    package var budget: Double?
    @Option(
        help: ArgumentHelp(
            "With --usage: what Lull plans the launches for.", valueName: "objective"))
    package var objective: Objective?
    @Option(
        help: ArgumentHelp(
            "With --usage: write the launches to this file, as app,unix_seconds.", valueName: "file"))
    package var launches: String?
    @Option(
        help: ArgumentHelp(
            "Try several budgets, in launches a day for each refresh task, such as 1,2,4,8,16.",
            valueName: "list"))
    package var budgets: BudgetList?
    @Flag(help: "Print JSON.") package var json = false

    package func validate() throws {
        if usage == nil {
            for (name, isGiven) in [
                ("--budget", budget != nil), ("--objective", objective != nil),
                ("--launches", launches != nil),
            ] where isGiven {
                throw ValidationError(
                    "\(name) goes with --usage FILE: this host's tasks have their own budgets and objectives in the manifest."
                )
            }
        } else if let file {
            throw ValidationError(
                "With --usage no manifest is read: leave out '\(file)', or leave out --usage.")
        }
        if let budget, !(budget >= 0 && budget <= BudgetList.most) {
            throw ValidationError("--budget is between 0 and 96 launches a day, one in 15 minutes.")
        }
        guard budgets != nil else { return }
        guard launches == nil else {
            throw ValidationError("--launches writes one run: leave out --budgets, or leave out --launches.")
        }
        guard budget == nil else {
            throw ValidationError("--budget is one and --budgets are several: leave out one of them.")
        }
    }

    package init() {}
}

/// `1,2,4,8,16`.
package struct BudgetList: ExpressibleByArgument {
    package static let usualOne = 8.0
    /// One launch in 15 minutes.
    package static let most = 96.0
    package let values: [Double]

    package init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard values.count == parts.count, (1...50).contains(values.count),
            values.allSatisfy({ $0 > 0 && $0 <= Self.most })
        else { return nil }
        self.values = Array(Set(values)).sorted()
    }
}

extension Objective: ExpressibleByArgument {}
