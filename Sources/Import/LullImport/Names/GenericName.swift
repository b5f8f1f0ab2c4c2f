/// Names for programs that can do anything, by what they do: `curl` by its address, `rsync` by its source and target.
struct GenericName {
    /// The program, and all that follows it, options too.
    let program: String
    let arguments: [String]
    /// The folder of a `cd` that the line has before.
    let folder: String?
    /// The file that the line writes.
    let target: String?

    /// By the program alone, whatever its arguments.
    init(of program: String) { self.init(program: program, arguments: [], folder: nil, target: nil) }

    init(program: String, arguments: [String], folder: String?, target: String?) {
        self.program = program
        self.arguments = arguments
        self.folder = folder
        self.target = target
    }

    /// Possible names of the task, the best first; empty: the program says enough.
    var candidates: [String] {
        let names: [String]
        switch program {
        case "curl", "wget", "http", "https", "lynx", "links", "w3m", "fetch", "GET", "lftp": names = web
        case "echo", "printf", "date", "logger", "uptime", "who", "env", "true", "sleep": names = speech
        case "rsync", "scp", "cp", "mv", "ln", "rclone": names = copy
        case "tar", "zip", "7z", "gzip", "bzip2", "xz", "zstd": names = archive
        case "find", "rm", "mkdir", "rmdir", "chown", "chmod", "chgrp", "touch", "truncate", "shred", "ls",
            "du",
            "df", "cat", "tail", "head", "wc", "setfacl", "tmpreaper", "tmpwatch", "sed", "awk", "grep":
            names = files
        case "docker", "podman", "nerdctl": names = container(arguments)
        case "docker-compose", "podman-compose": names = compose(arguments)
        case "ssh": names = remote
        case "mail", "mailx": names = letter
        case "systemctl", "service", "supervisorctl", "pm2", "rc-service", "kubectl", "aws", "snap":
            names = [NameLabel.joined([program] + words.prefix(3).map(Self.unit))]
        case "mysql", "mariadb", "mysqldump", "mariadb-dump", "psql", "pg_dump", "sqlite3", "mongodump",
            "influxd", "mysqlcheck", "mariadb-check", "mysqladmin", "vacuumdb", "reindexdb", "pg_dumpall":
            names = database
        case "git", "svn", "hg": names = repository
        default: names = Self.frameworks.contains(program) ? framework : []
        }
        var seen: Set<String> = []
        return (names + telling(names.first)).map(TaskNames.slug).filter {
            !$0.isEmpty && seen.insert($0).inserted
        }
    }

    /// Whether a comment above the line says more than the program.
    var isGeneric: Bool { !candidates.isEmpty && !Self.frameworks.contains(program) }

    /// Scripts that have the same name in every folder of their kind.
    static let frameworks: Set<String> = [
        "artisan", "occ", "console", "manage", "wp", "craft", "drush", "yii", "spark", "magento", "cake",
        "rake", "npm", "yarn", "pnpm", "composer",
    ]

    /// The name with an option's value, which may tell two such tasks apart: `artisan queue:work --queue=mails`.
    private func telling(_ name: String?) -> [String] {
        guard let name, Self.frameworks.contains(program) else { return [] }
        let values = arguments.filter { $0.hasPrefix("--") }.compactMap { option -> String? in
            option.firstIndex(of: "=").map { String(option[option.index(after: $0)...]) }
        }
        return values.filter { $0.first?.isLetter == true }.map {
            NameLabel.joined([name, TaskNames.slug($0)])
        }
    }

    private var letter: [String] {
        let subject = arguments.firstIndex(of: "-s").flatMap {
            $0 + 1 < arguments.count ? arguments[$0 + 1] : nil
        }
        let words = (subject ?? "").split(separator: " ").map { TaskNames.slug(String($0)) }.filter {
            $0.count > 1
        }
        return [NameLabel.joined([program] + words.prefix(3))]
    }

    private var words: [String] { arguments.filter { !$0.hasPrefix("-") } }

    /// The arguments that are neither options nor their values.
    private func operands(_ valued: Set<String>, in arguments: [String]? = nil) -> [String] {
        var rest = (arguments ?? self.arguments)[...]
        var found: [String] = []
        while let word = rest.popFirst() {
            if valued.contains(word) {
                _ = rest.popFirst()
            } else if !word.hasPrefix("-") {
                found.append(word)
            }
        }
        return found
    }

