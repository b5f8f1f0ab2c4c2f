import ArgumentParser
import LullModel

@main
struct Lull: ParsableCommand {
    static func main() {
        HarmlessSignals.take()
        main(nil)
    }

    static let configuration = CommandConfiguration(
        commandName: "lull",
        abstract: "Runs a host's background work in its lulls, and just before it is needed.",
        discussion: """
            Apps ship handlers in shared libraries; jobs.yaml lists the tasks that they may run, and when. \
            Where a task does not run, `lull why` says why.

            First steps:
              lull check            is jobs.yaml right, and do the plugins fit it?
              lull run --once       launch what is due now, as cron calls it
              lull run              go on doing so, as a service
              lull status           what runs, what waits, what failed
              lull why TASK         why a task does not run
              lull forecast APP     when an app is used, and what is planned for that
            """,
        version: LullVersion.text,
        subcommands: [ManualCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "RUNNING",
                subcommands: [
                    RunCommand.self, CheckCommand.self, DiffCommand.self, SimulateCommand.self,
                    BacktestCommand.self, SchemaCommand.self,
                ]),
            CommandGroup(
                name: "ASKING",
                subcommands: [
                    StatusCommand.self, TopCommand.self, WhyCommand.self, NightCommand.self,
                    ForecastCommand.self,
                    HistoryCommand.self,
                    PendingCommand.self, WebCommand.self,
                ]),
            CommandGroup(
                name: "TELLING",
                subcommands: [
                    UsedCommand.self, UsageCommand.self, SubmitCommand.self, CancelCommand.self,
                    LaunchCommand.self, ExpireCommand.self, PauseCommand.self, ResumeCommand.self,
                    EnableCommand.self, DisableCommand.self,
                    NotifyCommand.self,
                ]),
            CommandGroup(name: "MOVING IN", subcommands: [ImportCommand.self]),
            CommandGroup(name: "WRITING PLUGINS", subcommands: [PluginCommand.self]),
        ])
}
