import ArgumentParser

/// What authors of plugins need.
struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "Begin a plugin, and test one against the contract.",
        subcommands: [PluginNewCommand.self, PluginCheckCommand.self])
}
