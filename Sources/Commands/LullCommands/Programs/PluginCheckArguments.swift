import ArgumentParser

package struct PluginCheckArguments: CommandArguments {
    package static let program = "lull-plugin"
    package static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Test a plugin against the contract, each check in a fresh worker.",
        usage: "lull plugin check [<options>] <file>",
        discussion: """
            Loads the plugin, launches each of its tasks, expires them early, late and at random moments, \
            kills them, and looks at what they leave behind. The handlers really run, so give it a manifest \
            whose settings are safe to try. It deletes their state and temporary files afterwards. If root \
            runs it, the handlers run as an account of their own, or as the manifest's `user`. Without a \
            manifest, everything that the plugin registers is permitted, and is launched as the kind that the \
            plugin submits. --seed repeats the random moments of an earlier check.

            Exits with 0 if nothing is wrong (warnings are allowed), with 1 if something is wrong, with 2 if \
            nothing is wrong but a check could not be made, and with 64 if the command line is wrong.

            Examples:
              lull plugin check libFeed.so --manifest jobs.yaml
              lull plugin check libFeed.so --only completes-once
              lull plugin check --list
            """)

    @OptionGroup package var options: StateOptions
    @Argument(help: "The plugin's file.") package var file: String?
    @Option(
        help: ArgumentHelp(
            "A manifest that permits the plugin's tasks and has their settings.", valueName: "file"))
    package var manifest: String?
    @Option(help: ArgumentHelp("Do only this check; may be given more than once.", valueName: "check"))
    package var only: [String] = []
    @Option(help: "The seed of the random moments, which is printed each time.") package var seed: UInt64?
    @Flag(help: "Print JSON.") package var json = false
    @Flag(help: "List the checks.") package var list = false

    package func validate() throws {
        guard list || file != nil else {
            throw ValidationError("Name the plugin's file, such as libFeed.so.")
        }
    }

    package init() {}
}
