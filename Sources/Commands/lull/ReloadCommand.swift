import ArgumentParser
import LullCommands
import LullControl

struct ReloadCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Have the running host read its manifest again.",
        usage: "lull reload [<options>]",
        discussion: """
            A host reads its manifest again by itself when it changes. This command makes it do so now, and \
            reports the result. If the manifest has errors, the previous one stays in force, and the command \
            exits with 1.

            Examples:
              lull reload
            """)

    @OptionGroup var options: StateOptions
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { nil }

    func run() throws { try tell(Ask.Reload(), json: json) }
}
