import ArgumentParser

/// What authors of plugins need.
struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "Begin a plugin, and put one through the contract.",
        subcommands: [PluginNewCommand.self, PluginCheckCommand.self])
}
