import Foundation
import LullControl
import LullHistory
import LullModel
import Synchronization
import TestSupport
import Testing

@testable import LullWeb

/// Paths, methods, guards and refusals, without a socket.
struct WebSiteTests {
    private let token = String(repeating: "0f", count: 32)
    private let task: TaskIdentifier
    private let answers: FakeAnswers
    private let site: WebSite

    init() throws {
        task = try .of("com.example.App.nightly")
        let app = try AppIdentifier.of("com.example.App")
        var launched = HistoryEvent(.launched, at: at(1), app: app, task: task, run: RunID(7))
        launched.kind = .processing
        var failed = HistoryEvent(
            .failed, at: at(1, 1), app: app, task: task, run: RunID(7), outcome: .failed)
        failed.reason = "<script>alert(1)</script>"
        answers = try FakeAnswers(
            now: at(8), tasks: [task], events: [launched, failed],
            output: [
                OutputChunk(
                    run: RunID(7), stream: .standardOutput, time: at(1), bytes: Array("</pre><b>".utf8))
            ])
        site = WebSite(
            answers: answers, doors: WebGuard(token: try #require(WebToken(token))), version: "1")
    }

    private func ask(
        _ method: String, _ path: String, _ query: [String: String] = [:], authorized: Bool = false,
        of other: WebSite? = nil
    ) async throws -> WebReply {
        let site = other ?? self.site
        let client = WebGuard.Client(
            host: "localhost", authorization: authorized ? "Bearer " + token : nil)
        guard
            case .reply(let reply) = await site.answer(
                .init(method: method, path: path, query: query, client: client))
        else {
            Issue.record("\(path) is live")
            throw CancellationError()
        }
        return reply
    }

    private func text(_ reply: WebReply) -> String { String(decoding: reply.body, as: UTF8.self) }

    @Test func `no answer to a program steers the terminal of who looks at it`() throws {
        let hostile = "a\u{9D}b\u{7F}c\u{2067}"
        let body = WebReply.refusal(400, hostile).body
        #expect(
            !text(.init(body: body)).unicodeScalars.contains {
                hostile.unicodeScalars.contains($0) && !$0.isASCII
            })
        #expect(text(.init(body: body)).contains(#"a\u009db\u007fc\u2067"#))
    }

    @Test func `the page is files of their own kinds`() async throws {
        #expect(try await ask("GET", "/").body == Data(#require(PageFile.at(path: "/index.html")).bytes))
        for file in PageFile.all {
            let reply = try await ask("GET", "/" + file.name)
            #expect(reply.status == 200)
            #expect(reply.contentType == file.contentType)
            #expect(!reply.body.isEmpty)
        }
    }

    @Test func `the page takes nothing from elsewhere, and reads nothing as HTML`() async throws {
        let html = text(try await ask("GET", "/"))
        for word in ["http:", "https:", "<style", " style=", " onclick", "javascript:"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.matches(of: /<script[^>]*>([^<]*)<\/script>/).allSatisfy { $0.1.isEmpty })
        for file in PageFile.all where file.name.hasSuffix(".js") {
            let script = String(decoding: file.bytes, as: UTF8.self)
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "https:"]
            {
                #expect(!script.contains(word), "\(file.name): \(word)")
            }
            for match in script.matches(of: /from "\.\/([a-z.]+)"/) {
                #expect(PageFile.at(path: "/" + match.1) != nil, "\(file.name) imports \(match.1)")
            }
        }
    }

    @Test(arguments: [
        "/nope", "/api", "/api/", "/api/tasks/x", "/api/runs/-1", "/../style.css", "", "/metrics/x",
    ])
    func `where there is nothing, that is said`(path: String) async throws {
        let reply = try await ask("GET", path)
        #expect(reply.status == 404)
        #expect(text(reply).contains("error"))
    }

    @Test func `a task's command is for who has the token`() async throws {
        #expect(text(try await ask("GET", "/api/tasks/\(task)")).contains("\"command\":false"))
        let known = try await ask("GET", "/api/tasks/\(task)", authorized: true)
        #expect(text(known).contains("\"command\":true"))
    }

    @Test func `a method that is not understood is refused with the one that is`() async throws {
        let reading = try await ask("POST", "/api/status")
        #expect(reading.status == 405 && reading.allow == "GET, HEAD")
        let reply = try await ask("GET", "/api/tasks/\(task)/launch", authorized: true)
        #expect(reply.status == 405)
        #expect(reply.allow == "POST")
        #expect(answers.told.withLock { $0 }.isEmpty)
    }

