import ArgumentParser

package struct ImportCrontabArguments: CommandArguments {
    package static let program = "lull-import"
    package static let configuration = CommandConfiguration(
        commandName: "crontab", abstract: "Make a manifest of crontabs.",
        usage: "lull import crontab [<options>] <files> ...",
        discussion: """
            FILE is a crontab, a folder of them such as /etc/cron.d or /var/spool/cron/crontabs, or `-` for standard \
            input. Whether a crontab has a column for the user is known from where it stands, or else guessed from \
            its lines; --system and --user say it.

            What the cron of this machine would not run is named and left out: in folders and at cron's own places, \
            files whose name, owner, mode or last line it does not accept. --all takes them; --cron says which cron \
            is meant. A file elsewhere that you name yourself is always taken.

            Exits with 1 when a line could not be carried over.

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
