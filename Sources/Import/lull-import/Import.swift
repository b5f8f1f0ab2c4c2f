import ArgumentParser
import LullCommands
import LullModel

/// `lull import`: what cron and systemd ran, as a manifest.
@main
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lull", version: LullVersion.text, subcommands: [ImportCommand.self])

    static func main() {
        SurvivableSignals.take()
        FailedCommand.run(self)
    }
}

struct ImportCommand: ParsableCommand {
    static let configuration = ImportGroup.configuration([
        Here<ImportCrontabArguments>.self, Here<ImportTimersArguments>.self,
    ])
}
