import Foundation
import TestSupport
import Testing

/// Lull refuses a person's mistakes with a sentence, and programs recognise the refusal by the exit code.
struct RefusalTests {
    private func workshop() throws -> Workshop {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    usage:
                      - { log: jobs.yaml, time: rfc3339 }
                    tasks:
                      succeed: { kind: processing, requires: { idle: false } }
                """)
        return workshop
    }

    @Test(arguments: [
        ["status"], ["history"], ["used", "com.example.App"], ["run", "--once"], ["simulate"],
        ["launch", "com.example.App.succeed"],
    ])
    func `a state folder that is a file is named`(command: [String]) throws {
        let workshop = try workshop()
        try workshop.write("", to: "state")
        let result = try workshop.lull(command)
        #expect(result.status == 1)
        #expect(result.error.contains("it is a file"), "\(result.error)")
        #expect(result.error.contains("--state"))
    }

    @Test func `a manifest with errors matters to the fleet's commands only for what they need of it`() throws
    {
        let workshop = try Workshop()
        let asked = ["fleet", "init", "--print", "--database", "dbname=lull", "--state", workshop.state]
        #expect(try workshop.bare(asked).output.contains("\"lull_lull\""))
        try workshop.write("version: 1\nfleet: { database: dbname=x, name: eu }\napps: {}\n", to: "jobs.yaml")
        #expect(try workshop.bare(asked).output.contains("\"lull_eu\""))
        try workshop.write("version: 1\nfleet: { database: dbname=x, name: eu }\napps: []\n", to: "jobs.yaml")
        let refused = try workshop.bare(asked)
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(
            refused.error.contains("so the fleet's name can't be read from it. Give it with --name"),
            "\(refused.error)")
        let named = try workshop.bare(asked + ["--name", "de"])
        #expect(named.status == 0 && named.output.contains("\"lull_de\""), "\(named.error)")
    }

    @Test(arguments: [
        (command: ["used", "com.example.Ap"], status: 1, words: "Did you mean com.example.App?"),
        (command: ["pending", "com.example.Ap"], status: 1, words: "Did you mean com.example.App?"),
        (command: ["cancel", "com.example.App.suceed"], status: 1, words: "Did you mean"),
        (
            command: ["why", "com.example.App.suceed"], status: 1,
            words: "Did you mean com.example.App.succeed?"
        ),
        (command: ["why", "suceed"], status: 1, words: "Did you mean com.example.App.succeed?"),
        (command: ["launch", "nonsense"], status: 1, words: "No task is called nonsense."),
        (command: ["used", "nonsense"], status: 1, words: "No app is called nonsense."),
        (
            command: ["used", "com.example.App", "--at", "2199-06-01T00:00:00Z"], status: 1,
            words: "is in the future, when nobody can have used com.example.App yet"
        ),
        (command: ["history", "--run", "7"], status: 1, words: "run 7"),
        (command: ["expire", "com.example.App.succeed"], status: 1, words: "No host is running"),
        (command: ["run", "--http-user-header", "X-Remote-User"], status: 64, words: "give --http too"),
        (
            command: ["run", "--http", "0", "--http-user-header", "a b"], status: 64,
            words: "no name of a header"
        ),
        (
            command: ["run", "--http", "0", "--http-user-header", "Cookie"], status: 64,
            words: "holds a secret"
        ),
    ])
    func `what is not known is refused`(command: [String], status: Int32, words: String) throws {
        let workshop = try workshop()
        try workshop.lull("used", "com.example.App")
        let result = try workshop.lull(command)
        #expect(result.status == status)
        #expect(words.isEmpty || result.error.contains(words), "\(result.error)")
    }

    @Test func `a plugin that can't be loaded fails the pass`() throws {
        let workshop = try workshop()
        try workshop.compile("NoEntry", as: "Tasks")
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 1)
        #expect(pass.output.contains("1 without a handler"), "\(pass.output)")
    }

    @Test func `the check of the manifest alone looks at the plugins' files`() throws {
        let workshop = try workshop()
        #expect(try workshop.lull("check", "--no-plugins").status == 0)
        try workshop.write("INPUT(libTasks.so.1)\n", to: "plugins/libTasks.so")
        let result = try workshop.lull("check", "--no-plugins")
        #expect(result.status == 1)
        #expect(
            result.error.contains("jobs.yaml:4:13: error: com.example.App: '")
                && result.error.contains("\n    4 |     plugin: Tasks\n      |             ^~~~~\n"),
            "\(result.error)")
        let verdict =
            "jobs.yaml: 1 error. A running host accepts this file, but the tasks with these errors will fail.\n"
        #expect(result.error.hasSuffix(verdict), "\(result.error)")
        let whole = try workshop.lull("check")
        #expect(whole.status == 1)
        #expect(whole.error.contains("jobs.yaml:4:13: error"), "\(whole.error)")
        #expect(whole.error.contains("help: Give the library that it names."), "\(whole.error)")
        #expect(whole.error.hasSuffix(verdict), "\(whole.error)")
        #expect(result.error.contains("is not a shared library, but a linker script."), "\(result.error)")
        #expect(result.error.contains("help: Give the library that it names."), "\(result.error)")
    }

    @Test func `what this machine can't do is said once, at the key that asks for it`() throws {
        let workshop = try workshop()
        try workshop.write(
            """
            version: 1
            apps:
              com.example.App:
                plugin: Tasks
                idle_after: never
                user: no-such-user
                tasks:
                  succeed:
                    kind: processing
                    notify:
                      - command: [/no/such/program]
                      - command: [no-such-program]
            """, to: "jobs.yaml")
        let result = try workshop.lull("check", "--no-plugins")
        #expect(result.status == 1)
        #expect(
            result.error.contains("jobs.yaml:6:11: error: com.example.App: there is no user 'no-such-user'"),
            "\(result.error)")
        #expect(result.error.components(separatedBy: "/no/such/program'").count == 2, "\(result.error)")
        #expect(
            result.error.contains(
                "jobs.yaml:12:13: warning: command no-such-program can't be notified"), "\(result.error)"
        )
    }

    @Test func `JSON has the history's times, and an empty history has no line`() throws {
        let workshop = try workshop()
        #expect(try workshop.lull("history", "--json").output.isEmpty)
        try workshop.lull("submit", "com.example.App.succeed", "--earliest", "2026-11-21T08:00:00Z")
        let pending = try workshop.lull("pending", "--json")
        #expect(
            pending.output.contains("\"earliest_begin\" : \"2026-11-21T08:00:00.000Z\""), "\(pending.output)")
        let status = try workshop.lull("status", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any]
        let time = try #require(object?["time"] as? String)
        #expect(time.hasSuffix("Z"))
    }
}
