import Foundation
import TestSupport
import Testing

/// The completion of a line in the shells themselves, on a terminal.
///
/// Each line ends right after its TAB: the shell then runs the completed line.
struct ShellCompletionTests {
    private static func lacks(_ shell: String) -> Comment {
        "\(shell) is not installed; `packaging/install-dependencies tests` does it"
    }
    private static func isThere(_ shell: String) -> Bool {
        ["/bin/", "/usr/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + shell) }
    }

    /// The typed words before TAB, and the words that the shell then runs.
    private static let lines: [(typed: String, words: [String])] = [
        ("hist", ["history"]), ("status --stat", ["status", "--state"]),
        ("check m6", ["check", "m6.yaml"]), ("check my", ["check", "my jobs.yaml"]),
        ("check deep/in", ["check", "deep/inner.yaml"]),
        ("import crontab cr", ["import", "crontab", "cron.txt"]),
        // A folder, though a file begins alike; also where subcommands could stand.
        ("status --state de", ["status", "--state", "deep"]),
        ("history --state de", ["history", "--state", "deep"]),
        ("status --state=de", ["status", "--state=deep"]),
        ("import timers de", ["import", "timers", "deep"]),
        ("history --task com.example.App.o", ["history", "--task", "com.example.App.only"]),
        ("history --app com", ["history", "--app", "com.example.App"]),
        ("history --app com.example.App --fai", ["history", "--app", "com.example.App", "--failed"]),
        ("why onl", ["why", "only"]), ("help his", ["help", "history"]),
    ]

    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(
            """
            version: 1
            apps:
              com.example.App:
                plugin: Command
                idle_after: never
                tasks: { only: { kind: processing, at: "03:00", settings: { run: "true" } } }
            """, to: "jobs.yaml")
        try FileManager.default.createDirectory(
            atPath: workshop.folder + "/deep", withIntermediateDirectories: true)
        for name in ["m6.yaml", "my jobs.yaml", "cron.txt", "deed.txt", "deep/inner.yaml"] {
            try workshop.write("", to: name)
        }
        // Completes as `lull` does, and otherwise prints its arguments: a shell may leave a folder's last slash.
        let lull = Workshop.products.appendingPathComponent("lull").path
        try FileManager.default.createDirectory(
            atPath: workshop.folder + "/bin", withIntermediateDirectories: true)
        try workshop.write(
            """
            #!/bin/sh
            [ "$1" != complete-words ] || exec '\(lull)' "$@"
            for word; do said="$said<${word%/}>"; done
            echo "ran: $said."
            """, to: "bin/lull")
        chmod(workshop.folder + "/bin/lull", 0o755)
        for shell in ["bash", "zsh", "fish"] {
            try workshop.write(
                try workshop.bare(["--generate-completion-script", shell]).output, to: "lull." + shell)
        }
        return workshop
    }

    /// Starts this shell, and types each line at a prompt.
    private func complete(in workshop: Workshop, _ shell: String...) throws {
        let path =
            workshop.folder + "/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let terminal = try Pseudoterminal(
            "/usr/bin/env", ["setsid", "--ctty", "--wait"] + shell, in: workshop.folder,
            environment: [
                "TERM": "xterm", "PATH": path, "HOME": workshop.folder,
                "ZDOTDIR": workshop.folder, "XDG_CONFIG_HOME": workshop.folder,
                "XDG_DATA_HOME": workshop.folder,
            ], columns: 200, rows: 50)
        for (typed, words) in Self.lines {
            try terminal.wait(for: "ready> ")
            terminal.type("lull \(typed)\t\r")
            try terminal.wait(for: "ran: <")
            let ran = try terminal.wait(for: ">.")
            #expect(ran == words.joined(separator: "><"))
        }
        terminal.type("exit\r")
        _ = try terminal.end()
    }

    @Test(.enabled(if: isThere("bash"), lacks("bash")))
    func `bash completes commands, options, names, files and folders`() throws {
        let workshop = try workshop()
        try workshop.write("PS1='ready> '\nunset HISTFILE\n. ./lull.bash\n", to: "bashrc")
        try complete(in: workshop, "bash", "--rcfile", "bashrc", "-i")
    }

    @Test(.enabled(if: isThere("zsh"), lacks("zsh")))
    func `zsh completes commands, options, names, files and folders`() throws {
        let workshop = try workshop()
        try workshop.write(
            "PS1='ready> '\nautoload -Uz compinit\ncompinit -u -D\n. ./lull.zsh\n", to: ".zshrc")
        try complete(in: workshop, "zsh", "-d", "-i")
    }

    @Test(.enabled(if: isThere("fish"), lacks("fish")))
    func `fish completes commands, options, names, files and folders`() throws {
        let workshop = try workshop()
        try complete(
            in: workshop, "fish", "--no-config", "--init-command",
            "source lull.fish; function fish_prompt; echo 'ready> '; end")
    }
}
