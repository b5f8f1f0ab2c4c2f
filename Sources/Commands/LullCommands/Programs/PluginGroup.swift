import ArgumentParser

/// `lull plugin`, for authors of plugins, with the subcommands as the calling program implements them.
package enum PluginGroup {
    package static func configuration(_ subcommands: [any ParsableCommand.Type]) -> CommandConfiguration {
        CommandConfiguration(
            commandName: "plugin", abstract: "Create a plugin, or test one against the contract.",
            subcommands: subcommands)
    }
}
