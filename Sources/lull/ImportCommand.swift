import ArgumentParser
import Foundation
import Glibc
import LullImport

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a manifest of crontabs or systemd timers.",
        discussion: """
            What ran before runs with the plugin Command, at the same times and as the same users. What can't be carried \
            over is said on standard error, with its place and a remedy, and stands as a comment in the manifest.

            Examples:
              crontab -l | lull import crontab - --out jobs.yaml
              lull import crontab /etc/crontab /etc/cron.d --out /etc/lull/jobs.yaml
              lull import timers /etc/systemd/system
            """,
        subcommands: [ImportCrontabCommand.self, ImportTimersCommand.self])
}

struct ImportCrontabCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crontab", abstract: "Make a manifest of crontabs.",
        discussion: """
            FILE is a crontab, a folder of them such as /etc/cron.d or /var/spool/cron/crontabs, or `-`: standard input. \
            Whether a crontab has the user's column is told by where it stands, and else by its lines; --system and \
            --user say it.

            What the cron of this machine does not run is named and left out: in a folder and at cron's own places files \
            with a name, an owner, a mode or an end that it does not take. --all takes them; --cron says which cron is meant. \
            A file that is named by hand, elsewhere, is taken as it is.

            Exits with 1 when a line could not be carried over.

            Examples:
              crontab -l | lull import crontab -
              lull import crontab /etc/crontab /etc/cron.d --out /etc/lull/jobs.yaml
              lull import crontab old-crontab --user www-data
            """)

    @Argument(help: "Crontabs, folders of them, or `-`: standard input.") var files: [String] = []
    @Flag(help: "They have the user's column, as /etc/crontab has.") var system = false
    @Option(help: ArgumentHelp("They are this user's, without such a column.", valueName: "name"))
    var user: String?
    @Option(help: ArgumentHelp("The cron that read them: debian or cronie.", valueName: "which"))
    var cron: CronKind?
    @Flag(help: "Take also what that cron does not run.") var all = false
    @OptionGroup var target: ImportTarget

    func validate() throws {
        if system, user != nil {
            throw ValidationError("A crontab is a system's or a user's. Say --system or --user, not both.")
        }
    }

    func run() throws {
        var paths = files
        if paths.isEmpty {
            guard isatty(STDIN_FILENO) == 0 else {
                throw ValidationError(
                    "Name a crontab, or hand yours over: crontab -l | lull import crontab -")
            }
            paths = ["-"]
        }
        let crontabs = try paths.flatMap(ImportFiles.crontabs).map { file in
            var file = file
            if system { file.format = .system }
            if let user { file.format = .user(user) }
            return file
        }
        let found = ImportFiles.installedCron()
        let kind = cron ?? found.kind
        let how =
            cron != nil ? "as --cron says" : found.from.hasPrefix("/") ? "which is \(found.from)" : found.from
        Output.error("Read by the rules of \(kind.name): \(how).")
        // Without a user's name root's host would run it as an account of its own.
        let reader = CrontabImport(
            on: ImportFiles.machine, cron: kind, takesAll: all, owner: geteuid() == 0 ? "root" : nil)
        let manifest: ImportedManifest
        do throws(CrontabImport.Undecided) {
            manifest = try reader.manifest(from: crontabs)
        } catch {
            throw Failure(error.message)
        }
        try target.write(manifest)
    }
}

extension CronKind: ExpressibleByArgument {}