    @Test func `what time alone lets through is refused with how long to wait, in whole seconds`() {
        let held = WebRefusal(ControlRefusal("It is too much.", wait: .milliseconds(1_001)), otherwise: 409)
        #expect(held.status == 429)
        let reply = WebReply.refusal(held.status, held.sentence, wait: held.wait)
        let head = String(decoding: HTTPAnswer.bytes(reply, closes: false), as: UTF8.self)
        #expect(head.contains("\r\nRetry-After: 2\r\n"), "\(head)")
        #expect(WebRefusal(ControlRefusal("It is not there."), otherwise: 409).status == 409)
        let other = String(decoding: HTTPAnswer.bytes(.refusal(409, "No."), closes: false), as: UTF8.self)
        #expect(!other.contains("Retry-After"))
    }

    @Test func `each answer has its date, as HTTP writes it`() {
        #expect(HTTPDate.text(of: WallTime(seconds: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(of: WallTime(seconds: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
        let head = String(decoding: HTTPAnswer.bytes(WebReply(body: Data()), closes: true), as: UTF8.self)
        #expect(head.contains(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/))
    }

    @Test func `what changes something is told to the host, with the token alone`() async throws {
        #expect(try await ask("POST", "/api/tasks/\(task)/launch").status == 401)
        #expect(answers.told.withLock { $0 }.isEmpty)
        for path in [
            "tasks/\(task)/launch", "tasks/\(task)/cancel", "apps/com.example.App/disable", "reload",
        ] {
            #expect(try await ask("POST", "/api/" + path, authorized: true).status == 200)
        }
        let app = try AppIdentifier.of("com.example.App")
        #expect(
            answers.wasTold(Ask.Launch(task), Ask.Cancel(task), Ask.Enable(app, false), Ask.Reload()))
    }

    @Test func `a launch takes values for parameters from the query, and no other key`() async throws {
        let launch = "/api/tasks/\(task)/launch"
        let query = ["params[day]": "2026-11-30", "params[note]": "a=b]"]
        #expect(try await ask("POST", launch, query, authorized: true).status == 200)
        #expect(
            try await ask("POST", "/api/tasks/\(task)/submit", ["params[x]": ""], authorized: true).status
                == 200)
        for key in ["day", "params", "params[]", "params[day", "Params[day]"] {
            #expect(try await ask("POST", launch, [key: "x"], authorized: true).status == 400, "\(key)")
        }
        #expect(
            answers.wasTold(
                Ask.Launch(task, params: ["day": "2026-11-30", "note": "a=b]"]),
                Ask.Submit(task, params: ["x": ""])))
    }

    @Test func `a parameter without a value is not one with an empty value`() async throws {
        for (act, query, status) in [
            ("launch", "params%5Bday%5D=a%20b+c&params%5Bnote%5D=", 200), ("launch", "params[day]", 400),
            ("submit", "params[day]=x&params[note]", 400), ("cancel", "params[day]", 200),
        ] {
            let bytes = Array("POST /api/tasks/\(task)/\(act)?\(query) HTTP/1.1\r\n\r\n".utf8)
            var scanner = HTTPHeadScanner(limits: WebLimits())
            _ = try scanner.scan(bytes)
            let head = try HTTPHead(bytes, lines: scanner.lines, limits: WebLimits())
            let client = WebGuard.Client(host: "localhost", authorization: "Bearer " + token)
            let request = WebSite.Request(
                method: head.method, path: head.path, query: head.query, namesAlone: head.namesAlone,
                client: client)
            guard case .reply(let reply) = await site.answer(request) else { continue }
            #expect(reply.status == status, "\(act) \(query)")
            if status == 400 { #expect(text(reply).contains("Write params[NAME]=VALUE.")) }
        }
        #expect(
            answers.wasTold(Ask.Launch(task, params: ["day": "a b+c", "note": ""]), Ask.Cancel(task)))
    }

    @Test func `a task is disabled and enabled under its app's name`() async throws {
        for path in ["disable", "enable"] {
            #expect(try await ask("POST", "/api/tasks/\(task)/" + path, authorized: true).status == 200)
        }
        #expect(
            answers.wasTold(Ask.Enable(.host, false, task: task), Ask.Enable(.host, true, task: task)))
        let other = "/api/tasks/com.example.App.other/enable"
        #expect(try await ask("POST", other, authorized: true).status == 404)
    }

    @Test func `a pause is of a task, an app or all, until a time or until it is resumed`() async throws {
        let app = try AppIdentifier.of("com.example.App")
        let end = ["until": "2026-11-21T09:00:00Z"]
        #expect(try await ask("POST", "/api/tasks/\(task)/pause", end).status == 401)
        for (path, query) in [
            ("tasks/\(task)/pause", end), ("apps/com.example.App/pause", [:]), ("pause", end),
            ("tasks/\(task)/resume", [:]), ("apps/com.example.App/resume", [:]), ("resume", [:]),
        ] {
            #expect(try await ask("POST", "/api/" + path, query, authorized: true).status == 200, "\(path)")
        }
        #expect(
            answers.wasTold(
                Ask.Pause(.task(task), until: at(9), reason: nil),
                Ask.Pause(.app(app), until: nil, reason: nil),
                Ask.Pause(.all, until: at(9), reason: nil),
                Ask.Resume(.task(task)), Ask.Resume(.app(app)), Ask.Resume(.all)))
        for query in [["for": "1h"], ["until": "soon"]] {
            #expect(try await ask("POST", "/api/pause", query, authorized: true).status == 400)
        }
        #expect(answers.told.withLock { $0 }.count == 6)
    }

    @Test func `what the host refuses is refused with its sentence`() async throws {
        let reply = try await ask("POST", "/api/tasks/\(task)/stop", authorized: true)
        #expect(reply.status == 409)
        #expect(text(reply) == "{\"error\":{\"message\":\"It is not running.\",\"status\":409}}")
    }

    @Test func `events come as the history's lines, and narrowed as asked`() async throws {
        let all = text(try await ask("GET", "/api/history"))
        #expect(all.hasPrefix("{\"events\":[{\"time\":\"2026-11-21T01:00:00.000Z\",\"event\":\"launched\""))
        let failed = text(try await ask("GET", "/api/history", ["event": "failed", "task": task.text]))
        #expect(!failed.contains("launched"))
        #expect(text(try await ask("GET", "/api/history", ["limit": "1"])).contains("failed"))
        for (key, value) in [
            ("task", "x"), ("event", "nope"), ("since", "soon"), ("limit", "many"), ("limit", "0"),
            ("colour", "red"),
        ] {
            let reply = try await ask("GET", "/api/history", [key: value])
            #expect(reply.status == 400)
            #expect(text(reply).contains(key))
        }
    }

    @Test func `a run and what it printed`() async throws {
        let run = text(try await ask("GET", "/api/runs/7"))
        #expect(run.contains("\"run\":7"))
        #expect(run.hasSuffix("],\"origin_words\":\"Task \\\"jobs.yaml:7\\\"\"}"), "\(run)")
        #expect(try await ask("GET", "/api/runs/8").status == 404)
        #expect(try await ask("GET", "/api/runs/7/output").status == 401)
        let output = text(try await ask("GET", "/api/runs/7/output", authorized: true))
        #expect(output.contains("</pre><b>") && output.contains("\"open\":false"))
    }

    @Test(arguments: ["/api/fleet", "/metrics/fleet"])
    func `a host that is in no fleet says so`(path: String) async throws {
        let reply = try await ask("GET", path)
        #expect(reply.status == 404 && String(decoding: reply.body, as: UTF8.self).contains("in no fleet"))
        #expect(try await ask("GET", "/api/fleet", ["span": "year"]).status == 400)
        #expect(try await ask("GET", "/api/fleet", ["hosts": "3"]).status == 400)
        #expect(WebRoute(path: "/metrics/other") == nil)
    }

    @Test func `runs are rows, and the question is bounded`() async throws {
        let all = text(try await ask("GET", "/api/runs"))
        #expect(
            all.hasPrefix(
                #"{"runs":[{"app":"com.example.App","ended":"2026-11-21T01:01:00.000Z","failed":true,"launched":"#
            ),
            "\(all)")
        #expect(all.contains(#""outcome":"failed","reason":"<script>alert(1)</script>","run":7"#), "\(all)")
        #expect(!all.contains("</pre>"))
        #expect(
            text(try await ask("GET", "/api/runs", authorized: true)).contains(#""printed":["</pre><b>"]"#))
        #expect(text(try await ask("GET", "/api/runs", ["outcome": "succeeded"])) == #"{"runs":[]}"#)
        for (key, value) in [
            ("task", "x"), ("outcome", "nope"), ("until", "soon"), ("limit", "many"), ("limit", "0"),
            ("colour", "red"),
            ("text", String(repeating: "a", count: 201)),
        ] {
            #expect(try await ask("GET", "/api/runs", [key: value]).status == 400, "\(key)")
        }
    }

    @Test func `the timeline of the night, and the spans that it refuses`() async throws {
        let night = text(try await ask("GET", "/api/timeline"))
        #expect(night.contains("\"from\":\"2026-11-20T18:00:00.000Z\""))
        #expect(night.contains("\"to\":\"2026-11-21T08:00:00.000Z\""))
        #expect(night.contains("Ran once, at 01:00: failed, <script>alert(1)</script>."))
        #expect(try await ask("GET", "/api/timeline", ["span": "decade"]).status == 400)
        let backwards = ["from": "2026-11-21T08:00:00Z", "to": "2026-11-21T07:00:00Z"]
        #expect(try await ask("GET", "/api/timeline", backwards).status == 400)
    }

    @Test func `a line for the host's log has its time, unless the log adds it`() {
        #expect(WebSite.logLine("/api/reload, by x: done", at: nil) == "Page: /api/reload, by x: done.")
        #expect(
            WebSite.logLine("/api/reload, by x: done", at: at(8))
                == "\(at(8).rfc3339) Page: /api/reload, by x: done.")
    }

    @Test func `a token with a name permits what its scope says, and the log says who changed what`()
        async throws
    {
        let folder = try TemporaryFolder()
        let tokens = PageTokens(stateFolder: folder.path)
        let app = try AppIdentifier.of("com.example.App")
        let other = try AppIdentifier.of("com.example.Other")
        func made(_ scope: PageToken.Scope, _ apps: [AppIdentifier] = []) throws -> String {
            try tokens.make(PageToken(name: "a\(scope)\(apps.count)", scope: scope, apps: apps, made: at(1)))
        }
        let (reader, looker) = (try made(.read), try made(.output))
        let (actor, limited) = (try made(.act), try made(.act, [other]))
        let lines = Mutex<[String]>([])
        let launched = HistoryEvent(.launched, at: at(1), app: app, task: task, run: RunID(7))
        let answers = try FakeAnswers(now: at(8), app: app, tasks: [task], events: [launched])
        let site = WebSite(
            answers: answers,
            doors: WebGuard(token: try #require(WebToken(token)), tokens: tokens, isOpen: true),
            version: "1", audit: { line in lines.withLock { $0.append(line) } })
        func status(_ method: String, _ path: String, _ token: String?) async -> Int {
            let client = WebGuard.Client(host: "localhost", authorization: token.map { "Bearer " + $0 })
            guard
                case .reply(let reply) = await site.answer(.init(method: method, path: path, client: client))
            else { return 0 }
            return reply.status
        }
        let launch = "/api/tasks/\(task)/launch"
        let cases: [(String, String, [Int])] = [
            ("GET", "/api/runs", [401, 200, 200, 200, 200]),
            ("GET", "/api/runs/7/output", [401, 403, 200, 200, 200]),
            ("POST", "/api/token", [401, 200, 200, 200, 200]),
            ("POST", launch, [401, 403, 403, 200, 403]),
            ("POST", "/api/reload", [401, 403, 403, 200, 403]),
            ("POST", "/api/apps/\(other)/disable", [401, 403, 403, 200, 200]),
            ("POST", "/api/apps/\(other)/resume", [401, 403, 403, 200, 200]),
        ]
        for (method, path, wanted) in cases {
            for (holder, code) in zip([nil, reader, looker, actor, limited], wanted) {
                #expect(await status(method, path, holder) == code, "\(method) \(path), \(holder ?? "none")")
            }
        }
        #expect(
            lines.withLock { $0 } == [
                "\(launch), by the token aact0: done", "\(launch), by the token aact1: refused, 403",
                "/api/reload, by the token aact0: done", "/api/reload, by the token aact1: refused, 403",
                "/api/apps/\(other)/disable, by the token aact0: done",
                "/api/apps/\(other)/disable, by the token aact1: done",
                "/api/apps/\(other)/resume, by the token aact0: nothing to do",
                "/api/apps/\(other)/resume, by the token aact1: nothing to do",
            ])
        #expect(try tokens.revoke("aact0"))
        #expect(await status("POST", launch, actor) == 401)
        #expect(await status("POST", launch, token) == 200)
    }

    @Test func `a change names its token, and the person whom the proxy's header names`() async throws {
        let folder = try TemporaryFolder()
        let tokens = PageTokens(stateFolder: folder.path)
        let proxy = try tokens.make(PageToken(name: "proxy", scope: .act, made: at(1)))
        func told(_ lines: [String], header: String?) async throws -> (
            bearers: [Bearer?], audit: [String], status: Int
        ) {
            let audit = Mutex<[String]>([])
            let answers = try FakeAnswers(now: at(8), tasks: [task])
            let site = WebSite(
                answers: answers,
                doors: WebGuard(
                    token: try #require(WebToken(token)), tokens: tokens, userHeader: header),
                version: "1", audit: { line in audit.withLock { $0.append(line) } })
            let text = (["POST /api/resume HTTP/1.1", "Host: localhost"] + lines).joined(separator: "\r\n")
            let bytes = Array((text + "\r\n\r\n").utf8)
            var scanner = HTTPHeadScanner(limits: WebLimits())
            _ = try scanner.scan(bytes)
            let head = try HTTPHead(
                bytes, lines: scanner.lines, limits: WebLimits(), userHeader: header?.lowercased())
            let request = WebSite.Request(method: head.method, path: head.path, client: head.client)
            guard case .reply(let reply) = await site.answer(request) else { return ([], [], 0) }
            return (answers.bearers.withLock { $0 }, audit.withLock { $0 }, reply.status)
        }
        let (named, anna) = ("Authorization: Bearer " + proxy, "X-Remote-User: anna")
        // Without the option the header is any other that nobody reads.
        #expect(try await told([named, anna], header: nil).bearers == [Bearer(token: proxy)])
        let believed = try await told([named, anna], header: "X-Remote-User")
        #expect(believed.bearers == [Bearer(token: proxy, person: "anna")])
        #expect(believed.audit == ["/api/resume, by anna (token proxy): nothing to do"])
        let own = try await told(["Authorization: Bearer " + token, anna], header: "X-Remote-User")
        #expect(own.bearers == [Bearer(token: token, person: "anna")])
        // Without a right token it is not even a client.
        for lines in [[anna], ["Authorization: Bearer " + String(proxy.reversed()), anna]] {
            let refused = try await told(lines, header: "X-Remote-User")
            #expect(refused.bearers.isEmpty && refused.status == 401)
        }
        let long = try await told(
            [named, "X-Remote-User: " + String(repeating: "a", count: 500)], header: "X-Remote-User")
        #expect(long.bearers == [Bearer(token: proxy, person: String(repeating: "a", count: 64))])
        let steering = try await told([named, "X-Remote-User: an\u{202E}na"], header: "X-Remote-User")
        #expect(steering.bearers == [Bearer(token: proxy, person: "an\u{FFFD}na")])
        await #expect(throws: HTTPRefusal.self) {
            try await told([named, anna, "x-remote-user: bob"], header: "X-Remote-User")
        }
    }

    @Test func `a live view ends at the first change after its token was revoked`() async throws {
        let folder = try TemporaryFolder()
        let tokens = PageTokens(stateFolder: folder.path)
        let reader = try tokens.make(PageToken(name: "reader", scope: .read, made: at(1)))
        let site = WebSite(
            answers: try FakeAnswers(now: at(8)),
            doors: WebGuard(token: try #require(WebToken(token)), tokens: tokens, isOpen: true), version: "1")
        let client = WebGuard.Client(host: "localhost", authorization: "Bearer " + reader)
        let answer = await site.answer(.init(method: "GET", path: "/api/live", client: client))
        guard case .live(let mayListen) = answer else {
            Issue.record("\(answer)")
            return
        }
        let (changes, change) = AsyncStream<UInt64>.makeStream()
        let body = LiveBody(changes: changes, mayListen: mayListen, quiet: .seconds(3600))
        var texts = body.texts().makeAsyncIterator()
        #expect(await texts.next()?.hasPrefix(": ") == true)
        change.yield(1)
        #expect(await texts.next() == "event: changed\ndata: 1\n\n")
        #expect(try tokens.revoke("reader"))
        change.yield(2)
        #expect(await texts.next() == nil)
    }

    @Test func `a number that is too large is refused with the numbers that are right`() async throws {
        let reply = try await ask("GET", "/api/runs", ["limit": "99999999999999999999"])
        #expect(reply.status == 400 && text(reply).contains("is not a number from 1 to \(Int.max)."))
    }

    @Test func `a part of the timeline lists some lanes, and counts all`() async throws {
        let app = try AppIdentifier.of("com.example.App")
        let tasks = try (0..<30).map { try TaskIdentifier.of("com.example.App.job\($0)") }
        let events = tasks.prefix(20).enumerated().flatMap { index, task in
            let run = RunID(UInt64(index + 1))
            let outcome: Outcome = index < 5 ? .failed : .succeeded
            return [
                HistoryEvent(.launched, at: at(1), app: app, task: task, run: run),
                HistoryEvent(
                    index < 5 ? .failed : .completed, at: at(1, 1), app: app, task: task, run: run,
                    outcome: outcome),
            ]
        }
        let answers = try FakeAnswers(now: at(8), tasks: tasks, events: events)
        let site = WebSite(
            answers: answers, doors: WebGuard(token: try #require(WebToken(token))), version: "1")
        func part(_ query: [String: String]) async throws -> (lanes: [String], [String: Int], [String: Int]) {
            let body = try await ask("GET", "/api/timeline", query, of: site).body
            let answer = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            let lanes = try #require(answer["lanes"] as? [[String: Any]])
            return (
                lanes.compactMap { $0["result"] as? String }, answer["counts"] as? [String: Int] ?? [:],
                answer["found_counts"] as? [String: Int] ?? [:]
            )
        }
        let all = ["failed": 5, "ran": 15, "quiet": 10]
        #expect(
            try await part([:]) == (
                tasks.indices.map { $0 < 5 ? "failed" : $0 < 20 ? "ran" : "quiet" }, [:], [:]
            ))
        #expect(
            try await part(["limit": "3", "fold": "quiet"]) == (
                ["failed", "failed", "failed", "ran", "ran", "ran"], all, all
            ))
        // So few are not folded.
        let found = try await part(["find": "JOB1 app", "fold": "ran,quiet"])
        #expect(found == (["failed"] + Array(repeating: "ran", count: 10), all, ["failed": 1, "ran": 10]))
        #expect(try await part(["task": tasks[7].text]) == (["ran"], all, ["ran": 1]))
        func throughput(_ query: [String: String]) async throws -> [String: Any]? {
            let body = try await ask("GET", "/api/timeline", query, of: site).body
            return (try JSONSerialization.jsonObject(with: body) as? [String: Any])?["throughput"]
                as? [String: Any]
        }
        #expect(try await throughput([:]) == nil)
        let span = ["from": at(0).rfc3339, "to": at(8).rfc3339]
        // They count all tasks, whichever are listed.
        let counted = try #require(try await throughput(span.merging(["find": "nothing"]) { $1 }))
        #expect(counted["part_ms"] as? Int == 600_000)
        var counts = [Int](repeating: 0, count: 48)
        counts[6] = 20
        #expect(counted["launched_counts"] as? [Int] == counts)
        counts[6] = 5
        #expect(counted["failed_counts"] as? [Int] == counts)
        for (key, value) in [("fold", "nope"), ("limit", "0"), ("task", "x"), ("colour", "red")] {
            #expect(try await ask("GET", "/api/timeline", [key: value], of: site).status == 400, "\(key)")
        }
    }

    @Test func `a part of the state keeps what fails, and says how many are left out`() throws {
        let app = try AppIdentifier.of("com.example.App")
        let tasks = try (0..<6).map { index in
            let task = try TaskIdentifier.of("com.example.App.job\(index)")
            return StatusReport.TaskStatus(
                task: task, app: index < 4 ? app : .host, kind: .processing, running: [], lastRun: RunID(1),
                lastLaunched: at(1), lastOutcome: index == 3 ? .failed : .succeeded, lastMilliseconds: 1,
                lastReason: nil, pending: nil, verdict: Verdict(task: task, gates: []))
        }
        func listed(_ query: [String: String]) throws -> [String] {
            let slice = try TaskSlice(query)
            let (kept, leftOut) = slice.listed(of: tasks.filter { slice.finds($0.task) })
            return kept.map { String($0.task.text.suffix(1)) } + ["+\(leftOut)"]
        }
        #expect(try listed([:]) == ["0", "1", "2", "3", "4", "5", "+0"])
        #expect(try listed(["limit": "2"]) == ["3", "0", "+4"])
        #expect(try listed(["app": app.text, "limit": "9"]) == ["0", "1", "2", "3", "+0"])
        #expect(try listed(["task": tasks[5].task.text]) == ["5", "+0"])
        #expect(try listed(["find": "JOB4 example"]) == ["4", "+0"])
        for (key, value) in [
            ("limit", "0"), ("app", "com.example.App,x"), ("task", ""), ("names", "1"), ("a", "b"),
        ] {
            #expect(throws: WebRefusal.self, "\(key)") { try TaskSlice([key: value]) }
        }
    }

    @Test func `an answer is compressed for who takes it, if that saves anything`() throws {
        let takers = ["gzip", "br, GZIP;q=0.5", "*", "deflate, gzip ; q=1"]
        #expect(takers.allSatisfy(Gzip.isTaken))
        #expect(!["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip"].contains(where: Gzip.isTaken))
        #expect(!Gzip.isTaken(by: nil))
        let body = Data(String(repeating: #"{"task":"com.example.App.job"},"#, count: 500).utf8)
        let packed = try #require(Gzip.packed(body))
        #expect(packed.count < body.count / 20)
        #expect(packed.prefix(3) == Data([0x1F, 0x8B, 8]))
        // The trailer: CRC-32, and the length of what was packed.
        let length = packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length == body.count)
        #expect(Gzip.packed(Data("short".utf8)) == nil)
        #expect(Gzip.packed(Data((0..<4096).map { _ in UInt8.random(in: 0...255) })) == nil)
        func head(_ reply: WebReply, takesGzip: Bool) -> String {
            let bytes = HTTPAnswer.bytes(reply, withBody: false, takesGzip: takesGzip, closes: true)
            return String(decoding: bytes, as: UTF8.self)
        }
        let reply = WebReply(body: body)
        let told = head(reply, takesGzip: true)
        #expect(told.contains("\r\nContent-Encoding: gzip\r\n"))
        #expect(told.contains("\r\nContent-Length: \(packed.count)\r\n"))
        #expect(!head(reply, takesGzip: false).contains("Content-Encoding"))
    }

    @Test func `what a plugin printed is in no reason without the token`() async throws {
        let app = try AppIdentifier.of("com.example.App")
        var failed = HistoryEvent(
            .failed, at: at(1, 1), app: app, task: task, run: RunID(7), outcome: .crashed)
        failed.reason =
            "ended by signal 11 (SIGSEGV)" + PrintedLast.beginning + #"token "s3cr3t" "# + ". More."
        let launched = HistoryEvent(.launched, at: at(1), app: app, task: task, run: RunID(7))
        let answers = try FakeAnswers(now: at(8), tasks: [task], events: [launched, failed])
        let site = WebSite(
            answers: answers, doors: WebGuard(token: try #require(WebToken(token))), version: "1")
        for path in ["/api/history", "/api/runs", "/api/runs/7", "/api/timeline"] {
            let open = try await ask("GET", path, of: site)
            #expect(text(open).contains("SIGSEGV"))
            #expect(!text(open).contains("it printed last"), "\(text(open))")
            #expect(!text(open).contains("s3cr3t"), "\(text(open))")
            #expect(try JSONSerialization.jsonObject(with: open.body) is [String: Any], "\(path)")
            #expect(
                text(try await ask("GET", path, authorized: true, of: site)).contains("s3cr3t"), "\(path)")
        }
        // The page says that output is hidden, and how to see it.
        for path in ["/api/runs", "/api/timeline"] {
            let hidden = #""printed_hidden":true"#
            #expect(text(try await ask("GET", path, of: site)).contains(hidden), "\(path)")
            #expect(!text(try await ask("GET", path, authorized: true, of: site)).contains(hidden), "\(path)")
        }
    }

    @Test func `counts do not grow by being asked for`() async throws {
        let first = text(try await ask("GET", "/metrics"))
        #expect(
            first.contains("lull_runs_total{app=\"com.example.App\",task=\"\(task)\",outcome=\"failed\"} 1"))
        #expect(text(try await ask("GET", "/metrics")) == first)
    }
}
