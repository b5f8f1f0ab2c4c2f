import Foundation
import TestSupport
import Testing

/// From a crontab to a run: the real commands, the real plugin `Command`, and the environment that cron would give.
struct MovingInTests {
    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        return workshop
    }

    /// Jobs from the system's folders run as root. For a plain user the check calls that an error, so the user's own name
    /// replaces root.
    private func checkAsItsUser(_ workshop: Workshop) throws -> Program.Result {
        let path = workshop.folder + "/jobs.yaml"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try workshop.write(
            text.replacing("user: root\n", with: "user: \(NSUserName())\n"), to: "jobs.yaml")
        return try workshop.lull("check", "--no-plugins")
    }

    @Test func `a line of a crontab runs as cron would run it`() throws {
        let workshop = try workshop()
        let home = workshop.folder + "/home"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try workshop.write(
            """
            HOME=\(home)
            GREETING = "good  morning"
            RAW=$HOME/x
            # Once a year, so that nothing but the test starts it
            0 0 1 1 * env; pwd; cat; echo 100\\%%a line%another
            """, to: "crontab")
        let imported = try workshop.bare(["import", "crontab", "crontab", "--out", "jobs.yaml"])
        #expect(imported.status == 0, "\(imported.error)")
        let check = try workshop.lull("check")
        #expect(check.status == 0, "\(check.error)")
        // Root's own crontab becomes the app cron.root: a root host runs an app without `user` under a separate account.
        let app = getuid() == 0 ? "cron.root" : "cron.jobs"
        #expect(try workshop.lull("submit", app + ".pwd").status == 0)
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 0, "\(pass.output)\(pass.error)")
        let output = try workshop.lull("history", "--run", "1").output
        for line in [
            "HOME=\(home)", "LOGNAME=" + NSUserName(), "GREETING=good  morning", "RAW=$HOME/x",
            "SHELL=/bin/sh", "PATH=/usr/bin:/bin",
            "PWD=\(home)",
            "\(home)", "a line", "another", "100%",
        ] {
            #expect(
                output.split(separator: "\n").contains { $0.hasSuffix(line) }, "no '\(line)' in\n\(output)")
        }
    }

    @Test func `nobody is told of a job what another printed`() throws {
        let workshop = try workshop()
        let folder = workshop.folder
        try workshop.write("#!/bin/sh\ncat > \(folder)/told.$LULL_TASK.$LULL_KIND\n", to: "sink.sh")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder + "/sink.sh")
        let fifos = try Program.run("/usr/bin/env", ["mkfifo", "a", "b", "c", "d"], in: folder)
        #expect(fifos.status == 0)
        // The first task speaks when all three run, and they end when it has spoken.
        func task(_ script: String) -> String {
            "{ kind: processing, time_limit: 1h, settings: { run: 'cd \(folder) && \(script)' } }"
        }
        try workshop.write(
            """
            version: 1
            defaults: { idle_after: never, requires: { idle: false }, limits: { write: all, privileges: keep } }
            apps:
              com.example.Jobs:
                plugin: Command
                notify: [{ command: [./sink.sh], on: [failed, output] }]
                tasks:
                  speaks: \(task("read x < a && read x < b && echo hunter2 && echo > c && echo > d"))
                  silent: \(task("echo > a && read x < c"))
                  fails: \(task("echo > b && read x < d && exit 4"))
            """, to: "jobs.yaml")
        for name in ["speaks", "silent", "fails"] {
            #expect(try workshop.lull("submit", "com.example.Jobs." + name).status == 0)
        }
        let pass = try workshop.lull("run", "--once")
        let told = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasPrefix("told.")
        }
        #expect(
            told.sorted() == ["told.com.example.Jobs.fails.failed", "told.com.example.Jobs.speaks.output"],
            "\(pass.output)\(pass.error)")
        for name in told {
            let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            #expect(text.contains("hunter2") == name.contains("speaks"), "\(text)")
        }
    }

    @Test func `what can't be carried over ends with 1, and the rest is written`() throws {
        let workshop = try workshop()
        try workshop.write("0 0 * * * one\n61 0 * * * two\n", to: "crontab")
        let result = try workshop.bare(["import", "crontab", "crontab"])
        #expect(result.status == 1)
        #expect(result.output.contains("one: # crontab:1"))
        #expect(try workshop.bare(["import", "crontab", "crontab", "--out", "-"]).output == result.output)
        #expect(result.error.contains("crontab:2: error: "), "\(result.error)")
    }

    @Test func `a file that systemd reads as no unit is named on one line`() throws {
        let workshop = try workshop()
        let timer = "[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n"
        for name in ["right.timer", "od\nd \u{1B}[31m.timer"] {
            try workshop.write(timer, to: name)
        }
        let result = try workshop.bare(["import", "timers", ".", "--all"])
        #expect(
            result.error.split(separator: "\n").contains {
                $0.hasPrefix("./od␊d ␛[31m.timer: skipped")
            })
        #expect(!result.output.contains("31m") && result.output.contains("right"))
    }

    @Test func `a manifest that was changed by hand is not replaced`() throws {
        let workshop = try workshop()
        try workshop.write("0 0 * * * one\n", to: "crontab")
        let arguments = ["import", "crontab", "crontab", "--out", "jobs.yaml"]
        #expect(try workshop.bare(arguments).status == 0)
        #expect(try workshop.bare(arguments).status == 0)
        try workshop.write("version: 1\n", to: "jobs.yaml")
        let refused = try workshop.bare(arguments)
        #expect(refused.status != 0)
        #expect(refused.error.contains("--force"))
        #expect(try workshop.bare(arguments + ["--force"]).status == 0)
    }

    /// By names, modes and last lines, as in a real `cron.d`; the user who runs the test replaces root.
    @Test func `of a folder only what cron would run is imported`() throws {
        let workshop = try workshop()
        let folder = workshop.folder + "/cron.d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let user = NSUserName()
        func add(_ name: String, _ mode: Int = 0o644, end: String = "\n") throws {
            try workshop.write("0 5 * * * \(user) /opt/of-\(name)\(end)", to: "cron.d/" + name)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: folder + "/" + name)
        }
        for name in ["good", "x.bak", "backup.disabled", "edited~", "new.rpmnew"] { try add(name) }
        try add("open", 0o666)
        try add("endless", end: "")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/dangling", withDestinationPath: folder + "/gone")
        let tries: [(cron: String, more: [String], tasks: [String])] = [
            ("debian", [], ["good"]), ("cronie", [], ["backup_disabled", "good", "x_bak"]),
            (
                "debian", ["--all"],
                ["backup_disabled", "edited", "endless", "good", "new_rpmnew", "open", "x_bak"]
            ),
        ]
        for (cron, more, tasks) in tries {
            let out = "\(cron)\(more.count).yaml"
            let result = try workshop.bare(
                ["import", "crontab", folder, "--cron", cron, "--out", out] + more)
            #expect(result.status == 0, "\(result.error)")
            let text = try String(contentsOfFile: workshop.folder + "/" + out, encoding: .utf8)
            let found = text.split(separator: "\n").filter { $0.contains(": # ") }
                .map { $0.split(separator: ":")[0].trimmingCharacters(in: .whitespaces) }
            #expect(found == tasks, "\(text)")
            #expect(text.contains("dangling: it is a dangling link"))
            #expect(result.error.contains("note: "))
            let check = try workshop.bare(["check", "--no-plugins", out])
            #expect(check.status == 0 || getuid() != 0, "\(check.error)")
        }
    }

    @Test func `of a machine's timers those are imported that systemd starts`() throws {
        let workshop = try workshop()
        let etc = "etc/systemd/system", lib = "usr/lib/systemd/system"
        for folder in [etc + "/timers.target.wants", lib + "/timers.target.wants", etc + "/on.service.d"] {
            try FileManager.default.createDirectory(
                atPath: workshop.folder + "/" + folder, withIntermediateDirectories: true)
        }
        for name in ["on", "off", "masked", "static"] {
            try workshop.write(
                "[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n", to: "\(lib)/\(name).timer")
            try workshop.write("[Service]\nExecStart=/bin/echo \(name)\n", to: "\(lib)/\(name).service")
        }
        try workshop.write("[Timer]\nOnCalendar=weekly\n", to: "\(lib)/of@.timer")
        try workshop.write("[Service]\nExecStart=/bin/echo %i\n", to: "\(lib)/of@.service")
        try workshop.write(
            "[Service]\nExecStart=\nExecStart=/bin/echo edited\n", to: "\(etc)/on.service.d/x.conf")
        for (link, target) in [
            ("\(etc)/timers.target.wants/on.timer", "/\(lib)/on.timer"), ("\(etc)/masked.timer", "/dev/null"),
            ("\(etc)/timers.target.wants/masked.timer", "/\(lib)/masked.timer"),
            ("\(etc)/timers.target.wants/of@home.timer", "/\(lib)/of@.timer"),
            ("\(lib)/timers.target.wants/static.timer", "../static.timer"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: workshop.folder + "/" + link, withDestinationPath: target)
        }
        let folder = workshop.folder + "/" + lib
        let result = try workshop.bare([
            "import", "timers", "--root", workshop.folder, folder, "--out", "jobs.yaml",
        ])
        #expect(result.status == 0, "\(result.error)")
        let text = try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
        #expect(text.contains("run: [/bin/echo, edited]"))
        #expect(text.contains("run: [/bin/echo, static]"))
        #expect(text.contains("run: [/bin/echo, home]"))
        #expect(!text.contains("[/bin/echo, off]") && !text.contains("[/bin/echo, masked]"))
        #expect(text.contains("#  masked.timer: it is masked\n#  off.timer: it is not enabled"))
        let check = try checkAsItsUser(workshop)
        #expect(check.status == 0, "\(check.error)")
    }

    @Test func `a folder of timers becomes a manifest that is right`() throws {
        let workshop = try workshop()
        try workshop.write("[Timer]\nOnCalendar=hourly\n", to: "a.timer")
        try workshop.write("[Service]\nExecStart=/bin/echo 'two  words'\n", to: "a.service")
        let result = try workshop.bare(["import", "timers", workshop.folder, "--all", "--out", "jobs.yaml"])
        #expect(result.status == 0, "\(result.error)")
        let check = try checkAsItsUser(workshop)
        #expect(check.status == 0, "\(check.error)")
    }
}
