import ArgumentParser
import LullModel

/// The command of Lull that does what a command of another scheduler or service manager does.
///
/// Used only for words that are no commands of Lull, and for options that it does not have.
enum GuessedCommand {
    /// The commands below some of them.
    static let groups = [
        "import": ["crontab", "timers"], "plugin": ["new", "check"], "notify": ["test"],
        "token": ["new", "list", "revoke"],
        "usage": ["import"],
        "fleet": ["status", "init", "apply", "manifest", "drain", "resume", "forget", "host", "diff"],
    ]

    /// The same for the second word: "lull import cron". Nil: it is a command or an option, or there is none.
    static func answer(toGroup arguments: [String]) -> String? {
        guard let group = arguments.first, let known = groups[group], arguments.count > 1,
            case let word = arguments[1], !word.hasPrefix("-"), !known.contains(word), word != "help"
        else { return nil }
        if group == "fleet", ["top", "why", "night", "history", "forecast"].contains(word) {
            return "There is no command 'fleet \(word)'. Did you mean `lull \(word) --fleet`?"
        }
        let meant = meant(word, below: group, known)
        let remedy =
            (meant ?? (known.count == 1 ? known[0] : nil))
            .map { "Did you mean `lull \(group) \($0)`?" } ?? "`lull \(group) --help` lists the commands."
        return "There is no command '\(group) \(word.prefix(40))'. " + remedy
    }

    /// For `lull help` of a word that is no command. Nil: it is one, or the command line is another.
    static func answer(toHelp arguments: [String], in root: any ParsableCommand.Type) -> String? {
        guard arguments.first == "help" else { return nil }
        var (command, path): (any ParsableCommand.Type, [String]) = (root, [])
        for word in arguments.dropFirst() where !word.hasPrefix("-") && word != "help" {
            guard let next = subcommands(of: command).first(where: { $0.configuration.commandName == word })
            else {
                let known = names(below: command)
                if path.isEmpty { return answer(to: [word], known: known) }
                let name = path.joined(separator: " ")
                let remedy =
                    meant(word, below: name, known).map { "Did you mean `lull help \(name) \($0)`?" }
                    ?? "`lull help \(name)` lists what there is."
                return "There is no command '\(name) \(word.prefix(40))'. " + remedy
            }
            (command, path) = (next, path + [word])
        }
        return nil
    }

    private static func meant(_ word: String, below group: String, _ known: [String]) -> String? {
        meantCommands["\(group) \(word.lowercased())"] ?? Spelling.nearest(to: word, among: known)
    }

    static func names(below command: any ParsableCommand.Type) -> [String] {
        subcommands(of: command).compactMap { $0.configuration.commandName }
    }

