import LullModel

/// The program that a command line is about, without the commands that only lead to it.
///
/// `test -x /usr/bin/certbot && perl -e 'sleep 9' && certbot -q renew` is `certbot renew`.
struct CommandName {
    /// The program as it is called, without its folder and its ending, then its arguments that are no options.
    private(set) var words: [String] = []
    /// Its first word without a folder that says more.
    private(set) var program = ""
    /// Whether it is a file such as `backup.sh`, which does one thing.
    private(set) var isScript = false
    /// The words behind the program, options too.
    private var arguments: [String] = []
    /// The folder of the line's `cd`, or of its script.
    private var folder: String?
    private var target: String?

    init(_ text: String) { read(text, depth: 0) }

    /// Names by what it does, for a program that can do anything.
    var generic: GenericName {
        GenericName(program: program, arguments: arguments, folder: folder, target: target)
    }

    private mutating func read(_ text: String, depth: Int) {
        let parts = Self.simpleCommands(of: text)
        target = ShellWords.target(in: text) ?? target
        folder = parts.first { $0.first == "cd" && $0.count == 2 }?[1] ?? folder
        let chosen = Self.meant(parts)
        guard let program = chosen.first else { return }
        let name = Self.base(program)
        if depth < 3, let code = Self.shellCode(of: chosen) {
            return read(code, depth: depth + 1)
        }
        let plain = chosen.dropFirst().filter { !$0.hasPrefix("-") }
        if Self.interpreters.contains(name), let file = plain.first, file.first?.isNumber != true,
            !Self.isInline(chosen)
        {
            named(file)
            words += plain.dropFirst()
            arguments = Array(chosen.drop { $0 != file }.dropFirst())
            // `bin/console` lies in its application's folder.
            let outer = file.split(separator: "/").dropLast().map(String.init)
            let own = outer.last == "bin" ? outer.dropLast() : outer[...]
            if !own.isEmpty {
                folder = "/" + own.joined(separator: "/")
            } else if folder == nil,
                let place = Self.environments.compactMap({ program.firstRange(of: $0) }).first
            {
                // `/srv/shop/venv/bin/python manage.py`
                folder = String(program[..<place.lowerBound])
            }
        } else {
            named(program)
            words += plain
            arguments = Array(chosen.dropFirst())
        }
    }

    private mutating func named(_ path: String) {
        let file = Self.base(path)
        let dot = file.lastIndex(of: ".") ?? file.endIndex
        isScript = dot > file.startIndex && Self.endings.contains(String(file[dot...]))
        let stem = isScript ? String(file[..<dot]) : file
        program = stem
        // `nextcloud/cron.php`: the file says nothing, its folder does.
        let folder = path.split(separator: "/").dropLast().map(String.init).last {
            !Self.plainFolders.contains($0)
        }
        if isScript, Self.vague.contains(stem.lowercased()), let folder {
            words = [folder + "_" + stem]
        } else {
            words = [stem]
        }
    }

    private static let endings: Set<String> = [
        ".sh", ".bash", ".py", ".pl", ".rb", ".php", ".js", ".mjs", ".cjs", ".ts", ".jar",
    ]
    /// Folders of an interpreter that belongs to one application.
    private static let environments = ["/venv/bin/", "/.venv/bin/", "/env/bin/", "/virtualenv/bin/"]
    private static let plainFolders: Set<String> = [
        ".", "..", "~", "bin", "sbin", "scripts", "script", "src", "cron", "opt", "home", "root", "local",
        "usr", "srv",
    ]
    private static let vague: Set<String> = [
        "app", "bot", "check", "cli", "console", "cron", "healthcheck", "index", "job", "main", "manage",
        "run",
        "script", "server", "start", "startup", "stop", "test", "update", "worker",
    ]
    /// Programs that only start another program, and their options that have a value.
    private static let wrappers: [String: Set<String>] = [
        "sudo": ["-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-U"], "doas": ["-u", "-C"],
        "runuser": ["-u", "-g", "-G"], "nice": ["-n"], "ionice": ["-c", "-n", "-p"],
        "chrt": ["-T", "-P", "-D"], "flock": ["-w", "-E"], "timeout": ["-k", "-s"],
        "env": ["-u", "-C", "-S"], "stdbuf": ["-i", "-o", "-e"], "systemd-cat": ["-t", "-p"],
        "taskset": [], "exec": ["-a"], "time": ["-o", "-f"], "chronic": [], "cronic": [], "setsid": [],
        "nohup": [], "command": [], "builtin": [], "eatmydata": [], "caffeinate": [], "run-one": [], "if": [],
        "systemd-run": ["-u", "-p", "-M", "-H", "-E", "--unit", "--property", "--uid", "--slice"],
        "cgexec": ["-g"],
        "xvfb-run": ["-s", "-n", "-f", "-w"], "setuidgid": [], "gosu": [], "npx": ["-p", "-c"],
        "then": [],
        "elif": [], "else": [], "while": [], "until": [], "do": [], "{": [], "(": [], "!": [],
    ]
    /// Programs that take a word of their own before the program that they start: a lock, a span, a user.
    private static let operands: Set<String> = ["flock", "timeout", "chrt", "taskset", "setuidgid", "gosu"]
    /// Programs that run the file that is named after them.
    private static let interpreters: Set<String> = [
        "sh", "bash", "dash", "zsh", "ksh", "python", "python2", "python3", "perl", "ruby", "node", "php",
        "java", "lua", "Rscript", "run-parts", "make", "tsx", "ts-node",
    ]
    /// Commands that only prepare the ground for the next one, behind `&&`, `||` or `;`.
    private static let preludes: Set<String> = [
        "cd", "test", "[", "[[", "export", ".", "source", "umask", "sleep", "set", "ulimit", "command", "for",
        "case", "true", "false", ":", "exit", "fi", "done", "}", ")", "trap", "read", "echo", "printf",
        // Commands that only look whether there is anything to do, or pick lines.
        "pgrep", "pidof", "mountpoint", "ping", "which", "type", "hash", "ps", "ls", "grep", "egrep",
    ]

