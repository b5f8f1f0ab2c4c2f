import ArgumentParser
import Glibc
import LullCommands
import LullModel

@main
struct Lull: ParsableCommand {
    static func main() {
        SurvivableSignals.take()
        let known = GuessedCommand.names(below: self)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let shell = getenv("SHELL").map { String(cString: $0) }
        if let script = CompletionScript(askedBy: arguments, shell: shell) {
            Output.data(script.text)
            exit()
        }
        if let answer = GuessedCommand.answer(to: arguments, known: known)
            ?? GuessedCommand.answer(toGroup: arguments)
            ?? GuessedCommand.answer(toHelp: arguments, in: self)
        {
            FailedCommand.end(saying: answer, of: self, arguments)
        }
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            // Help and the like, which may not fit where it is written to.
            let text = fullMessage(for: error)
            if exitCode(for: error) == .success, !text.isEmpty {
                Output.data(text)
                exit()
            }
            // The parser's refusal, and the option to use instead.
            let isRefused = exitCode(for: error).rawValue == 64
            let remedy = isRefused ? GuessedCommand.remedy(forOptionsOf: arguments) : nil
            FailedCommand.end(error, of: self, arguments, remedy: remedy)
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "lull",
        abstract: "Runs a host's background work in its lulls, and just before it is needed.",
        discussion: """
            Apps ship handlers in shared libraries; jobs.yaml lists the tasks that they may run, and when. \
            If a task does not run, `lull why` says why.

            First steps:
              lull check            is jobs.yaml right, and do the plugins fit it?
              lull run --once       launch what is due now, as cron calls it
              lull run              go on doing so, as a service
              lull status           what runs, what waits, what failed
              lull why TASK         why a task does not run
              lull forecast APP     when an app is used, and what is planned for that
            """,
        version: LullVersion.text,
        subcommands: [ManualCommand.self, CompleteCommand.self, DesktopNoticeCommand.self, MQTTCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "RUNNING",
                subcommands: [
                    RunCommand.self, CheckCommand.self, DiffCommand.self,
                    Elsewhere<SimulateArguments>.self,
                    Elsewhere<BacktestArguments>.self, SchemaCommand.self,
                ]),
            CommandGroup(
                name: "ASKING",
                subcommands: [
                    StatusCommand.self, TopCommand.self, WhyCommand.self, NightCommand.self,
                    ForecastCommand.self,
                    HistoryCommand.self, LogsCommand.self, CostCommand.self,
                    PendingCommand.self, NotificationsCommand.self, TransfersCommand.self,
                    Elsewhere<WebArguments>.self,
                ]),
            CommandGroup(
                name: "TELLING",
                subcommands: [
                    UsedCommand.self, UsageCommand.self, SubmitCommand.self, CancelCommand.self,
                    LaunchCommand.self, StopCommand.self, ExpireCommand.self, PushCommand.self,
                    PauseCommand.self,
                    ResumeCommand.self, ReloadCommand.self,
                    EnableCommand.self, DisableCommand.self, FleetCommand.self,
                    NotifyCommand.self, TokenCommand.self,
                ]),
            CommandGroup(name: "MOVING IN", subcommands: [ImportCommand.self]),
            CommandGroup(name: "WRITING PLUGINS", subcommands: [PluginCommand.self]),
        ])
}
