/// The program that a command line is about, behind all that only leads to it.
///
/// `test -x /usr/bin/certbot && perl -e 'sleep 9' && certbot -q renew` is `certbot renew`.
struct CommandName {
    /// The program as it is called, without its folder and its ending, then its arguments that are no options.
    private(set) var words: [String] = []
    /// Its first word without a folder that says more.
    private(set) var program = ""
    /// Whether it is a file such as `backup.sh`, which does one thing.
    private(set) var isScript = false

    init(_ text: String) { read(text, depth: 0) }

    private mutating func read(_ text: String, depth: Int) {
        let parts = Self.simpleCommands(of: text)
        let chosen = parts.first { !Self.isPrelude($0) } ?? parts.first ?? []
        guard let program = chosen.first else { return }
        let name = Self.base(program)
        if depth < 3, let code = Self.shellCode(of: chosen) {
            return read(code, depth: depth + 1)
        }
        let arguments = chosen.dropFirst().filter { !$0.hasPrefix("-") }
        if Self.interpreters.contains(name), let file = arguments.first, file.first?.isNumber != true {
            named(file)
            words += arguments.dropFirst()
        } else {
            named(program)
            words += arguments
        }
    }

    private mutating func named(_ path: String) {
        let file = Self.base(path)
        let dot = file.lastIndex(of: ".") ?? file.endIndex
        isScript = dot > file.startIndex && Self.endings.contains(String(file[dot...]))
        let stem = isScript ? String(file[..<dot]) : file
        program = stem
        // `nextcloud/cron.php`: the file says nothing, its folder does.
        let folder = path.split(separator: "/").dropLast().last.map(String.init)
        if isScript, Self.vague.contains(stem.lowercased()), let folder, folder != "bin", folder != "." {
            words = [folder + "_" + stem]
        } else {
            words = [stem]
        }
    }

    private static let endings: Set<String> = [".sh", ".bash", ".py", ".pl", ".rb", ".php", ".js"]
    private static let vague: Set<String> = [
        "cron", "run", "main", "index", "job", "script", "start", "manage", "update", "cli", "console",
    ]
    /// What stands in front of a program without being what is run, and its options that have a value.
    private static let wrappers: [String: Set<String>] = [
        "sudo": ["-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-U"], "doas": ["-u", "-C"],
        "runuser": ["-u", "-g", "-G"], "nice": ["-n"], "ionice": ["-c", "-n", "-p"],
        "chrt": ["-T", "-P", "-D"], "flock": ["-w", "-E"], "timeout": ["-k", "-s"],
        "env": ["-u", "-C", "-S"], "stdbuf": ["-i", "-o", "-e"], "systemd-cat": ["-t", "-p"],
        "taskset": [], "exec": ["-a"], "time": ["-o", "-f"], "chronic": [], "cronic": [], "setsid": [],
        "nohup": [], "command": [], "builtin": [], "eatmydata": [], "caffeinate": [], "run-one": [], "if": [],
        "then": [],
        "elif": [], "else": [], "while": [], "until": [], "do": [], "{": [], "(": [], "!": [],
    ]
    /// What takes a word of its own before the program: a lock, a span, a user.
    private static let operands: Set<String> = ["flock", "timeout", "chrt", "taskset"]
    /// What runs the file that is named after it.
    private static let interpreters: Set<String> = [
        "sh", "bash", "dash", "zsh", "ksh", "python", "python2", "python3", "perl", "ruby", "node", "php",
        "java", "lua", "Rscript", "run-parts", "docker", "podman", "make",
    ]
    /// What only prepares the ground for the next command, behind `&&`, `||` or `;`.
    private static let preludes: Set<String> = [
        "cd", "test", "[", "[[", "export", ".", "source", "umask", "sleep", "set", "ulimit", "command", "for",
        "case", "true", "false", ":", "exit", "fi", "done", "}", ")", "trap", "read", "echo", "printf",
    ]

    private static func isPrelude(_ part: [String]) -> Bool {
        guard let first = part.first else { return true }
        let name = base(first)
        // `perl -e 'sleep …'`: its program is an argument.
        let isInline =
            interpreters.contains(name) && part.dropFirst().contains { ["-e", "-r", "-E"].contains($0) }
        return preludes.contains(name) || isInline
    }

    /// What `sh -c` or `su -c` is to run.
    private static func shellCode(of part: [String]) -> String? {
        let shells = ["sh", "bash", "dash", "zsh", "ksh", "su", "runuser"]
        guard let first = part.first, shells.contains(base(first)),
            let option = part.firstIndex(where: {
                $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.hasSuffix("c")
            }),
            option + 1 < part.count
        else { return nil }
        return part[option + 1]
    }

    /// The words of each command of the line, without what is put in front of programs.
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
                if isAssignment(first) {
                    rest = rest.dropFirst()
                } else if let valued = wrappers[name], !(name == "runuser" && rest.contains("-c")) {
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
