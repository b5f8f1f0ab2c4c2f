import Foundation
import TestSupport
import Testing

@testable import LullFleet

/// The program `lull fleet`, against a separate PostgreSQL.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct FleetCommandTests {
    private let postgres: Postgres
    private let state: TemporaryFolder

    init() throws {
        postgres = try Postgres()
        state = try TemporaryFolder()
    }

    private struct Result {
        let status: Int32
        let output: String
        let error: String
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func program(_ words: [String]) throws -> Process {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let beside = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("lull")
        let built = Self.root.appendingPathComponent(".build/debug/lull")
        let process = Process()
        process.executableURL =
            FileManager.default.isExecutableFile(atPath: beside.path) ? beside : built
        process.arguments = words + ["--state", state.path]
        process.currentDirectoryURL = URL(fileURLWithPath: state.path)
        return process
    }

    /// Starts the program; the pipe has its output and its errors.
    private func start(_ words: [String]) throws -> (Process, Pipe) {
        let (process, pipe) = (try program(words), Pipe())
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        return (process, pipe)
    }

    private func lull(_ words: [String]) throws -> Result {
        let process = try program(words)
        let (output, error) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, error)
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = error.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            error: String(decoding: complained, as: UTF8.self))
    }

    private func join(_ name: String, place: String) throws {
        let json =
            #"{"host": "\#(name)-1", "place": "\#(place)", "name": "\#(name)", "boot": "b", "version": "0.2.0", "#
            + #""manifest": "3e4f9a1177", "labels": {}, "jobs": []}"#
        try postgres.sql("select lull_lull.hello_1('\(json)')")
    }

    /// The lines after `$` in the page that call `lull fleet` or psql.
    private func steps() throws -> [Substring] {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("docs/fleet.md"), encoding: .utf8)
        return page.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
    }

    @Test func `each step of the page works`() throws {
        var did: [String] = []
        try postgres.sql("create role lull login")
        for step in try steps() {
            if let statement = step.firstMatch(of: /psql lull -c '(.+)'/)?.1 {
                try postgres.sql(String(statement))
                did.append("grant")
            } else if let words = step.firstMatch(of: /(?:^|sudo -u postgres )lull (fleet .+)/)?.1 {
                // With the test's database in place of the page's.
                var words = words.split(separator: " ").map(String.init)
                let isByOwner = ["init", "apply", "host"].contains(words[1])
                if let option = words.firstIndex(of: "--database") {
                    words.removeSubrange(option...option + 1)
                }
                if words[1] == "drain" {
                    for (name, place) in [("web1", "9f2c41aa"), ("web2", "77aa01bb"), ("web3", "12345678")] {
                        try join(name, place: place)
                    }
                }
                if words[1] == "apply" { try follow() }
                // The others use the role of the hosts.
                let user = isByOwner ? "postgres" : "lull"
                words += ["--database", "host=\(postgres.folder) user=\(user) dbname=postgres"]
                let result = try lull(words)
                let status: Int32 = words.contains("--dry-run") ? 1 : 0
                #expect(result.status == status, "\(step): \(result.output)\(result.error)")
                did.append(words[1])
            }
        }
        #expect(did == ["init", "grant", "status", "status", "drain", "resume", "apply", "apply", "host"])
    }

    private func connect(_ login: String, _ password: String) -> PostgresLink? {
        let database = "host=\(postgres.folder) dbname=postgres user=\(login) password=\(password)"
        let dial = PostgresDial(
            database: database, credentials: nil, timeout: .seconds(60), statementTimeout: .seconds(60))
        return try? dial.connect().get()
    }

    /// The server asks the login `guarded` for a password.
    @Test func `a host gets a login of its own, with a password that is checked, and loses it`() throws {
        let place = ["--database", postgres.database]
        #expect(try lull(["fleet", "init"] + place).status == 0)
        let added = try lull(["fleet", "host", "add", "guarded"] + place)
        #expect(added.status == 0, "\(added.error)")
        #expect(added.output.hasPrefix("The login guarded is bound to the place of its next hello.\n"))
        #expect(added.output.contains("database: \"host=\(postgres.folder) dbname=postgres user=guarded\"\n"))
        let password = try #require(added.output.split(separator: "\n").last).dropFirst(2)
        #expect(connect("guarded", String(password)) != nil)
        #expect(connect("guarded", "wrong") == nil)

        try join("guarded", place: "9f2c41aa")
        let file = state.path + "/password"
        try "a second one\n".write(toFile: file, atomically: true, encoding: .utf8)
        try postgres.sql("insert into lull_lull.bound values ('9f2c41aa', 'guarded')")
        let again = try lull(["fleet", "host", "add", "guarded", "--password-file", file] + place)
        let bind = "The login guarded is bound to the place 9f2c41aa.\n"
        #expect(again.output.hasPrefix(bind), "\(again.error)")
        #expect(!again.output.contains("second"))
        let link = try #require(connect("guarded", "'a second one'"))
        #expect(connect("guarded", String(password)) == nil)

        let removed = try lull(["fleet", "host", "remove", "guarded"] + place)
        #expect(removed.output == "The login guarded is dropped.\n", "\(removed.error)")
        guard case .fault = link.run("select lull_lull.beat_1('{}')") else {
            return #expect(Bool(false), "its connection is answered still")
        }
        #expect(connect("guarded", "'a second one'") == nil)
        #expect(try postgres.sql("select count(*) from lull_lull.bound").hasPrefix("0"))
        // A host that is there already keeps its place.
        let bound = try lull(["fleet", "host", "add", "guarded", "--print"] + place)
        try postgres.sql(bound.output)
        #expect(try postgres.sql("select place, login from lull_lull.bound").hasPrefix("9f2c41aa|guarded"))
        #expect(!bound.output.contains(try #require(bound.error.split(separator: "\n").last).dropFirst(2)))
    }

    @Test func `a role that is no host's login is left alone`() throws {
        let place = ["--database", postgres.database]
        let without = try lull(["fleet", "host", "add", "web1"] + place)
        #expect(without.status == 1 && without.error.contains("lull fleet init"), "\(without.error)")
        #expect(try lull(["fleet", "init"] + place).status == 0)
        for act in ["add", "remove"] {
            let result = try lull(["fleet", "host", act, "postgres"] + place)
            #expect(result.status == 1, "\(result.output)")
            #expect(result.error.contains("the role postgres is no login of one host"), "\(result.error)")
        }
        #expect(try lull(["fleet", "host", "add", "a b"] + place).status == 64)
    }

    private func beat(having number: Int, hash: String = "") throws {
        let beat =
            #"{"host": "web2-1", "leases": [], "lease": 60000, "offers": [], "scores": {}, "reports": [], "#
            + #""follows": {"number": \#(number), "hash": "\#(hash)"}}"#
        try postgres.sql("select lull_lull.beat_1('\(beat)')")
    }

    /// A host that follows the fleet's manifest and stays alive, and a file to apply.
    private func follow() throws {
        try join("web2", place: "77aa01bb")
        try beat(having: 0)
        try postgres.stopClock(of: "lull_lull")
        let text = "version: 1\napps: { com.example.A: { plugin: ColorFeed, idle_after: never } }\n"
        try text.write(toFile: state.path + "/fleet.yaml", atomically: true, encoding: .utf8)
    }

    @Test func `what is applied is shown first, printed as it was, and taken back`() throws {
        let place = ["--database", postgres.database]
        #expect(try lull(["fleet", "init"] + place).status == 0)
        try follow()
        let file = state.path + "/fleet.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let none = try lull(["fleet", "manifest"] + place)
        #expect(none.status == 1 && none.error.contains("`lull fleet apply FILE` applies one"))
        let dry = try lull(["fleet", "apply", file, "--dry-run"] + place)
        #expect(dry.status == 1 && dry.output.contains("+ com.example.A") && dry.output.contains("1 app"))
        #expect(try lull(["fleet", "apply", file, "--now"] + place).status == 0)
        #expect(try lull(["fleet", "manifest"] + place).output == text)
        let same = try lull(["fleet", "apply", file] + place)
        #expect(same.status == 0 && same.output.contains("changes nothing"), "\(same)")
        try (text + "fleet: { database: service=x }\n").write(toFile: file, atomically: true, encoding: .utf8)
        let wrong = try lull(["fleet", "apply", file] + place)
        #expect(wrong.status == 1 && wrong.error.contains("fleet.yaml:3:1"), "\(wrong.error)")
        try text.replacing("never", with: "1d").write(toFile: file, atomically: true, encoding: .utf8)
        let canary = try lull(["fleet", "apply", file, "--canary", "5%"] + place)
        #expect(canary.output.contains("manifest 1") && canary.output.contains("web2 has it"), "\(canary)")
        let status = try lull(["fleet"] + place)
        #expect(
            status.output.contains("0 of 1 canary (web2) has it"), "\(status)"
        )
        let back = try lull(["fleet", "apply", "--back"] + place)
        #expect(
            back.output
                == "Manifest 2 is taken back: hosts go back to manifest 1 within half a minute.\n")
        for role in [FleetSchema.hostRole(of: "lull"), FleetSchema.readerRole(of: "lull")] {
            let host = "host=\(postgres.folder) user=\(role) dbname=postgres"
            let refused = try lull(["fleet", "apply", file, "--database", host])
            #expect(refused.status == 1 && refused.error.contains("lull_NAME_operator"), "\(refused.error)")
        }
    }

    @Test func `who applies may wait until the hosts have it, and no longer than that`() throws {
        let place = ["--database", postgres.database]
        #expect(try lull(["fleet", "init"] + place).status == 0)
        try follow()
        let waiting = Waiter(try start(["fleet", "apply", state.path + "/fleet.yaml", "--wait"] + place))
        try waiting.read("web2 does not have manifest 1 yet.")
        try beat(having: 1, hash: postgres.sql("select hash from lull_lull.manifest"))
        #expect(waiting.end() == 0)
        #expect(try postgres.sql("select state from lull_lull.manifest") == "watched")
    }

    @Test func `the first manifest is named while it is tried`() throws {
        let place = ["--database", postgres.database]
        #expect(try lull(["fleet", "init"] + place).status == 0)
        try follow()
        let file = state.path + "/fleet.yaml"
        #expect(try lull(["fleet", "apply", file] + place).status == 0)
        let tried = try lull(["fleet", "manifest"] + place)
        #expect(
            tried.status == 1
                && tried.error.contains("No manifest is in force yet: manifest 1 is on trial."),
            "\(tried)")
        #expect(
            try lull(["fleet", "manifest", "1"] + place).output
                == String(contentsOfFile: file, encoding: .utf8))
    }

    @Test func `what can't be done is said with its remedy, and exits with 1`() throws {
        let place = ["--database", postgres.database]
        func refused(_ words: [String], _ sentence: String) throws {
            let result = try lull(["fleet"] + words)
            #expect(result.status == 1 && result.output.isEmpty, "\(result.output)")
            #expect(result.error.contains(sentence), "\(result.error)")
        }
        try "version: 1\napps: {}\n".write(
            toFile: state.path + "/jobs.yaml", atomically: true, encoding: .utf8)
        try refused(
            [], "jobs.yaml has no `fleet`, so this host is alone. Write `fleet: { database: service=lull }`")
        try refused(["--database", "host=/nowhere"], "Make sure that the server runs and listens there.")
        try refused(place, "Install the fleet's schema: `lull fleet init`.")
        #expect(try lull(["fleet", "init"] + place).status == 0)
        try refused(["drain"] + place, "The fleet does not know this host.")
        try refused(["drain", "web9"] + place, "The fleet has no host 'web9'.")
        try join("web1", place: "9f2c41aa")
        try refused(["drain", "web2"] + place, "Did you mean 'web1'?")
        try postgres.stopClock(of: "lull_lull")
        try postgres.sql("update lull_lull.host set seen = lull_lull.clock()")
        try refused(["forget", "web1"] + place, "web1 is alive:")
        try postgres.sql("update lull_lull.host set seen = seen - 100000")
        let status = try lull(["fleet"] + place)
        #expect(status.status == 1 && status.output.contains("web1  9f2c41aa  silent for 1 min 40 s"))
        try postgres.sql("select lull_lull.leave_1('{\"host\": \"web1-1\"}')")
        try postgres.sql("update lull_lull.host set seen = seen - 7200000")
        let stopped = try lull(["fleet"] + place)
        #expect(
            stopped.status == 0 && stopped.output.contains("web1  9f2c41aa  stopped 2 h ago"), "\(stopped)")
        #expect(try lull(["fleet", "forget", "9f2c"] + place).output == "web1 is forgotten.\n")
        try postgres.sql("create role plain login")
        let plain = ["--database", "host=\(postgres.folder) user=plain dbname=postgres"]
        try refused(["init", "--name", "other"] + plain, "Run it as a superuser")
    }

    @Test func `a drain has a person, a reason and an end, and is waited for`() throws {
        let place = ["--database", postgres.database]
        #expect(try lull(["fleet", "init"] + place).status == 0)
        try join("web1", place: "9f2c41aa")
        let drained = try lull(["fleet", "drain", "web1", "--for", "2h", "--reason", "new disk"] + place)
        #expect(
            drained.status == 0 && drained.output.contains("web1 is draining: it takes no new slots until "),
            "\(drained)")
        let status = try lull(["fleet"] + place)
        #expect(
            status.output.replacing("\n", with: " ").contains(
                /web1 has been drained since .+ by .+@.+, until .+: new disk\./),
            "\(status)")
        #expect(try lull(["fleet", "--json"] + place).output.contains("\"reason\" : \"new disk\""))
        // Without an option of its own, `drain` changes nothing.
        let again = try lull(["fleet", "drain", "web1"] + place)
        #expect(again.output.hasPrefix("Nothing is changed: web1 has been drained since"), "\(again)")
        let past = try lull(["fleet", "drain", "web1", "--until", "2020-01-01 08:00"] + place)
        #expect(past.status != 0 && past.error.contains("--until has passed"), "\(past)")
        let idle = try lull(["fleet", "drain", "web1", "--wait"] + place)
        #expect(idle.status == 0 && idle.output.contains("web1 has no fleet run left."), "\(idle)")
    }

    @Test func `who waits for a drain hears of its end`() throws {
        let place = ["--database", postgres.database]
        #expect(try lull(["fleet", "init"] + place).status == 0)
        try join("web1", place: "9f2c41aa")
        let columns =
            "task, target, nominal, definition_hash, ends, state, holder, lease_end, number, attempt"
        try postgres.sql(
            "insert into lull_lull.slot (\(columns)) values ('a.b.c', '', 7, 'x', 9, 'leased', 'web1-1', 9, 1, 1)"
        )
        let waiting = Waiter(try start(["fleet", "drain", "web1", "--wait"] + place))
        try waiting.read("web1 still has 1 fleet run.")
        try postgres.sql("delete from lull_lull.slot")
        try waiting.read("web1 has no fleet run left.")
        #expect(waiting.end() == 0)
        try postgres.sql(
            "insert into lull_lull.slot (\(columns)) values ('a.b.c', '', 7, 'x', 9, 'leased', 'web1-1', 9, 1, 1)"
        )
        let other = Waiter(try start(["fleet", "drain", "web1", "--wait"] + place))
        try other.read("web1 still has 1 fleet run.")
        #expect(try lull(["fleet", "resume", "web1"] + place).status == 0)
        try other.read("web1 takes slots again, and still has 1 fleet run: its drain is over.")
        #expect(other.end() == 1)
    }

    /// A command that keeps running, and its output.
    private final class Waiter {
        private let process: Process
        private let pipe: Pipe
        private var said = ""

        init(_ started: (Process, Pipe)) { (process, pipe) = started }

        func read(_ words: String) throws {
            while !said.contains(words) {
                let more = pipe.fileHandleForReading.availableData
                try #require(!more.isEmpty, "it ended: \(said)")
                said += String(decoding: more, as: UTF8.self)
            }
        }

        func end() -> Int32 {
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    @Test func `what init prints is what it does`() throws {
        let usual = try lull(["fleet", "init", "--print"])
        #expect(usual.status == 0 && usual.error.contains("GRANT \"lull_lull_host\" TO …;"), "\(usual.error)")
        let printed = try lull(["fleet", "init", "--print", "--name", "eu"])
        #expect(printed.status == 0 && printed.error.contains("GRANT \"lull_eu_host\" TO …;"))
        try postgres.sql(printed.output)
        let result = try lull(["fleet", "init", "--name", "eu", "--database", postgres.database])
        #expect(
            result.output.hasPrefix(
                "The schema lull_eu of the fleet eu is at version \(FleetSchema.version) already."))
    }
}
