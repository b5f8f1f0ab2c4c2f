import Foundation
import TestSupport
import Testing

/// Pushes through the real executables: the command, the page's port, a forge's webhook, and plugins in C and Swift.
struct PushTests {
    private static func manifest(_ plugin: String = "Pushed", _ keys: String = "") -> String {
        """
        version: 1
        apps:
          com.example.Mail:
            plugin: \(plugin)
            idle_after: never
            \(keys)
            push: { quota: 3/1h, within: 0s }
        """
    }

    private func workshop(_ keys: String = "") throws -> Workshop {
        let workshop = try Workshop()
        try workshop.compile("Pushed", as: "Pushed")
        try workshop.write(Self.manifest("Pushed", keys), to: "jobs.yaml")
        return workshop
    }

    private func start(_ workshop: Workshop) throws -> Program {
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Mail")
        return host
    }

    private func end(_ host: Program) {
        host.send(SIGTERM)
        _ = host.end()
    }

    @Test func `a push in C brings its payload, and waits in the log when no host runs`() throws {
        let workshop = try workshop()
        for number in 1...2 {
            let told = try workshop.lull(
                "push", "com.example.Mail", "--payload", "-", input: "{\"new\":\(number)}")
            #expect(told.status == 0, "\(told.error)")
        }
        let history = try workshop.lull("history", "--json").output
        #expect(history.contains(#""payload":"{\"new\":2}""#), "\(history)")
        let host = try start(workshop)
        try host.waitForLine(containing: "silent push {\"new\":2} of 9 bytes for 1 earlier")
        end(host)
    }

