import ArgumentParser

package struct ImportCrontabArguments: CommandArguments {
    package static let program = "lull-import"
    package static let configuration = CommandConfiguration(
        commandName: "crontab", abstract: "Convert crontabs into a manifest.",
        usage: "lull import crontab [<options>] <files> ...",
        discussion: """
            FILE is a crontab, a folder of them such as /etc/cron.d or /var/spool/cron/crontabs, or `-` for \
            standard input. The command knows from the place of a crontab whether it has a column for the \
            user, or guesses it from the lines; --system and --user say it.

            It names and leaves out what the cron of this machine would not run: in folders and at cron's own \
            places, files whose name, owner, mode or last line cron does not accept. --all imports them too; \
            --cron says which cron you mean. If you name a file in another place yourself, it is always \
            imported.

            Exits with 1 if a line could not be carried over.

            Examples:
              crontab -l | lull import crontab -
              lull import crontab /etc/crontab /etc/cron.d --out jobs.yaml
              lull import crontab old-crontab --user www-data
            """)

    @Argument(
        help: "Crontabs, folders of them, or `-` for standard input.", completion: .file())
    package var files: [String] = []
    @Flag(help: "The crontabs have a column for the user, as /etc/crontab has.") package var system = false
    @Option(help: ArgumentHelp("The crontabs are this user's, and have no such column.", valueName: "name"))
    package var user: String?
    @Option(help: ArgumentHelp("The cron that read them: debian or cronie.", valueName: "which"))
    package var cron: String?
    @Flag(help: "Also import files that cron passes over.") package var all = false
    @OptionGroup package var target: ImportTarget

    package func validate() throws {
        if system, user != nil {
            throw ValidationError("A crontab is a system's or a user's. Say --system or --user, not both.")
        }
    }

    package init() {}
}
