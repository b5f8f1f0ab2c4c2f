import ArgumentParser
import LullCommands
import LullModel

/// `lull simulate`, `backtest` and `fleet diff`: the commands that run the scheduler on a virtual clock.
@main
struct Lab: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lull", version: LullVersion.text,
        subcommands: [Here<SimulateArguments>.self, Here<BacktestArguments>.self, LabFleet.self])

    static func main() {
        SurvivableSignals.take()
        FailedCommand.run(self)
    }
}

struct LabFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet", subcommands: [Here<FleetDiffArguments>.self])
}