    private static func unit(_ name: String) -> String {
        name.hasSuffix(".service") ? String(name.dropLast(8)) : name
    }

    private var web: [String] {
        let valued: Set<String> = [
            "-H", "-d", "-u", "-o", "-O", "-A", "-X", "-m", "-b", "-c", "-e", "-F", "-T", "-x", "-K", "-t",
            "--data", "--header", "--user", "--output", "--max-time", "--retry", "--request", "--user-agent",
            "--connect-timeout", "--retry-delay",
        ]
        let address =
            arguments.first { $0.contains("://") }
            ?? operands(
                program == "wget" ? valued.subtracting(["-d", "-b", "-c", "-x", "-m", "-F", "-K"]) : valued
            )
            .first { $0.contains(".") || $0.hasPrefix("localhost") }
        guard let address else { return [program] }
        let name = NameLabel.address(address)
        return [name, NameLabel.joined([program, name])]
    }

    private var speech: [String] {
        if let target {
            let label = NameLabel.path(target)
            let file = target.split(separator: "/").last.map(String.init) ?? target
            return [
                NameLabel.joined([program, label == program ? "" : label]) == program && !file.isEmpty
                    ? TaskNames.slug(file) : NameLabel.joined([program, label])
            ]
        }
        let text = program == "date" ? [] : words.joined(separator: " ").split(separator: " ").prefix(3)
        return [NameLabel.joined([program] + text.map { TaskNames.slug(String($0)) })]
    }

    private var copy: [String] {
        let places = operands([
            "-e", "-f", "-i", "-P", "-p", "-l", "-o", "-F", "--exclude", "--include", "--exclude-from",
            "--rsh",
            "--bwlimit", "--log-file", "--password-file", "--files-from", "--config", "--backup-dir",
        ]).filter { !(program == "rclone" && !$0.contains(":") && !$0.contains("/")) }
        guard places.count > 1, let last = places.last else { return [program] }
        let source = NameLabel.place(places[places.count - 2])
        var goal = NameLabel.place(last)
        if goal == source || goal.isEmpty {
            // `cp /etc/hosts /backup/hosts`
            goal = NameLabel.path(last.split(separator: "/").dropLast().joined(separator: "/"))
        }
        let name = NameLabel.joined([program, source])
        return [goal.isEmpty ? name : NameLabel.joined([program, source, "to_" + goal])]
    }

    private var archive: [String] {
        var file = words.first { $0.contains("/") || $0.contains(".") }
        if program == "tar" {
            // `tar czf FILE`, `tar -cz -f FILE`, `tar --file=FILE`
            let bundle = arguments.firstIndex { word in
                word.hasSuffix("f") && !word.contains("/") && !word.hasPrefix("--") && word.utf8.count <= 8
            }
            file =
                bundle.flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
                ?? arguments.first { $0.hasPrefix("--file=") }.map { String($0.dropFirst(7)) } ?? file
            // A file that is named after the day says nothing; its contents do.
            if file.map({ NameLabel.path($0).isEmpty }) ?? true { file = words.last }
        }
        return [NameLabel.joined([program, file.map(NameLabel.path) ?? ""])]
    }

    private var files: [String] {
        let path = words.first { $0.contains("/") || $0.hasPrefix("$") } ?? folder
        let name = NameLabel.joined([program, path.map(NameLabel.path) ?? target.map(NameLabel.path) ?? ""])
        let pattern = arguments.firstIndex { $0 == "-name" || $0 == "-iname" }.flatMap {
            $0 + 1 < arguments.count ? TaskNames.slug(arguments[$0 + 1]) : nil
        }
        return [name, NameLabel.joined([name, pattern ?? ""])]
    }

