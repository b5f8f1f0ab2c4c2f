import ArgumentParser
import Foundation
import Glibc
import LullImport

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a manifest of crontabs or systemd timers.",
        discussion: """
            The plugin Command runs what cron or systemd ran, at the same times and as the same users. What can't be \
            carried over is reported on standard error, with its place and a remedy, and stands as a comment in the \
            manifest.

            Examples:
              crontab -l | lull import crontab - --out jobs.yaml
              lull import crontab /etc/crontab /etc/cron.d --out jobs.yaml
              lull import timers /etc/systemd/system
            """,
        subcommands: [ImportCrontabCommand.self, ImportTimersCommand.self])
}

struct ImportCrontabCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
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

    @Argument(help: "Crontabs, folders of them, or `-` for standard input.") var files: [String] = []
    @Flag(help: "The crontabs have a column for the user, as /etc/crontab has.") var system = false
    @Option(help: ArgumentHelp("The crontabs are this user's, and have no such column.", valueName: "name"))
    var user: String?
    @Option(help: ArgumentHelp("The cron that read them: debian or cronie.", valueName: "which"))
    var cron: CronKind?
    @Flag(help: "Also take what that cron would not run.") var all = false
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
