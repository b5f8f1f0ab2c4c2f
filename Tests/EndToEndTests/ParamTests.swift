import Foundation
import TestSupport
import Testing

/// `params` of a task, through the real executables and real commands.
struct ParamTests {
    private static let task = "org.example.jobs.report"

    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            """
            version: 1
            apps:
              org.example.jobs:
                plugin: Command
                idle_after: never
                user: host
                limits: { privileges: keep }
                tasks:
                  report:
                    kind: processing
                    requires: { idle: false }
                    params:
                      day: { default: yesterday, match: "yesterday|[0-9]{4}-[0-9]{2}-[0-9]{2}", description: The day }
                      level: { default: info, one_of: [info, debug] }
                      note: none
                    settings: { run: 'printf "[%s]" "$LULL_PARAM_DAY" "$LULL_PARAM_LEVEL" "$LULL_PARAM_NOTE"' }
            """, to: "jobs.yaml")
        return workshop
    }

    @Test func `a launch by hand gives a command its values, with a host and without one`() throws {
        let workshop = try workshop()
        #expect(try workshop.lull("check").status == 0)
        let plain = try workshop.lull("launch", Self.task)
        #expect(plain.status == 0 && plain.output.contains("[yesterday][info][none]"), "\(plain)")
        let host = try workshop.start("run")
        try host.waitForLine(containing: "discovered org.example.jobs")
        let evil = "note=$(touch \(workshop.folder)/hit); `id` '\"&| *"
        let given = try workshop.lull("launch", Self.task, "--param", "day=2026-11-30", "-p", evil)
        #expect(given.status == 0, "\(given)")
        #expect(given.output.contains("[2026-11-30][info][" + evil.dropFirst(5) + "]"), "\(given)")
        #expect(!FileManager.default.fileExists(atPath: workshop.folder + "/hit"))
        let account = try workshop.lull("history", "2").output.unwrapped
        #expect(account.contains("Params day=2026-11-30 level=info note='$(touch"), "\(account)")
        let json = try workshop.lull("history", "--run", "2", "--json").output.unwrapped
        #expect(
            json.contains(#""params" : { "day" : "2026-11-30", "level" : "info", "note" : "$(touch"#),
            "\(json)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `what a task does not take is refused, and nothing runs`() throws {
        let workshop = try workshop()
        for hasHost in [false, true] {
            let host = hasHost ? try workshop.start("run") : nil
            try host?.waitForLine(containing: "discovered org.example.jobs")
            for (argument, words) in [
                ("day=soon", "'soon' is no value for the parameter `day`, which must match"),
                ("level=trace", "which must be 'info' or 'debug'. For example: `--param level=info`."),
                ("dya=2026-11-30", "Did you mean `day`? It has `day`, `level` and `note`"),
                ("day", "Write `--param day=VALUE`"), ("=x", "Write `--param NAME=VALUE`"),
                ("note=a\nb", "has the control character U+000A"), ("note=\u{1B}[31m", "U+001B"),
                ("note=" + String(repeating: "x", count: 5000), "has 5000 bytes, and at most 4096 are taken"),
            ] {
                for command in hasHost ? ["launch", "submit"] : ["launch"] {
                    let result = try workshop.lull(command, Self.task, "--param", argument)
                    #expect(result.status == 1, "\(argument)")
                    #expect(result.error.unwrapped.contains(words), "\(result.error)")
                    #expect(!result.error.contains("\u{1B}"))
                }
            }
            let twice = try workshop.lull("launch", Self.task, "-p", "note=a", "-p", "note=b")
            #expect(
                twice.status == 1 && twice.error.unwrapped.contains("'note' is given twice"), "\(twice.error)"
            )
            host?.send(SIGTERM)
            #expect(host.map { $0.end() } ?? 0 == 0)
        }
        let history = try workshop.lull("history", "--events").output
        #expect(!history.contains("launched") && !history.contains("submitted"), "\(history)")
        // Bytes that are no UTF-8.
        let lull = Workshop.products.appendingPathComponent("lull").path
        let script =
            #"exec "$0" launch \#(Self.task) --state state --plugin-path plugins -p "$(printf 'note=\377')""#
        let odd = try Program.run("/bin/sh", ["-c", script, lull], in: workshop.folder)
        #expect(odd.status != 0 && !odd.output.contains("[yesterday]"), "\(odd)")
    }

    @Test func `a request keeps its values across hosts, and why and pending show them`() throws {
        let workshop = try workshop()
        let asked = try workshop.lull("submit", Self.task, "--earliest", "1h", "-p", "day=2026-11-30")
        #expect(asked.status == 0, "\(asked)")
        let why = try workshop.lull("why", Self.task).output.unwrapped
        #expect(why.contains("Request 1 waits to run it with day=2026-11-30."), "\(why)")
        #expect(try workshop.lull("pending").output.contains("day=2026-11-30"))
        let pending = try workshop.lull("pending", "--json").output.unwrapped
        #expect(pending.contains(#""params" : { "day" : "2026-11-30" }"#), "\(pending)")
        let host = try workshop.start("run")
        try host.waitForLine(containing: "discovered org.example.jobs")
        let other = try workshop.lull("launch", Self.task)
        #expect(other.output.contains("[yesterday][info][none]"), "\(other)")
        #expect(
            other.output.unwrapped.contains("Request 1 with day=2026-11-30 goes on waiting."), "\(other)")
        let again = try workshop.lull("submit", Self.task, "-p", "note=first come")
        #expect(
            again.output.unwrapped.contains("It takes the place of request 1 with day=2026-11-30."),
            "\(again)")
        while host.said.ranges(of: "completed \(Self.task)").count < 2 {
            try host.readLine(waitingFor: "completed")
        }
        host.send(SIGTERM)
        #expect(host.end() == 0)
        #expect(try workshop.lull("history", "--run", "2").output.contains("[yesterday][info][first come]"))
    }

    @Test func `the page launches with values in its query, and shows what there is to give`() throws {
        let workshop = try workshop()
        let host = try workshop.start("run", "jobs.yaml", "--http", "127.0.0.1:0")
        let page = try PageClient(line: host.waitForLine(containing: "The page is at"))
        try host.waitForLine(containing: "discovered org.example.jobs")
        let status = try page.get("/api/status").body
        #expect(
            status.contains(
                #""declared_params":[{"default":"yesterday","description":"The day","match":"yesterday|[0-9]{4}-[0-9]{2}-[0-9]{2}","name":"day"},"#
            ),
            "\(status)")
        let launch = "/api/tasks/\(Self.task)/launch"
        #expect(
            try page.post(launch + "?params%5Bday%5D=2026-11-30&params%5Bnote%5D=a%20b", authorized: false)
                .status == 401)
        let bad = try page.post(launch + "?params%5Bday%5D=soon")
        #expect(
            bad.status == 409 && bad.body.contains("'soon' is no value for the parameter `day`"), "\(bad)")
        #expect(try page.post(launch + "?day=2026-11-30").status == 400)
        #expect(try page.post(launch + "?params%5Bday%5D=2026-11-30&params%5Bnote%5D=a%20b").status == 200)
        try host.waitForLine(containing: "completed \(Self.task)")
        #expect(try page.get("/api/runs/1").body.contains("Params   day=2026-11-30 level=info note='a b'"))
        #expect(try page.get("/params.js").status == 200)
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
