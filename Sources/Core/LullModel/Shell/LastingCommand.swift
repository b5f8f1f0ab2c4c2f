/// A command line that should run as long as the machine does: a daemon or a tunnel, which does not become a task.
public enum LastingCommand {
    /// Programs that detach the processes that they start.
    public static let detaching: Set = ["nohup", "setsid", "disown", "daemonize", "start-stop-daemon"]
    /// Programs that do not exit by themselves.
    private static let staying: Set = [
        "autossh", "cloudflared", "dockerd", "frpc", "frps", "ngrok", "openvpn", "screen", "sshd",
        "syncthing", "tmux",
    ]

    /// The sign of such a command line: a program's name, or the `&` at its end; nil: there is none.
    public static func sign(in command: String) -> String? {
        let words = ShellWords.split(command)
        if words.last == "&" { return "&" }
        for (index, word) in words.enumerated() {
            let name = word.split(separator: "/").last.map(String.init) ?? word
            if detaching.contains(name) || staying.contains(name) { return name }
            if name == "ssh",
                words[(index + 1)...].prefix(while: { !"&|;".contains($0) }).contains(where: opensTunnel)
            {
                return "ssh -N"
            }
        }
        return nil
    }

    /// The word that leaves a process running after the command line has ended: an `&` without a `wait`, or a program that goes
    /// into the background; nil: no such word is found.
    public static func leaving(in command: String) -> String? {
        let words = ShellWords.split(command)
        for (index, word) in words.enumerated() {
            let name = word.split(separator: "/").last.map(String.init) ?? word
            let rest = words[(index + 1)...].prefix { !ShellWords.isOperator($0) }
            if word == "&", !words[(index + 1)...].contains("wait") { return "&" }
            if detaching.contains(name) { return name }
            if ["screen", "tmux"].contains(name), rest.contains(where: detaches) { return "\(name) -d" }
            if daemonFlags.contains(where: word.hasPrefix) { return word }
            if name == "service", rest.dropFirst().first.map(starting.contains) == true { return "service" }
            if word.hasPrefix("/etc/init.d/"), rest.first.map(starting.contains) == true { return word }
        }
        return nil
    }

    private static let daemonFlags = ["--daemon", "--background", "--detach", "--fork"]
    /// The arguments with which a System V script starts its daemon.
    private static let starting: Set = ["start", "restart", "force-reload", "try-restart", "condrestart"]

    /// `-d`, alone or among others, as in `-dmS`.
    private static func detaches(_ word: String) -> Bool {
        word.hasPrefix("-") && !word.hasPrefix("--") && word.dropFirst().prefix { $0.isLetter }.contains("d")
    }

    /// `-N`, alone or among others: ssh runs no command, it only connects.
    private static func opensTunnel(_ word: String) -> Bool {
        word.hasPrefix("-") && !word.hasPrefix("--") && word.dropFirst().prefix { $0.isLetter }.contains("N")
    }

    public static func message(_ sign: String, limit: String) -> String {
        "the command starts a background process ('\(sign)'): Lull ends it together with the run, after \(limit) at most"
    }

    public static let fix =
        "have systemd run it: a service with `Restart=always` and `WantedBy=multi-user.target`"
}
