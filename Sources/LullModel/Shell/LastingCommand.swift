/// A command line that is to run for as long as the machine does: a daemon or a tunnel, of which no task is made.
public enum LastingCommand {
    /// Programs that leave what they start to itself.
    public static let detaching: Set = ["nohup", "setsid", "disown", "daemonize", "start-stop-daemon"]
    /// Programs that are there to stay.
    private static let staying: Set = [
        "autossh", "cloudflared", "dockerd", "frpc", "frps", "ngrok", "openvpn", "screen", "sshd",
        "syncthing", "tmux",
    ]

    /// What says so: a program's name, or the `&` at its end; nil: nothing does.
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

    /// `-N`, alone or among others, runs no command: the connection is all there is.
    private static func opensTunnel(_ word: String) -> Bool {
        word.hasPrefix("-") && !word.hasPrefix("--") && word.dropFirst().prefix { $0.isLetter }.contains("N")
    }

    public static func message(_ sign: String, limit: String) -> String {
        "'\(sign)' is for what stays, and a task ends: after \(limit) (`time_limit`), and what it leaves behind with it"
    }

    public static let fix =
        "have systemd run it: a service with `Restart=always` and `WantedBy=multi-user.target`"
}
