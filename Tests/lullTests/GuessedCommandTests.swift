import Testing

@testable import lull

struct GuessedCommandTests {
    private static let known = ["run", "check", "status", "why", "history", "launch", "resume"]

    @Test(arguments: [
        ("refresh", "A running host reads a changed manifest by itself"), ("unpause", "`lull resume TASK`"),
        ("unpause nightly", "`lull resume nightly`"), ("runs nightly", "`lull history --task nightly`"),
        ("events", "`lull history`"), ("tail nightly", "`lull logs nightly`"), ("list", "`lull status`"),
        ("ls", "`lull status`"),
        ("jobs", "`lull status`"),
        ("show nightly", "`lull status nightly`"), ("start nightly", "`lull launch nightly`"),
        ("start", "`lull run` starts the host"), ("kill", "`systemctl stop lull`"),
        ("kill nightly", "`lull stop nightly`"), ("restart", "`systemctl restart lull`"),
        ("validate x.yaml", "`lull check x.yaml`"), ("lint", "`lull check`"),
        ("test", "`lull simulate --days 30`"),
        ("next", "`lull why TASK`"), ("doctor", "`lull check --host`"),
        ("histroy --json", "Did you mean `lull history`?"),
        ("frobnicate", "`lull --help` lists the commands."),
    ])
    func `a command of another program is answered with the one that does it here`(
        line: String, words: String
    ) {
        let arguments = line.split(separator: " ").map(String.init)
        let answer = GuessedCommand.answer(to: arguments, known: Self.known)
        #expect(answer?.contains(words) == true, "\(answer ?? "nothing")")
        #expect(answer?.hasPrefix("There is no command '\(arguments[0])'. ") == true)
    }

    @Test(arguments: [
        ("import cron", "`lull import crontab`"), ("import systemd", "`lull import timers`"),
        ("import tiemrs", "`lull import timers`"), ("import x", "`lull import --help`"),
        ("plugin create Feed", "`lull plugin new`"), ("plugin validate", "`lull plugin check`"),
        ("notify me", "`lull notify test`"), ("fleet top", "`lull top --fleet`"),
    ])
    func `the second word of a command is guessed as well`(line: String, words: String) {
        let answer = GuessedCommand.answer(toGroup: line.split(separator: " ").map(String.init))
        #expect(answer?.contains(words) == true, "\(answer ?? "nothing")")
    }

    @Test(arguments: ["import crontab x", "plugin --help", "import", "history 17", "notify help"])
    func `what is a command of a group is left alone`(line: String) {
        #expect(GuessedCommand.answer(toGroup: line.split(separator: " ").map(String.init)) == nil)
    }

    @Test(arguments: [
        ("pause --until", "`lull pause nightly --until 18:00`"), ("run --dry-run", "`lull simulate`"),
        ("history -n 10", "`lull history --limit 10`"), ("status --all", "`lull why TASK --all`"),
    ])
    func `an option that is not there is answered with what there is`(line: String, words: String) {
        let remedy = GuessedCommand.remedy(forOptionsOf: line.split(separator: " ").map(String.init))
        #expect(remedy?.contains(words) == true, "\(remedy ?? "nothing")")
        #expect(GuessedCommand.remedy(forOptionsOf: ["status", "--json"]) == nil)
    }

    @Test func `every group's commands are those that are guessed`() {
        var found: [String: [String]] = [:]
        for group in Lull.configuration.groupedSubcommands {
            // A word behind a command that is called for by default may be meant for it; that of `fleet` takes none.
            for command in group.subcommands
            where command.configuration.defaultSubcommand == nil || command == FleetCommand.self {
                let names = command.configuration.subcommands.compactMap { $0.configuration.commandName }
                if let name = command.configuration.commandName, !names.isEmpty { found[name] = names }
            }
        }
        #expect(found == GuessedCommand.groups)
    }

    @Test(arguments: [
        ("help nosuch", "There is no command 'nosuch'."), ("help histroy", "Did you mean `lull history`?"),
        ("help history shw", "There is no command 'history shw'. Did you mean `lull help history show`?"),
        ("help import cron", "Did you mean `lull help import crontab`?"),
        ("help fleet zzz", "`lull help fleet` lists what there is."),
    ])
    func `help for what is no command says so`(line: String, words: String) {
        let arguments = line.split(separator: " ").map(String.init)
        let answer = GuessedCommand.answer(toHelp: arguments, in: Lull.self)
        #expect(answer?.contains(words) == true, "\(answer ?? "nothing")")
    }

    @Test(arguments: ["help", "help history show", "help fleet diff", "help help", "help --help", "status x"])
    func `help for a command is left to the parser`(line: String) {
        let arguments = line.split(separator: " ").map(String.init)
        #expect(GuessedCommand.answer(toHelp: arguments, in: Lull.self) == nil)
    }

    @Test(arguments: ["run x", "--help", "help run", "", "status"])
    func `what is a command or an option is left alone`(line: String) {
        #expect(
            GuessedCommand.answer(to: line.split(separator: " ").map(String.init), known: Self.known) == nil)
    }
}
