import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullFleet

/// The connection and its calls when the database is away, hangs, or refuses.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct ConnectionTests {
    private let postgres: Postgres
    private let beat = FleetCall.beat(FleetBeat(host: "a", lease: 60_000))

    init() throws { postgres = try Postgres.shared.get() }

    private func install(_ fleet: String) throws -> Bench {
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: fleet))
        return try Bench(fleet)
    }

    /// A connection that names itself, so that the test finds its server processes.
    private func named(_ name: String) -> String { postgres.database + " application_name=" + name }
    private func backends(_ name: String) throws -> [pid_t] {
        try postgres.sql("select pid from pg_stat_activity where application_name = '\(name)'")
            .split(separator: "\n").compactMap { pid_t($0) }
    }

    private func waitUntilConnected(_ connection: FleetConnection, _ bench: Bench) throws {
        connection.onState = { _ in bench.loop.stop() }
        try bench.run { connection.state == .connected }
    }

    /// Asks until the server has answered within the connection's timeout.
    private func ask(_ link: FleetConnection, _ call: FleetCall, _ bench: Bench) throws -> FleetAnswer {
        let limit = Clock.monotonic + hangLimit
        while Clock.monotonic < limit {
            try waitUntilConnected(link, bench)
            if case .success(let answer) = try bench.ask([(link, call)])[0] { return answer }
        }
        throw Bench.Late()
    }

    @Test func `a server that says nothing is left, and the loop does not wait for it`() throws {
        let listener = try Silence()
        let bench = try install("silent")
        let link = try bench.connection(
            "host=127.0.0.1 port=\(listener.port) user=a dbname=a", timeout: .milliseconds(200))
        let trouble = try bench.trouble(link, beat)
        #expect(trouble == .silent(place: link.definition.database, .milliseconds(200)))
        guard case .waiting(let reason, _) = link.state else {
            Issue.record("\(link.state)")
            return
        }
        #expect(reason == trouble)
        #expect(try bench.trouble(link, beat) == trouble, "it is answered while there is no connection")
    }

    @Test func `a session that hangs is left, and another takes its place`() throws {
        let bench = try install("hangs")
        let link = try bench.connection(named("hangs"), timeout: .seconds(2))
        try waitUntilConnected(link, bench)
        // More than one if a first attempt met the timeout.
        let pids = try backends("hangs")
        try #require(!pids.isEmpty)
        for pid in pids { kill(pid, SIGSTOP) }
        defer { for pid in pids { kill(pid, SIGCONT) } }
        let answers = try bench.ask([(link, beat), (link, beat)])
        for answer in answers {
            #expect(throws: FleetTrouble.silent(place: link.definition.database, .seconds(2))) {
                _ = try answer.get()
            }
        }
        guard case .beat(let answer) = try ask(link, beat, bench) else { throw Bench.Late() }
        #expect(!answer.known)
    }

    @Test func `a connection that is reset amid a statement answers all calls, once, and comes back`() throws
    {
        let bench = try install("reset")
        let link = try bench.connection(named("reset"))
        try waitUntilConnected(link, bench)
        // The call waits for this lock, and has not run when its session ends.
        let holder = try #require(
            PostgresDial(
                database: postgres.database, credentials: nil, timeout: hangLimit,
                statementTimeout: hangLimit
            ).connect().get() as PostgresLink?)
        _ = holder.run("begin; lock table lull_reset.host in access exclusive mode")
        var answers: [Result<FleetAnswer, FleetTrouble>] = []
        for _ in 0..<3 {
            link.call(beat) {
                answers.append($0)
                bench.loop.stop()
            }
        }
        let pid = try #require(try backends("reset").first)
        try postgres.sql("select pg_terminate_backend(\(pid))")
        try bench.run { answers.count == 3 }
        #expect(answers.allSatisfy { if case .failure = $0 { true } else { false } })
        _ = holder.run("rollback")
        try waitUntilConnected(link, bench)
        _ = try bench.ask(link, beat)
        #expect(answers.count == 3)
    }

    @Test func `a lock that is held for long is a refusal, and the connection stays`() throws {
        let bench = try install("locked")
        let link = try bench.connection(named("locked"))
        try waitUntilConnected(link, bench)
        let holder = try #require(
            PostgresDial(
                database: postgres.database, credentials: nil, timeout: hangLimit,
                statementTimeout: hangLimit
            ).connect().get() as PostgresLink?)
        _ = holder.run("begin; lock table lull_locked.host in access exclusive mode")
        guard case .refused(_, let state, _) = try bench.trouble(link, beat) else {
            Issue.record("it was not refused")
            return
        }
        #expect(state == "55P03", "the server gives the lock up before the host gives up the server")
        #expect(link.state == .connected)
    }

    @Test func `a server that was stopped is found again`() throws {
        let own = try Postgres()
        _ = try FleetInstall.run(FleetDefinition(database: own.database, name: "away"))
        let bench = try Bench("away")
        let link = try bench.connection(own.database)
        _ = try bench.ask(link, .hello(Bench.hello("a")))
        try own.stop()
        link.onState = { _ in bench.loop.stop() }
        try bench.run { if case .waiting = link.state { true } else { false } }
        #expect(try bench.trouble(link, beat) != nil)
        try own.start()
        try waitUntilConnected(link, bench)
        guard case .beat(let answer) = try bench.ask(link, beat) else { throw Bench.Late() }
        #expect(answer.known)
    }

    @Test func `what a server refuses is said with its remedy`() throws {
        try postgres.sql("create role guarded login password 'open sesame'; create role refused login")
        let bench = try install("refusals")
        func trouble(_ database: String, credentials: String? = nil) throws -> (String, String) {
            let link = try bench.connection(database, credentials: credentials)
            let trouble = try #require(try bench.trouble(link, beat))
            link.end()
            return (trouble.message, trouble.fix ?? "")
        }
        let base = "host=\(postgres.folder) dbname=postgres user="
        let none = try trouble(base + "guarded")
        #expect(none.0.contains("no password supplied") && none.1.contains("lull-fleet"))
        let folder = try TemporaryFolder()
        try folder.file("lull-fleet", "wrong\n")
        let wrong = try trouble(base + "guarded", credentials: folder.path)
        #expect(wrong.0.contains("password authentication failed") && wrong.1.contains("lull-fleet"))
        try folder.file("lull-fleet", "open sesame\n")
        let role = try trouble(base + "guarded", credentials: folder.path)
        #expect(role.0.contains("permission denied for schema"))
        #expect(role.1.contains("grant \"lull_refusals_host\" to USER"))
        // As root's commands read the credentials of the running service.
        let alone = PostgresDial(
            database: base + "guarded", spare: folder.path, timeout: hangLimit,
            statementTimeout: hangLimit)
        #expect(throws: Never.self) { _ = try alone.connect().get() }
        let given = PostgresDial(
            database: base + "guarded password=wrong", spare: folder.path, timeout: hangLimit,
            statementTimeout: hangLimit)
        #expect(throws: FleetTrouble.self, "what is given goes before it") { _ = try given.connect().get() }
        let rejected = try trouble(base + "refused")
        #expect(rejected.0.contains("pg_hba.conf") && rejected.1.contains("pg_hba.conf"))
        let database = try trouble("host=\(postgres.folder) user=postgres dbname=nowhere")
        #expect(database.0.contains("\"nowhere\" does not exist") && database.1.contains("createdb"))
        let socket = try trouble("host=\(folder.path) user=postgres dbname=postgres")
        #expect(socket.0.contains("No such file or directory") && socket.1.contains("runs and listens"))
        for port in ["99999", "x"] {
            let wrong = try trouble("host=127.0.0.1 user=postgres port=\(port)")
            #expect(wrong.1.hasPrefix("Correct `port` in `database`"), "\(wrong)")
        }
        // A server that has only `hostssl` says the same about every connection without TLS.
        let plain = FleetTrouble.unreachable(
            place: "host=db user=lull sslmode=disable",
            words:
                #"FATAL:  no pg_hba.conf entry for host "10.0.0.7", user "lull", database "lull", no encryption"#
        )
        #expect(plain.fix?.hasPrefix("Take `sslmode=disable` out of `database`") == true)
        let words = try trouble("host=x nonsense")
        #expect(words.0.contains("missing \"=\""))
        let other = try Bench("absent")
        let link = try other.connection(postgres.database)
        let absent = try #require(try other.trouble(link, beat))
        #expect(absent.message.contains("schema \"lull_absent\" does not exist"))
        #expect(absent.fix?.contains("lull fleet init") == true)
        #expect(link.state == .connected, "it may be installed at any time")
        try postgres.sql("create schema lull_absent")
        #expect(try other.trouble(link, beat)?.fix?.contains("lull fleet init") == true)
    }

    @Test func `a server elsewhere is reached by TLS alone unless the manifest says otherwise`() throws {
        let listener = try Silence(answer: UInt8(ascii: "N"))
        let bench = try Bench("tls")
        // 127.0.0.1, in a form that no loopback address has.
        let place = "host=2130706433 port=\(listener.port) user=a dbname=a"
        let link = try bench.connection(place)
        let trouble = try #require(try bench.trouble(link, beat))
        #expect(trouble.message.contains("server does not support SSL, but SSL was required"))
        #expect(trouble.fix?.contains("sslmode=disable") == true)
        let local: [PostgresDial.Server] = ["", "/run/postgresql", "localhost", "127.0.0.2", "::1"].map {
            .init(host: $0, address: "", port: "")
        }
        #expect(local.allSatisfy { $0.isLocal })
        #expect(PostgresDial.Server(host: "db", address: "127.0.0.1", port: "").isLocal)
        #expect(!PostgresDial.Server(host: "localhost", address: "10.0.0.1", port: "").isLocal)
    }

    @Test func `what a handler says is kept, whatever characters it has`() throws {
        let bench = try install("words")
        let link = try bench.connection(postgres.database)
        let task = try #require(TaskIdentifier("x.t"))
        let slot = SlotName(task, at: Clock.wall)
        _ = try bench.ask(link, .hello(Bench.hello("a")))
        let claim = FleetClaim(
            host: "a", slot: slot, definitionHash: "m", through: slot.nominal, lease: 60_000)
        guard case .claim(let answer) = try bench.ask(link, .claim(claim)) else { throw Bench.Late() }
        let words = "it\0 said: 'no', \"never\", \\u0000 \u{1F634}\n$$"
        let finish = FleetFinish(host: "a", try #require(answer.lease), .failed, reason: words)
        guard case .finish(let finished) = try bench.ask(link, .finish(finish)) else { throw Bench.Late() }
        #expect(finished.slotStatus?.reason == words.replacing("\0", with: "\u{FFFD}"))
        let text = try FleetQuestion.ask(
            "slots_1", "{\"task\":\"x.t\"}", of: FleetDefinition(database: postgres.database, name: "words"))
        #expect(text.contains("never"))
        #expect(throws: FleetTrouble.self) {
            try FleetQuestion.ask(
                "slots_1", "{", of: FleetDefinition(database: postgres.database, name: "words"))
        }
    }

    @Test func `of several servers the one that answers is found`() throws {
        let listener = try Silence()
        let bench = try install("several")
        let link = try bench.connection(
            "host=127.0.0.1,\(postgres.folder) port=\(listener.port),5432 user=postgres dbname=postgres",
            timeout: .seconds(2))
        _ = try ask(link, .hello(Bench.hello("a")), bench)
    }

    @Test func `leases go before what can wait, and what was called is answered at the end`() throws {
        let bench = try install("order")
        let link = try bench.connection(postgres.database)
        try waitUntilConnected(link, bench)
        var order: [String] = []
        for index in 0..<3 {
            link.call("counts_1", "{}") { _ in
                order.append("bulk \(index)")
                bench.loop.stop()
            }
        }
        link.call("hosts_1", "{}", .question) { _ in order.append("question") }
        link.call(beat) { _ in order.append("beat") }
        try bench.run { order.count == 5 }
        #expect(order == ["bulk 0", "beat", "question", "bulk 1", "bulk 2"])
        var last: [Result<FleetAnswer, FleetTrouble>] = []
        link.call(beat) { last.append($0) }
        link.end()
        #expect(last == [.failure(.ended)] as [Result<FleetAnswer, FleetTrouble>])
        #expect(try bench.trouble(link, beat) == .ended)
    }

    @Test(.enabled(if: Bouncer.isThere, Bouncer.absence))
    func `a pooler that gives each transaction another session is no matter`() throws {
        let bouncer = try Bouncer(before: postgres)
        let bench = try install("pooled")
        let links = try (0..<8).map { _ in try bench.connection(bouncer.database) }
        let task = try #require(TaskIdentifier("x.t"))
        let names = links.indices.map { "h\($0)" }
        for answer in try bench.ask(
            zip(links, names).map { ($0, .hello(Bench.hello($1, task: task))) })
        {
            _ = try answer.get()
        }
        for round in 0..<10 {
            let slot = SlotName(task, at: Clock.wall - .seconds(100 - round))
            let answers = try bench.ask(
                zip(links, names).map { link, name in
                    (
                        link,
                        .claim(
                            FleetClaim(
                                host: name, slot: slot, definitionHash: "m", through: slot.nominal, limit: 99,
                                lease: 60_000))
                    )
                })
            let claimed = try answers.filter {
                if case .claim(let claim) = try $0.get() { claim.verdict == .claimed } else { false }
            }
            #expect(claimed.count == 1)
        }
        let database = bouncer.database
        _ = try FleetInstall.run(FleetDefinition(database: database, name: "installed through a pooler"))
    }
}
