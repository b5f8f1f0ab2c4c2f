import ArgumentParser

/// `lull plugin`, what authors of plugins need, with the commands below it as the program that asks has them.
package enum PluginGroup {
    package static func configuration(_ subcommands: [any ParsableCommand.Type]) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "plugin", abstract: "Create a plugin, or test one against the contract.",
            subcommands: subcommands)
    }
}
