import Foundation
import TestSupport
import Testing

/// Hosts on one machine, each with its own state, that share a PostgreSQL of this test.
final class FleetGround {
    private let server: PostgresServer
    private let news: Program
    private(set) var hosts: [String: (workshop: Workshop, program: Program)] = [:]

    static var isPossible: Bool { PostgresServer.isThere }
    static let absence = Comment(rawValue: PostgresServer.absence)

    /// The key `fleet` of the manifest.
    var fleet: String { "fleet: { database: 'host=\(server.folder.path) user=lull dbname=postgres' }" }
    /// A connection as the database's superuser.
    var owner: String { "host=\(server.folder.path) user=postgres dbname=postgres" }
    /// The file to which runs write a line each.
    var notes: String { server.folder.path + "/notes" }

    init() throws {
        server = try PostgresServer()
        news = try Program(
            "/bin/sh", ["-c", "exec tail -n +1 -F '\(server.folder.file("notes", ""))' >&2"], in: "/")
        try server.makeFleet(with: Workshop.products.appendingPathComponent("lull").path)
    }

    deinit {
        for (_, program) in hosts.values where program.process.isRunning { program.send(SIGKILL) }
        news.send(SIGKILL)
        _ = news.end()
    }

    func startDatabase() throws { try server.start() }
    /// Kills the database server.
    func stopDatabase() { server.stop() }
    func sql(_ statement: String) throws -> String { try server.sql(statement) }
    /// Runs a shell command as the database's owner.
    func administer(_ command: String) throws {
        try Command.run(
            ["PGHOST=\(server.folder.path)", "PGUSER=postgres", "sh", "-ec", command], in: server.folder.path)
    }

    // MARK: Hosts

    /// Starts a host that runs `tasks` of one app with the plugin Command, or starts it again.
    func start(_ name: String, tasks: String, lease: String = "1m") throws {
        let workshop = try hosts[name]?.workshop ?? Workshop()
        if hosts[name] == nil {
            try workshop.link("Command")
            let head = """
                version: 1
                \(fleet)
                defaults: { lease: \(lease) }
                apps:
                  com.example.Shared:
                    plugin: Command
                    idle_after: never
                    user: host
                    limits: { privileges: keep }
                    tasks:

                """
            try workshop.write(head + tasks, to: "jobs.yaml")
        }
        // The one variable of its own that a host passes on to commands; no setting could differ between the hosts.
        let program = try workshop.start(
            "run", "jobs.yaml", through: Self.named(name), environment: ["LANG": name])
        hosts[name] = (workshop, program)
    }

    /// A UTS namespace with this host name, where this user may create one.
    private static func named(_ name: String) -> [String] {
        guard namesHosts else { return [] }
        return ["unshare", "--uts", "sh", "-c", "hostname \"$0\" && exec \"$@\"", name]
    }
    static let namesHosts = (try? OwnNamespace(["--uts"], script: "hostname named")) != nil

    func host(_ name: String) throws -> (workshop: Workshop, program: Program) {
        try #require(hosts[name])
    }

    func endAll() {
        for (_, program) in hosts.values where program.process.isRunning {
            program.send(SIGTERM)
        }
        for (name, (_, program)) in hosts {
            let status = program.end()
            #expect(status == 0, "\(name) ended with \(status):\n\(program.said)")
        }
    }

    // MARK: Notes

    struct Note: Equatable {
        let word: String
        let number: Int64
        let host: String
    }

    func lines(of word: String) -> [Note] {
        let text = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 3, words[0] == word else { return nil }
            return Note(word: word, number: Int64(words[1]) ?? 0, host: words[2])
        }
    }

    /// Waits for `more` further notes with this word; returns the last one.
    @discardableResult
    func wait(for more: Int, _ word: String) throws -> Note {
        let before = lines(of: word).count
        try wait("\(more) more '\(word)' after \(before)") { lines(of: word).count >= before + more }
        return try #require(lines(of: word).last)
    }

    /// Waits until `isSo` holds; checks it after each note.
    func wait(_ what: String, until isSo: () throws -> Bool) throws {
        let end = ContinuousClock.now + hangLimit
        while try !isSo() {
            guard ContinuousClock.now < end else {
                let text = (try? String(contentsOfFile: notes, encoding: .utf8)) ?? ""
                Issue.record("There was never: \(what). Notes:\n\(text.suffix(2000))")
                throw CancellationError()
            }
            try news.readLine(waitingFor: what)
        }
    }
}
