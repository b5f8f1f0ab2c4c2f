import ArgumentParser
import LullCommands
import LullModel

/// `lull plugin`: the commands for authors of plugins.
@main
struct Authors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lull", version: LullVersion.text, subcommands: [PluginCommand.self])

    static func main() {
        SurvivableSignals.take()
        FailedCommand.run(self)
    }
}

struct PluginCommand: ParsableCommand {
    static let configuration = PluginGroup.configuration([
        Here<PluginNewArguments>.self, Here<PluginCheckArguments>.self,
    ])
}