    private var remote: [String] {
        let words = operands(["-i", "-p", "-o", "-l", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E"])
        guard let host = words.first.map(NameLabel.host) else { return [program] }
        let inner = CommandName(words.dropFirst().joined(separator: " ")).words.prefix(2)
        return [NameLabel.joined([program, host] + inner.map(TaskNames.slug))]
    }

    private var database: [String] {
        let named = arguments.firstIndex { ["-d", "-D", "--dbname", "--database"].contains($0) }.flatMap {
            $0 + 1 < arguments.count ? arguments[$0 + 1] : nil
        }
        let operand = operands([
            "-u", "-h", "-P", "-e", "-S", "-D", "-U", "-p", "-c", "-f", "-d", "-o", "--user", "--host",
            "--port",
            "-cmd", "-init",
        ]).first
        let all = arguments.contains("--all-databases") || arguments.contains("-A") ? "all_databases" : nil
        return [NameLabel.joined([program, named ?? all ?? operand.map(NameLabel.path) ?? ""])]
    }

    private var repository: [String] {
        let place = arguments.firstIndex(of: "-C").flatMap {
            $0 + 1 < arguments.count ? arguments[$0 + 1] : nil
        }
        let verb = operands(["-C", "-c", "--git-dir", "--work-tree", "-m"]).first ?? ""
        return [NameLabel.joined([program, verb, (place ?? folder).map(NameLabel.path) ?? ""])]
    }

    /// `/srv/shop/artisan schedule:run` is `shop_schedule_run`.
    private var framework: [String] {
        let words = words.first == "run" ? Array(words.dropFirst()) : words
        let verbs = words.prefix(1).map(TaskNames.slug)
        let place = arguments.first { $0.hasPrefix("--path=") }.map { String($0.dropFirst(7)) } ?? folder
        let label = place.map(NameLabel.path) ?? program
        // `manage.py manage_monitoring`
        let name = place == nil && verbs.contains { $0.hasPrefix(program + "_") } ? "" : label
        return [
            NameLabel.joined([name] + verbs), NameLabel.joined([name] + words.prefix(2).map(TaskNames.slug)),
        ]
    }

    private func container(_ arguments: [String]) -> [String] {
        let valued: Set<String> = [
            "-v", "-e", "-p", "-u", "-w", "-l", "-m", "-h", "-a", "-c", "--name", "--network", "--net",
            "--volume",
            "--env", "--env-file", "--entrypoint", "--mount", "--link", "--memory", "--cpus", "--user",
            "--workdir", "--hostname", "--label", "--platform", "--pull", "--volumes-from", "--log-driver",
            "--restart", "--context", "-H", "--publish", "--publish-all", "--tmpfs", "--gpus", "--device",
        ]
        let words = operands(valued, in: arguments)
        guard let verb = words.first else { return [program] }
        if verb == "compose" {
            return compose(Array(arguments.drop { $0 != "compose" }.dropFirst()))
        }
        guard ["exec", "run"].contains(verb), words.count > 1 else {
            return [NameLabel.joined([program] + words.prefix(3).map(TaskNames.slug))]
        }
        let named = arguments.firstIndex(of: "--name").flatMap {
            $0 + 1 < arguments.count ? arguments[$0 + 1] : nil
        }
        // `registry/certbot:1.2` is certbot.
        let image = words[1].split(separator: "/").last.map { String($0.prefix { $0 != ":" }) } ?? words[1]
        return inside(named ?? image, words.dropFirst(2))
    }

    private func compose(_ arguments: [String]) -> [String] {
        let valued: Set<String> = [
            "-f", "--file", "-p", "--project-name", "--env-file", "--project-directory", "--profile", "-e",
            "-u",
            "-w", "--user", "--workdir", "-v", "--name", "--entrypoint",
        ]
        let words = operands(valued, in: arguments)
        guard let verb = words.first else { return [program] }
        if ["exec", "run"].contains(verb), words.count > 1 { return inside(words[1], words.dropFirst(2)) }
        let file = arguments.firstIndex { $0 == "-f" || $0 == "--file" }.flatMap {
            $0 + 1 < arguments.count ? arguments[$0 + 1] : nil
        }
        let place = file.map { $0.split(separator: "/").dropLast().joined(separator: "/") } ?? folder ?? ""
        return [NameLabel.joined(["compose", NameLabel.path(place)] + words.prefix(2).map(TaskNames.slug))]
    }

    /// Names for a command in a container, behind the container's name.
    private func inside(_ container: String, _ command: ArraySlice<String>) -> [String] {
        let inner = CommandName(command.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " "))
        let words = inner.words.filter { !$0.hasPrefix("-") }.map { TaskNames.slug($0) }
        let name = TaskNames.slug(container)
        return [NameLabel.joined([name] + words.prefix(1)), NameLabel.joined([name] + words.prefix(2))]
    }
}