    @Test func `a payload that is none is refused, and so is a plugin of before`() throws {
        let workshop = try workshop()
        let told = try workshop.lull("push", "com.example.Mail", "--payload", "-", input: "{")
        #expect(told.status == 1)
        #expect(told.error.contains("The payload is not JSON"))
        try workshop.compile("Pushed", as: "Older", defining: ["OLDER"])
        try workshop.write(Self.manifest("Older"), to: "jobs.yaml")
        let check = try workshop.lull("check")
        #expect(check.error.contains("was built with version 1.1 of the plugin interface. Pushes need 1.2"))
        #expect(
            check.error.contains("com.example.Mail.push: the plugin registers no handler for pushes"),
            "\(check.error)")
    }

    @Test func `an urgent push is reported by notify, and three that are not cost urgency`() throws {
        let workshop = try workshop("notify: [{ command: [/usr/bin/tee, told.json] }]")
        try workshop.write(
            Self.manifest("Pushed", "notify: [{ command: [/usr/bin/tee, \(workshop.folder)/told.json] }]"),
            to: "jobs.yaml")
        let host = try start(workshop)
        func push(_ payload: String) throws {
            let told = try workshop.lull(
                "push", "com.example.Mail", "--urgent", "--payload", "-", input: payload)
            #expect(told.status == 0, "\(told.error)")
        }
        try push("{\"call\":1}")
        try host.waitForLine(containing: "notified com.example.Mail.push")
        let told = try String(contentsOfFile: workshop.folder + "/told.json", encoding: .utf8)
        #expect(told.contains("\"kind\":\"reported\"") && told.contains("somebody calls"), "\(told)")
        for run in 2...4 {
            try push("{\"quiet\":1}")
            try host.waitForLine(containing: "violation com.example.Mail.push run=\(run)")
        }
        let lost = "did not report 3 urgent pushes in a row"
        #expect(try workshop.lull("status").output.contains(lost))
        let why = try workshop.lull("why", "com.example.Mail.push").output
        #expect(why.contains(lost) && why.contains("--restore"), "\(why)")
        #expect(try workshop.lull("push", "--restore", "com.example.Mail").status == 0)
        try push("{\"call\":2}")
        try host.waitForLine(containing: "reported com.example.Mail.push run=5")
        end(host)
    }

    @Test func `a push runs a command, and an urgent one tells how that ended`() throws {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            Self.manifest(
                "Command",
                """
                settings: { run: 'echo "$(cat) after $LULL_PUSH_MERGED"' }
                    notify: [{ command: [/usr/bin/tee, \(workshop.folder)/told.json], on: reported }]
                """), to: "jobs.yaml")
        let host = try start(workshop)
        let payload = "{\"new\":3}"
        let silent = try workshop.lull("push", "com.example.Mail", "--payload", "-", input: payload)
        #expect(silent.status == 0, "\(silent.error)")
        try host.waitForLine(containing: "completed com.example.Mail.push run=1")
        #expect(try workshop.lull("history", "--run", "1").output.contains("{\"new\":3} after 0"))
        let urgent = try workshop.lull(
            "push", "com.example.Mail", "--urgent", "--payload", "-", input: payload)
        #expect(urgent.status == 0, "\(urgent.error)")
        try host.waitForLine(containing: "notified com.example.Mail.push")
        let told = try String(contentsOfFile: workshop.folder + "/told.json", encoding: .utf8)
        #expect(told.contains("the command exited with code 0"), "\(told)")
        end(host)
    }

    @Test func `apps in Swift receive pushes by the method of old and by the one that waits`() throws {
        for (fixture, line) in [
            ("PushApp", "3 new for com.example.Mail, for 0 earlier"), ("AsyncPushApp", "waited for 3"),
        ] {
            let workshop = try Workshop()
            let plugin = Workshop.products.appendingPathComponent("libFixture\(fixture).so").path
            try workshop.write(Self.manifest(plugin), to: "jobs.yaml")
            let host = try start(workshop)
            #expect(
                try workshop.lull("push", "com.example.Mail", "--payload", "-", input: "{\"new\":3}").status
                    == 0)
            try host.waitForLine(containing: "completed com.example.Mail.push run=1")
            #expect(try workshop.lull("history", "--run", "1").output.contains(line))
            #expect(try workshop.lull("push", "com.example.Mail").status == 0)
            try host.waitForLine(containing: "failed com.example.Mail.push run=2")
            end(host)
        }
    }

    private func post(_ page: PageClient, _ body: String, _ headers: String...) throws -> String {
        try page.send(
            "POST /push/com.example.Mail HTTP/1.1\r\nHost: forge.example\r\nConnection: close\r\n"
                + headers.map { $0 + "\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
    }

    @Test func `the page's port takes a push with the app's token, and hides its payload`() throws {
        let workshop = try workshop()
        let made = try workshop.lull("push", "--new-token", "com.example.Mail")
        let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(token.count == 64, "\(made.error)")
        let kept = try String(contentsOfFile: workshop.state + "/push-tokens", encoding: .utf8)
        #expect(!kept.contains(token))
        let host = try workshop.start("run", "jobs.yaml", "--http", "127.0.0.1:0")
        let page = try PageClient(line: host.waitForLine(containing: "The page is at"))
        try host.waitForLine(containing: "discovered com.example.Mail")
        #expect(try post(page, "{}").contains("401 Unauthorized"))
        #expect(try post(page, "{}", "Authorization: Bearer \(page.token)").contains("401 Unauthorized"))
        let taken = try post(page, "{\"new\":\"secret\"}", "Authorization: Bearer \(token)")
        #expect(taken.contains("202 Accepted") && taken.contains("Accepted as request 1."), "\(taken)")
        try host.waitForLine(containing: "completed com.example.Mail.push run=1")
        let history = try page.get("/api/history").body
        #expect(history.contains("\"from\":\"http\"") && !history.contains("payload"), "\(history)")
        #expect(try post(page, "{", "Authorization: Bearer \(token)").contains("400 Bad Request"))
        end(host)
        // The refused push is not in the history.
        let events = try workshop.lull("history", "--events", "--json").output
        #expect(events.components(separatedBy: "\"submitted\"").count == 2)
    }

    @Test func `who pushes too much is told when to push again`() throws {
        let workshop = try workshop()
        let token = try workshop.lull("push", "--new-token", "com.example.Mail").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let host = try workshop.start("run", "jobs.yaml", "--http", "127.0.0.1:0")
        let page = try PageClient(line: host.waitForLine(containing: "The page is at"))
        try host.waitForLine(containing: "discovered com.example.Mail")
        var answer = ""
        // The host accepts one more each 10 s, so a slow machine accepts more than the first hundred.
        for _ in 0..<1000 where !answer.contains("429 Too Many Requests") {
            answer = try post(page, "{}", "Authorization: Bearer \(token)")
        }
        let wait = try #require(answer.firstMatch(of: /\r\nRetry-After: (\d+)\r\n/).flatMap { Int($0.1) })
        #expect((1...10).contains(wait), "\(answer)")
        #expect(answer.contains("Push again in"))
        end(host)
    }

    @Test func `a forge's webhook fetches the repository that it names`() throws {
        let workshop = try Workshop()
        try workshop.link("RepoRefresh")
        func git(_ arguments: String...) throws {
            let result = try Program.run(
                "/usr/bin/env",
                ["git", "-c", "user.name=Example", "-c", "user.email=example@example.org"] + arguments)
            #expect(result.status == 0, "\(result.error)")
        }
        for name in ["site", "tool"] {
            let bare = workshop.folder + "/example/\(name).git"
            try git("init", "-q", "--bare", "-b", "main", bare)
            try git("clone", "-q", bare, workshop.folder + "/" + name)
        }
        try workshop.write("a secret of a webhook\n", to: "secret")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Repos:
                plugin: RepoRefresh
                idle_after: never
                settings: { repositories: [\(workshop.folder)/site, \(workshop.folder)/tool] }
                user: host
                limits: { write: [\(workshop.folder)] }
                push: { within: 0s, secret_file: secret }
            """, to: "jobs.yaml")
        let body = """
            {"ref": "refs/heads/main", "repository": {"id": 1, "owner": {"full_name": "no/one"},
             "name": "tool", "full_name": "example/tool"}, "pusher": {"name": "example"}}
            """
        let host = try workshop.start("run", "jobs.yaml", "--http", "127.0.0.1:0")
        let page = try PageClient(line: host.waitForLine(containing: "The page is at"))
        try host.waitForLine(containing: "discovered com.example.Repos")
        try workshop.write(body, to: "body.json")
        let signed = try Program.run(
            "/usr/bin/env",
            [
                "openssl", "dgst", "-sha256", "-hmac", "a secret of a webhook", "-r",
                workshop.folder + "/body.json",
            ])
        let signature = try #require(signed.output.split(separator: " ").first, "\(signed.error)")
        func post(_ signature: some StringProtocol, _ query: String = "") throws -> String {
            try page.send(
                "POST /push/com.example.Repos\(query) HTTP/1.1\r\nHost: forge.example\r\nConnection: close\r\n"
                    + "X-GitHub-Event: push\r\nContent-Type: application/json\r\n"
                    + "X-Hub-Signature-256: sha256=\(signature)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        }
        #expect(try post(String(repeating: "0", count: 64)).contains("401 Unauthorized"))
        #expect(try post(signature, "?urgent=true").contains("403 Forbidden"))
        let taken = try post(signature)
        #expect(taken.contains("202 Accepted"), "\(taken)")
        try host.waitForLine(containing: "completed com.example.Repos.push run=1")
        let run = try workshop.lull("history", "--run", "1").output
        #expect(run.contains("tool\" in") && !run.contains("site\" in"), "\(run)")

        let secret = workshop.folder + "/secret"
        func why() throws -> String { try workshop.lull("why", "com.example.Repos.push").output.unwrapped }
        try FileManager.default.moveItem(atPath: secret, toPath: secret + ".away")
        #expect(try post(signature).contains("401 Unauthorized"))
        let trouble = "secret, its `secret_file`, is missing, can't be read or has fewer than 8 bytes"
        #expect(try why().contains(trouble))
        try FileManager.default.moveItem(atPath: secret + ".away", toPath: secret)
        let again = try post(signature)
        #expect(again.contains("200 OK") && again.contains("and was accepted then"), "\(again)")
        #expect(try !why().contains(trouble))
        host.send(SIGTERM)
        _ = host.end()
    }
}
