/// How a program takes the command that it runs.
struct ShellWrapper {
    /// Options with a value in the next word, and options without a value.
    var valued: Set<String> = []
    var flags: Set<String> = []
    /// The number of words before the command, such as a lock or a duration.
    var operands = 0
    /// Options that are followed by a line for a shell.
    var code: Set<String> = []
    /// Options that clear the environment.
    var clearing: Set<String> = []
    /// Whether it looks for programs where the shell would.
    var keepsPath = true
    var takesVariables = false

    /// The number of words that the option takes; nil if it is not known.
    func length(ofOption text: String) -> Int? {
        if valued.contains(text) { return 2 }
        if flags.contains(text) || clearing.contains(text) { return 1 }
        // `--option=value`
        if let equals = text.firstIndex(of: "="), text.hasPrefix("--") {
            return valued.contains(String(text[..<equals])) ? 1 : nil
        }
        // `-n10`
        if !text.hasPrefix("--"), valued.contains(String(text.prefix(2))) { return 1 }
        // `-10` of nice
        if flags.contains("-NUMBER"), text.dropFirst().allSatisfy(\.isNumber) { return 1 }
        // `-xn` is `-x -n`.
        return !text.hasPrefix("--") && text.dropFirst().allSatisfy { flags.contains("-\($0)") } ? 1 : nil
    }
}

/// The words of shells, and of the programs that lead to others.
enum ShellVocabulary {
    static let wrappers: [String: ShellWrapper] = [
        "nice": ShellWrapper(valued: ["-n", "--adjustment"], flags: ["-NUMBER"]),
        "ionice": ShellWrapper(valued: ["-c", "-n", "--class", "--classdata"], flags: ["-t", "--ignore"]),
        "chrt": ShellWrapper(
            valued: ["-T", "-P", "-D"], flags: ["-b", "-f", "-i", "-o", "-r", "-d", "-R"], operands: 1),
        "taskset": ShellWrapper(flags: ["-c", "-a"], operands: 1),
        "flock": ShellWrapper(
            valued: ["-w", "-E", "--wait", "--timeout", "--conflict-exit-code"],
            flags: [
                "-n", "-x", "-e", "-s", "-o", "-F", "-u", "--nonblock", "--nb", "--exclusive", "--shared",
                "--close", "--no-fork", "--verbose",
            ], operands: 1, code: ["-c", "--command"]),
        "timeout": ShellWrapper(
            valued: ["-k", "-s", "--kill-after", "--signal"],
            flags: ["-v", "--foreground", "--preserve-status", "--verbose"], operands: 1),
        "env": ShellWrapper(
            valued: ["-u", "--unset"], clearing: ["-", "-i", "--ignore-environment"], takesVariables: true),
        "stdbuf": ShellWrapper(valued: ["-i", "-o", "-e", "--input", "--output", "--error"]),
        "systemd-cat": ShellWrapper(
            valued: ["-t", "-p", "--identifier", "--priority", "--stderr-priority", "--level-prefix"]),
        "sudo": ShellWrapper(
            valued: ["-u", "-g", "--user", "--group"],
            flags: ["-n", "-E", "-H", "--non-interactive", "--preserve-env", "--set-home"],
            keepsPath: false, takesVariables: true),
        "doas": ShellWrapper(valued: ["-u"], flags: ["-n"], keepsPath: false),
        "setsid": ShellWrapper(flags: ["-w", "-f", "-c", "--wait", "--fork"]),
        "nohup": ShellWrapper(), "chronic": ShellWrapper(flags: ["-v", "-e"]), "cronic": ShellWrapper(),
        "eatmydata": ShellWrapper(), "run-one": ShellWrapper(),
        "xvfb-run": ShellWrapper(flags: ["-a", "--auto-servernum"]),
    ]

    static let shells: Set<String> = ["sh", "bash", "dash", "zsh", "ksh"]

    /// Programs that read the file that is named first, and the options that may come before it.
    static let interpreters: [String: Set<String>] = [
        "python": ["-u", "-O", "-B", "-E", "-s", "-I"], "python2": ["-u", "-O", "-B", "-E", "-s"],
        "python3": ["-u", "-O", "-B", "-E", "-s", "-I"], "perl": ["-w"], "ruby": ["-w"], "node": [],
        "php": ["-q", "-f"], "Rscript": [], "lua": [],
    ]

    /// Programs whose success is an answer.
    static let questions: Set<String> = [
        "test", "[", "grep", "egrep", "fgrep", "zgrep", "rg", "pgrep", "pidof", "mountpoint", "findmnt",
        "ping",
        "fping", "nc", "id", "getent", "diff", "cmp", "lsof", "fuser", "systemctl", "service", "ps", "dpkg",
        "dpkg-query", "rpm", "host", "dig", "nslookup", "ls", "stat", "which", "false", "expr", "pgrep",
        "on_ac_power", "ischroot", "hostname", "runlevel", "nm-online", "wg", "ip", "ss", "netstat",
        "initctl", "invoke-rc.d", "acpi", "awk", "find", "xprintidle",
    ]

    /// Programs that may make new files at any path.
    static let makers: Set<String> = [
        "mount", "umount", "git", "svn", "hg", "make", "cmake", "ninja", "cargo", "npm", "npx", "yarn",
        "pnpm",
        "pip", "pip3", "pipx", "gem", "bundle", "composer", "go", "gcc", "cc", "clang", "g++", "swift", "tar",
        "unzip", "cpio", "7z", "ansible-pull", "ansible-playbook", "puppet", "chef-client", "salt-call",
        "cryptsetup", "sshfs", "rclone", "docker", "podman", "modprobe", "systemctl", "service", "autofs",
    ]

    static let installers: Set<String> = [
        "apt", "apt-get", "aptitude", "dpkg", "dnf", "yum", "zypper", "pacman", "apk", "rpm", "emerge",
        "snap",
        "flatpak", "brew", "pip", "pip3", "pipx", "npm", "gem", "ansible-pull", "ansible-playbook", "puppet",
        "chef-client", "salt-call",
    ]

    /// Words of sh and of later shells that name no program.
    static let own: Set<String> = Set(
        """
        . : [ alias autoload bg bind break builtin case caller cd command compgen complete continue coproc declare \
        dirs disown do done echo elif else emulate enable esac eval exec exit export false fc fg fi float for function \
        getopts hash help history if in integer jobs kill let local logout mapfile noglob popd print printf pushd pwd \
        read readarray readonly return select set setopt shift shopt source suspend test then time times trap true \
        type typeset ulimit umask unalias unset until wait whence where which while
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
