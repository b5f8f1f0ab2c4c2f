import Foundation
import TestSupport
import Testing

/// `lull check` and operators' mistakes in the settings of the shipped apps; and the output of commands.
struct SettingsTests {
    private func workshop(_ tasks: String, plugin: String = "Command", more: String = "") throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command", "SQLiteMaintenance", "RepoRefresh", "ColorFeed", "Mirror")
        try workshop.write(
            """
            version: 1
            apps:
              org.example.jobs:
                plugin: \(plugin)
                idle_after: never
            \(more)    tasks:
            \(tasks)

            """, to: "jobs.yaml")
        return workshop
    }

    @Test func `the verdict of a launch stands on a line of its own`() throws {
        let workshop = try workshop(
            """
                  a: { kind: processing, settings: { run: "printf open; exit 3" } }
            """, more: "    user: host\n    limits: { privileges: keep }\n")
        #expect(try workshop.lull("launch", "a").output.hasPrefix("open\norg.example.jobs.a: run 1 failed"))
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered org.example.jobs")
        #expect(try workshop.lull("launch", "a").output.hasPrefix("open\norg.example.jobs.a: run 2 failed"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `a daemon that a task starts at each boot is a warning, with what to do`() throws {
        let workshop = try workshop(
            """
                  a: { kind: processing, at: "@reboot", settings: { run: "sh -c true &" } }
                  b: { kind: processing, at: "@reboot", time_limit: 2h, settings: { run: [ssh, -N, host] } }
                  c: { kind: processing, at: "@reboot", settings: { run: "true" } }
            """)
        let result = try workshop.lull("check", "--no-plugins")
        #expect(result.status == 0, "\(result.error)")
        #expect(
            result.error.contains("background process ('&'): Lull ends it together with the run, after 1 d"),
            "\(result.error)")
        #expect(
            result.error.contains(
                "background process ('ssh -N'): Lull ends it together with the run, after 2 h"))
        #expect(result.error.contains("have systemd run it") && !result.error.contains("jobs.c:"))
    }

    @Test func `with strict a warning is as good as an error, and what nothing starts is one`() throws {
        let workshop = try workshop(
            """
                  a: { kind: processing, settings: { run: "true" } }
                  b: { kind: processing, on: { after: a }, settings: { run: "true" } }
                  c: { kind: processing, on: { after: d }, settings: { run: "true" } }
                  d: { kind: processing, repeat: 1d, settings: { run: "true" } }
            """)
        let usual = try workshop.lull("check", "--no-plugins")
        #expect(usual.status == 0 && usual.output.contains("is right, with 2 warnings"), "\(usual.output)")
        #expect(
            usual.error.contains("jobs.yaml:7:7: warning: org.example.jobs.a: nothing starts this task but"))
        #expect(
            usual.error.contains("jobs.yaml:8:7: warning: org.example.jobs.b: nothing starts this task: what")
        )
        let strict = try workshop.lull("check", "--no-plugins", "--strict")
        #expect(strict.status == 1 && strict.output == "", "\(strict.output)")
        #expect(
            strict.error.contains(
                "jobs.yaml: 2 warnings. A running host accepts this file; `--strict` does not."))
        let json = try workshop.lull("check", "--no-plugins", "--strict", "--json")
        #expect(json.status == 1 && json.output.contains("\"severity\" : \"warning\""), "\(json.output)")
    }

    @Test func `errors and warnings come in the order of the file`() throws {
        let workshop = try workshop(
            """
                  a: { kind: processing, repeat: 1d, settings: { run: "/nonexistent/a" } }
                  b: { kind: processing, repeat: 1d, settings: { run: "echo 'open" } }
                  c: { kind: processing, repeat: 1d, settings: { run: "true", cwd: /nonexistent/c } }
            """)
        let result = try workshop.lull("check", "--no-plugins")
        let places = result.error.split(separator: "\n").filter {
            $0.hasPrefix("jobs.yaml:") && $0.contains(": org.")
        }
        #expect(places.map { $0.split(separator: ":")[1] } == ["7", "8", "9"], "\(result.error)")
        #expect(result.status == 1)
    }

    @Test func `pushes without a command are an error, with where to write one`() throws {
        let task = "      a: { kind: processing, settings: { run: \"true\" } }"
        let bare = try workshop(task, more: "    push: { quota: 3/1h }\n")
        let result = try bare.lull("check", "--no-plugins")
        #expect(
            result.error.contains(
                "jobs.yaml:3:3: error: org.example.jobs.push: the setting 'run' is missing"),
            "\(result.error)")
        #expect(result.error.contains("`run: backup --all` in the `settings` of the app"), "\(result.error)")
        let whole = try workshop(task, more: "    push: { quota: 3/1h }\n    settings: { run: \"true\" }\n")
        #expect(try whole.lull("check", "--no-plugins").status == 0)
    }

    @Test(arguments: [
        (
            "{ rum: echo hi }", "jobs.yaml:7:42: error: org.example.jobs.a: unknown setting 'rum'",
            "did you mean `run`?"
        ),
        (
            "{ command: echo }", "jobs.yaml:7:42: error: org.example.jobs.a: unknown setting 'command'",
            "did you mean `run`?"
        ),
        (
            "{ run: ls, timout: 5m }", "jobs.yaml:7:51: error: org.example.jobs.a: unknown setting 'timout'",
            "write `time_limit` in the task, outside its `settings`: `time_limit: 10m`"
        ),
        (
            "{ run: ls, PATH: /x }", "jobs.yaml:7:51: error: org.example.jobs.a: unknown setting 'PATH'",
            "`env: { PATH: … }`"
        ),
        (
            "{}", "jobs.yaml:7:30: error: org.example.jobs.a: the setting 'run' is missing",
            "`run: backup --all`"
        ),
        (
            "{ run: [] }", "jobs.yaml:7:42: error: org.example.jobs.a: `run` is an empty list",
            "name at least one"
        ),
        ("{ run: \"\" }", "jobs.yaml:7:47: error: org.example.jobs.a: `run` is empty", "`run: backup --all`"),
        (
            "{ run: 5 }", "jobs.yaml:7:47: error: org.example.jobs.a: `run` takes a list or text, not 5",
            "`run: \"5\"`"
        ),
    ])
    func `a command that can't run is an error at its place`(settings: String, line: String, fix: String)
        throws
    {
        let workshop = try workshop("      a: { kind: processing, settings: \(settings) }")
        for arguments in [["check", "--no-plugins"], ["check"]] {
            let result = try workshop.lull(arguments)
            #expect(result.status == 1)
            #expect(result.error.contains(line), "\(result.error)")
            #expect(result.error.contains(fix), "\(result.error)")
            #expect(result.error.contains("jobs.yaml: 1 error"), "\(result.error)")
        }
    }

    @Test(arguments: [
        ("{ run: bakcupp --all }", "there is no program 'bakcupp' in PATH (/usr/local/bin:/usr/bin:/bin)"),
        ("{ run: [bakcupp, --all] }", "there is no program 'bakcupp' in PATH (/usr/local/bin:/usr/bin:/bin)"),
        ("{ run: echo, shell: /bin/nosuch }", "there is no program '/bin/nosuch'"),
        ("{ run: echo, cwd: /no/such }", "there is no folder '/no/such'"),
        ("{ run: echo, cwd: /etc/passwd }", "'/etc/passwd' is not a folder"),
        ("{ run: '/no/such/prog || exit 1' }", "there is no program '/no/such/prog'"),
        ("{ run: 'cd /etc && ./nosuch' }", "there is no program '/etc/nosuch'"),
        ("{ run: 'bash /no/such.sh' }", "there is no file '/no/such.sh'"),
        ("{ run: 'nice -n 5 bakcupp | sort' }", "there is no program 'bakcupp' in PATH"),
        ("{ run: ls, env: { PATH: /nowhere } }", "there is no program 'ls' in PATH (/nowhere)"),
    ])
    func `what is not on this machine is a warning`(settings: String, words: String) throws {
        let workshop = try workshop("      a: { kind: processing, settings: \(settings) }")
        let result = try workshop.lull("check", "--no-plugins")
        #expect(result.status == 0)
        #expect(result.error.contains("warning: org.example.jobs.a: \(words)"), "\(result.error)")
    }

    @Test func `a long PATH is said once, and the folder of a program that is beside it`() throws {
        let workshop = try workshop(
            """
                  a: { kind: processing, repeat: 1d, settings: { run: "bakcupp; resotre" } }
                  b: { kind: processing, repeat: 1d, settings: { run: bakcupp } }
                  c: { kind: processing, repeat: 1d, settings: { run: ls, env: { PATH: /nowhere } } }
            """)
        let result = try workshop.lull("check", "--no-plugins")
        #expect(result.status == 0)
        #expect(
            result.error.split(separator: "\n").filter { $0.contains(": warning: ") }.map {
                $0.split(separator: ": ").last ?? ""
            } == [
                "there is no program 'bakcupp' in PATH (/usr/local/bin:/usr/bin:/bin)",
                "there is no program 'ls' in PATH (/nowhere)",
            ], "\(result.error)")
        // A program that is missing in several places is reported once, with all places.
        #expect(
            result.error.contains("write its full path\nalso: jobs.yaml:7 (resotre), 8 (bakcupp)\n"),
            "\(result.error)")
        #expect(
            result.error.contains("write `/usr/bin/ls`, or add /usr/bin to `PATH` under `env`"),
            "\(result.error)")
    }

    @Test func `a manifest from standard input is checked like a file, with the line and from this folder`()
        throws
    {
        let workshop = try workshop("      a: { kind: processing, repeat: 1d, settings: { rum: echo hi } }")
        let text = try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
        let wrong = try workshop.lull("check", "-", input: text)
        #expect(wrong.status == 1)
        for words in [
            "<stdin>:7:54: error: org.example.jobs.a: unknown setting 'rum'", "settings: { rum: echo hi }",
            "<stdin>: 1 error.",
        ] {
            #expect(wrong.error.contains(words), "\(wrong.error)")
        }
        let json = try workshop.lull("check", "-", "--json", "--no-plugins", input: text)
        #expect(json.status == 1 && json.output.contains("\"path\" : \"<stdin>\""), "\(json.output)")
        let right = text.replacingOccurrences(of: "rum", with: "run")
            .replacingOccurrences(of: "plugin: Command", with: "plugin: plugins/libCommand.so")
        let result = try workshop.lull("check", "-", input: right)
        #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
        #expect(
            result.output.hasPrefix("<stdin> is right: 1 app, 1 task; every plugin registers"),
            "\(result.output)")
        let cut = try workshop.lull("check", "-", input: text + "    broken: [")
        #expect(cut.status == 1 && cut.error.contains("<stdin>:8:13: error: the ["), "\(cut.error)")
        let empty = try workshop.lull("check", "-", input: "")
        #expect(
            empty.status == 1 && empty.error.contains("<stdin>:1:1: error: the manifest is empty"),
            "\(empty.error)")
    }

    @Test func `other errors do not hide those of settings, and all stand in the file's order`() throws {
        let workshop = try workshop(
            """
                  a: { kind: processing, settings: { rum: x } }
                  b: { kind: processing, settings: { run: x, run: y } }
                  c: { kind: processing, repaet: 1d, settings: { run: "true" } }
                  d: { kind: processing, settings: { run: "true", cwdd: / } }
            """)
        let result = try workshop.lull("check", "--no-plugins")
        let places = result.error.split(separator: "\n").filter { $0.contains(": error:") }.map {
            $0.split(separator: ":")[1]
        }
        #expect(places == ["7", "8", "9", "10"], "\(result.error)")
    }

    @Test func `an app's settings complete its tasks', and a line of the app is told once`() throws {
        let workshop = try workshop(
            "      a: { kind: processing, repeat: 1d }\n      b: { kind: processing, repeat: 1d, settings: { run: [ls] } }",
            more: "    settings: { run: ls, shell: 7 }\n")
        let result = try workshop.lull("check", "--no-plugins")
        #expect(
            result.error.contains("jobs.yaml:6:33: error: org.example.jobs: `shell` takes text, not 7"),
            "\(result.error)")
        #expect(result.error.contains("jobs.yaml: 1 error."), "\(result.error)")
    }

    @Test func `every shipped app declares its settings`() throws {
        for (plugin, key) in [
            ("SQLiteMaintenance", "databases"), ("RepoRefresh", "repositories"), ("ColorFeed", "feed"),
            ("Mirror", "files"),
        ] {
            let workshop = try workshop(
                "      a: { kind: processing, settings: { nonsense: 1 } }", plugin: plugin)
            let result = try workshop.lull("check", "--no-plugins")
            #expect(result.error.contains("unknown setting 'nonsense'"), "\(result.error)")
            #expect(result.error.contains("the setting '\(key)' is missing"), "\(result.error)")
            #expect(try workshop.lull("schema").output.contains("\"\(key)\""))
        }
    }

    @Test
    func `a running host says what an edit's settings break, once, without the values, until it is mended`()
        throws
    {
        let workshop = try workshop("      a: { kind: processing, settings: { run: ls } }")
        let right = try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered org.example.jobs")
        #expect(try !workshop.lull("status").output.contains("setting"))

        let slip = right.replacingOccurrences(of: "run: ls", with: "rum: hunter2, cwd: 77077")
        try workshop.write(slip, to: "jobs.yaml")
        try host.waitForLine(containing: "unknown setting 'rum'")
        let status = try workshop.lull("status").output.split { $0 == " " || $0 == "\n" }.joined(
            separator: " ")
        for words in [
            "jobs.yaml:7:61: org.example.jobs.a: `cwd` has to be text; `lull check --state \(workshop.state)` shows",
            "jobs.yaml:7:42: org.example.jobs.a: unknown setting 'rum'; did you mean `run`?",
        ] {
            #expect(status.contains(words), "\(status)")
        }
        #expect(try workshop.lull("status", "--json").output.contains("unknown setting 'rum'"))
        try workshop.write(right, to: "jobs.yaml")
        try host.waitForLine(containing: "All settings fit their plugins' schemas again.")
        #expect(try !workshop.lull("status").output.contains("setting"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
        let lines = host.said.split(separator: "\n")
        #expect(lines.count { $0.contains("unknown setting 'rum'") } == 1, "\(host.said)")
        #expect(!host.said.contains("hunter2") && !host.said.contains("77077"), "\(host.said)")
    }

    @Test func `a diff says of each setting what it is for, and where it stands`() throws {
        let workshop = try workshop("      a: { kind: processing, settings: { run: ls } }")
        let old = try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
        try workshop.write(old, to: "old.yaml")
        try workshop.write(
            old.replacingOccurrences(of: "run: ls", with: "run: ls, cwd: /tmp, rum: ls"), to: "jobs.yaml")
        let diff = try workshop.lull("diff", "jobs.yaml", "--against", "old.yaml")
        for words in [
            "settings.cwd: \"/tmp\", was not given (jobs.yaml:7) – The folder in which it runs; ~ is the home folder",
            "settings.rum: \"ls\", was not given (jobs.yaml:7) – the plugin knows no such setting",
        ] {
            #expect(diff.output.contains(words), "\(diff.output)")
        }
        let json = try workshop.lull("diff", "jobs.yaml", "--against", "old.yaml", "--json")
        #expect(json.output.contains("\"meaning\" : \"The folder in which it runs; ~ is the home folder\""))
    }

    @Test func `a schema that is wrong is the author's to mend and keeps nobody from running`() throws {
        let workshop = try workshop("      now: { kind: processing }", plugin: "Odd")
        let source = try String(
            contentsOf: Workshop.root.appendingPathComponent("Tests/Fixtures/Plugins/Good.c"), encoding: .utf8
        )
        try (source + "\nLULL_SETTINGS_SCHEMA({ \"lull_settings\": 1, \"app\": { \"typ\": \"object\" } });\n")
            .write(
                toFile: workshop.folder + "/odd.c", atomically: true, encoding: .utf8)
        let gcc = try Program.run(
            "/usr/bin/env",
            [
                "gcc", "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                "-pthread", "-I",
                Workshop.root.appendingPathComponent("Sources/C/CLullPlugin/include").path,
                workshop.folder + "/odd.c",
                "-I", Workshop.root.appendingPathComponent("Tests/Fixtures/Plugins").path,
                "-o", workshop.folder + "/plugins/libOdd.so",
            ])
        #expect(gcc.status == 0, "\(gcc.error)")
        let checked = try workshop.lull("check", "--no-plugins")
        #expect(checked.status == 0)
        #expect(checked.error.contains("`/app` has the unknown keyword 'typ'"), "\(checked.error)")
        #expect(checked.error.contains("did you mean `type`?"), "\(checked.error)")
        let plugin = try workshop.lull("plugin", "check", "plugins/libOdd.so", "--only", "settings-declared")
        #expect(plugin.status == 1)
        #expect(plugin.output.contains("The schema of its settings is wrong"), "\(plugin.output)")
    }

    @Test func `of what a command prints the history tells to the byte what is not kept`() throws {
        // 1,288,895 bytes: seq prints 1 to 200000.
        let workshop = try workshop("      a: { kind: processing, settings: { run: \"seq 1 200000\" } }")
        _ = try workshop.lull("run", "--once")
        let result = try workshop.lull("submit", "org.example.jobs.a")
        #expect(result.status == 0, "\(result.error)")
        _ = try workshop.lull("run", "--once")
        let json = try workshop.lull("history", "--run", "1", "--json")
        let account = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any], "\(json.error)")
        let output = try #require(account["output"] as? [String: Any])
        let bytes = try #require(output["bytes"] as? Int)
        let pieces = try #require(output["pieces"] as? [[String: Any]])
        // The app's own line comes at the end.
        #expect(bytes >= 1_288_895 && bytes < 1_289_100)
        #expect(output["dropped_bytes"] as? Int == bytes - (64 << 10))
        let text = try workshop.lull("history", "--run", "1").output
        #expect(text.contains("… \(bytes - (64 << 10)) bytes not kept …"), "\(text.suffix(400))")
        #expect((pieces.first?["text"] as? String)?.hasPrefix("1\n2\n3\n") == true)
        #expect(text.contains("\n200000\n"))
    }
}