    /// The command that the line is about, without preparations, and without the heartbeat around it.
    private static func meant(_ parts: [[String]]) -> [String] {
        let acts = parts.filter { !isPrelude($0) }
        guard let first = acts.first else { return parts.first ?? [] }
        let isSign = ["curl", "wget"].contains(base(first.first ?? ""))
        let own = acts.first { part in
            let program = part.first ?? ""
            return program.contains("/") && GenericName(of: base(program)).candidates.isEmpty
                && !interpreters.contains(base(program))
        }
        return isSign ? own ?? first : first
    }

    private static func isPrelude(_ part: [String]) -> Bool {
        guard let first = part.first else { return true }
        let name = base(first)
        let asks = name == "systemctl" && part.contains { $0.hasPrefix("is-") }
        return preludes.contains(name) || asks || isInline(part)
    }

    /// `perl -e 'sleep …'`: its program is an argument.
    private static func isInline(_ part: [String]) -> Bool {
        guard let first = part.first, interpreters.contains(base(first)) else { return false }
        let options =
            shells.contains(base(first)) ? [] : base(first).hasPrefix("python") ? ["-c"] : ["-e", "-r", "-E"]
        return part.dropFirst().contains { options.contains($0) }
    }

    private static let shells = ["sh", "bash", "dash", "zsh", "ksh"]

    /// The code that `sh -c` or `su -c` runs.
    private static func shellCode(of part: [String]) -> String? {
        guard let first = part.first, (shells + ["su", "runuser", "flock"]).contains(base(first)),
            let option = part.firstIndex(where: {
                $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.hasSuffix("c")
            }),
            option + 1 < part.count
        else { return nil }
        return part[option + 1]
    }

    /// The words of each command of the line, without the programs that only start another.
    private static func simpleCommands(of text: String) -> [[String]] {
        var parts: [[String]] = []
        for words in ShellWords.split(text).split(whereSeparator: ShellWords.isOperator) {
            var rest = words[...]
            while let first = rest.first {
                let name = base(first)
                // `command -v x` asks, and runs nothing.
                if name == "command", let option = rest.dropFirst().first, option.lowercased() == "-v" {
                    break
                }
                if name == "bundle", rest.dropFirst().first == "exec" {
                    rest = rest.dropFirst(2)
                    continue
                }
                if isAssignment(first) {
                    rest = rest.dropFirst()
                } else if let valued = wrappers[name],
                    !(["runuser", "flock"].contains(name) && rest.contains("-c"))
                {
                    rest = behind(rest.dropFirst(), valued, hasOperand: operands.contains(name))
                } else {
                    break
                }
            }
            if !rest.isEmpty { parts.append(Array(rest)) }
        }
        return parts
    }

    private static func behind(
        _ words: ArraySlice<String>, _ valued: Set<String>, hasOperand: Bool
    ) -> ArraySlice<String> {
        var rest = words
        var hasOperand = hasOperand
        while let word = rest.first {
            if word == "--" {
                rest = rest.dropFirst()
            } else if word.hasPrefix("-"), word.count > 1 {
                rest = rest.dropFirst(valued.contains(word) ? 2 : 1)
            } else if hasOperand {
                rest = rest.dropFirst()
                hasOperand = false
            } else {
                break
            }
        }
        return rest
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let equals = word.firstIndex(of: "="), let first = word.first else { return false }
        return (first.isLetter || first == "_")
            && word[..<equals].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private static func base(_ path: String) -> String {
        String(path.split(separator: "/").last ?? path[...])
    }
}
