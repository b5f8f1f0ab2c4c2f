import ArgumentParser
import LullCommands
import LullControl

struct ReloadCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Have the running host read its manifest again.",
        usage: "lull reload [<options>]",
        discussion: """
            A host reads a manifest that changes by itself; this does so now, and says what came of it. A manifest with \
            errors leaves the one before in force, and the exit status is 1.

            Examples:
              lull reload
            """)

    @OptionGroup var options: StateOptions
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { nil }

    func run() throws { try tell(Ask.Reload(), json: json) }
}