    private static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands
            + command.configuration.groupedSubcommands.flatMap { $0.subcommands }
    }

    private static let meantCommands = [
        "import cron": "crontab", "import crontabs": "crontab", "import cron.d": "crontab",
        "import systemd": "timers", "import units": "timers", "import timer": "timers",
        "plugin create": "new", "plugin init": "new", "plugin add": "new", "plugin test": "check",
        "plugin verify": "check", "plugin validate": "check", "plugin lint": "check",
        "fleet install": "init", "fleet deploy": "apply", "fleet rollout": "apply", "fleet rollback": "apply",
        "fleet migrate": "init", "fleet upgrade": "init", "fleet list": "status",
        "fleet hosts": "status", "fleet cordon": "drain", "fleet uncordon": "resume",
        "fleet remove": "forget", "fleet delete": "forget",
    ]

    /// The replacement for options that a command does not have, or has in another form. Nil: not known.
    static func remedy(forOptionsOf arguments: [String]) -> String? {
        guard let command = arguments.first else { return nil }
        for option in arguments.dropFirst() {
            switch (command, option) {
            case ("pause", "--until"):
                return "For example: `lull pause nightly --until 18:00`, or `lull pause --all --for 2h`."
            case ("pause", "--duration"), ("pause", "--time"):
                return "A pause has --for or --until: `lull pause nightly --for 2h`."
            case ("run", "--dry-run"), ("launch", "--dry-run"), ("check", "--dry-run"):
                return
                    "`lull simulate` shows what the manifest would launch, and `lull check` what is wrong with it."
            case ("history", "--follow"), ("history", "-f"), ("status", "--follow"), ("status", "-f"):
                return "`lull status --watch` and `lull top` show what happens as it happens."
            case ("history", "-n"), ("history", "--lines"), ("history", "--tail"):
                return "`lull history --limit 10` shows the newest ten."
            case ("status", "--all"):
                return "`lull status` shows every app and task; `lull why TASK --all` every gate of one."
            case ("status", "--failed"): return "`lull history --failed` shows the runs that failed."
            case ("launch", "--force"):
                return "`lull launch` passes over every gate that is policy anyway."
            default: continue
            }
        }
        return nil
    }

    /// `arguments`: without the program's name. Nil: the first of them is a command or an option, or there is none.
    static func answer(to arguments: [String], known: [String]) -> String? {
        guard let word = arguments.first, !word.hasPrefix("-"), !known.contains(word), word != "help" else {
            return nil
        }
        let operand = arguments.dropFirst().first { !$0.hasPrefix("-") }
        let shown = String(word.prefix(40))
        return "There is no command '\(shown)'. " + remedy(word.lowercased(), operand, known)
    }

    private static func remedy(_ word: String, _ operand: String?, _ known: [String]) -> String {
        let name = operand.map { String($0.prefix(256)) } ?? "TASK"
        switch word {
        case "refresh", "hup", "daemon-reload", "apply":
            return
                "A running host reads a changed manifest by itself, and on `lull reload`; `lull diff` says what changes."
        case "unpause", "continue", "unsuspend", "thaw", "unhold":
            return operand == nil
                ? "`lull resume TASK` ends a pause, and `lull resume --all` every pause."
                : "`lull resume \(name)` ends a pause."
        case "log", "tail", "output", "follow":
            return "`lull logs \(name)` shows what it printed, and with -f follows it."
        case "journal", "runs", "events":
            return "`lull history" + (operand == nil ? "" : " --task \(name)")
                + "` shows what happened, and `lull history RUN` what a run printed, by its number."
        case "list", "ls", "jobs", "tasks", "ps", "apps", "info", "crontab", "health":
            return "`lull status` lists every app and task."
        case "show", "describe", "inspect", "get", "explain", "cat":
            return operand == nil
                ? "`lull status` lists every app and task, and `lull why TASK` tells all about one."
                : "`lull status \(name)` shows it, and `lull why \(name)` says why it does not run."
        case "start", "trigger", "exec", "execute", "kick", "fire", "now", "run-now":
            return operand == nil
                ? "`lull run` starts the host, and `lull launch TASK` a task."
                : "`lull launch \(name)` runs it now."
        case "kill", "abort", "terminate":
            return operand == nil
                ? "`systemctl stop lull` ends the host, and `lull stop TASK` a run."
                : "`lull stop \(name)` ends its run; `lull pause \(name)` keeps it from running."
        case "restart":
            return operand == nil
                ? "`systemctl restart lull` restarts the host; a changed manifest needs no restart."
                : "`lull stop \(name)` ends its run, and `lull launch \(name)` begins another."
        case "validate", "lint", "verify", "test", "syntax", "configtest", "check-config", "config":
            return "`lull check" + (operand == nil ? "" : " \(name)")
                + "` says whether the manifest is right; `lull simulate --days 30` shows a month of it."
        case "doctor", "diagnose", "diag":
            return "`lull check --host` says what this machine lacks to run the manifest."
        case "next", "upcoming", "schedule", "timers", "list-timers", "when", "plan":
            return operand == nil
                ? "`lull status` shows when each task is next, and `lull why TASK` says more about one."
                : "`lull why \(name)` says when it may run next."
        case "suspend", "hold", "freeze", "stop-all": return "`lull pause \(name)` holds it back for a while."
        case "edit", "add", "remove", "delete", "rm", "create", "new", "install":
            return
                "Tasks are in the manifest, jobs.yaml: edit it, then run `lull check`. `lull plugin new` creates a plugin."
        case "init", "setup", "migrate":
            return
                "`lull import crontab` makes a manifest of your crontab, and `lull import timers` of timers."
        case "daemon", "serve", "server", "service", "up": return "`lull run` is the service."
        case "ui", "dashboard", "page", "http": return "`lull web` serves the page."
        case "stats", "audit", "report":
            return "`lull night` sums up, and `lull history` shows what happened."
        case "version": return "`lull --version` prints it."
        default:
            let near = Spelling.nearest(to: word, among: known)
            return near.map { "Did you mean `lull \($0)`?" } ?? "`lull --help` lists the commands."
        }
    }
}
