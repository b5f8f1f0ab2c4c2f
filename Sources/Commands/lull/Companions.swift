import ArgumentParser
import LullCommands

/// The groups whose commands other executables carry out.
struct ImportCommand: ParsableCommand {
    static let configuration = ImportGroup.configuration([
        Elsewhere<ImportCrontabArguments>.self, Elsewhere<ImportTimersArguments>.self,
    ])
}

struct PluginCommand: ParsableCommand {
    static let configuration = PluginGroup.configuration([
        Elsewhere<PluginNewArguments>.self, Elsewhere<PluginCheckArguments>.self,
    ])
}
