import Foundation
import TestSupport
import Testing

/// Hosts of one machine, each with a state of its own, that share a PostgreSQL which the test has for itself.
final class FleetGround {
    private let temporary: TemporaryFolder
    private let binaries: String
    private var server: Program?
    private let news: Program
    private(set) var hosts: [String: (workshop: Workshop, program: Program)] = [:]

    private static let binaries: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()
    static var isPossible: Bool { binaries != nil }
    static let absence: Comment = "PostgreSQL is not there: apt-get install postgresql"

    /// The manifest's key.
    var fleet: String { "fleet: { database: 'host=\(temporary.path) user=lull dbname=postgres' }" }
    /// For who may do all.
    var owner: String { "host=\(temporary.path) user=postgres dbname=postgres" }
    /// What runs write, a line each.
    var notes: String { temporary.path + "/notes" }

    init() throws {
        binaries = try #require(Self.binaries)
        temporary = try TemporaryFolder()
        news = try Program(
            "/bin/sh", ["-c", "exec tail -n +1 -F '\(temporary.file("notes", ""))' >&2"], in: "/")
        if geteuid() == 0 { try Self.run(["chown", "nobody", temporary.path]) }
        try postgres(
            "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C.UTF-8")
        try startDatabase()
        let folder = try Workshop()
        let result = try folder.bare(["fleet", "init", "--database", owner, "--state", folder.state])
        #expect(result.status == 0, "\(result.error)")
        try sql("create role lull login; grant lull_lull_host to lull")
    }

    deinit {
        for (_, program) in hosts.values where program.process.isRunning { program.send(SIGKILL) }
        stopDatabase()
        news.send(SIGKILL)
        _ = news.end()
    }

    // MARK: The database

    private var data: String { temporary.path + "/data" }

    /// Not with `pg_ctl`: what a program leaves running, Foundation takes for the program itself.
    func startDatabase() throws {
        let program = try Program(
            "/usr/bin/env",
            asNobody("postgres", ["-D", data, "-k", temporary.path])
                + ["-c", "listen_addresses=", "-c", "fsync=off"], in: "/", environment: ["LC_ALL": "C.UTF-8"])
        try program.waitForLine(containing: "ready to accept connections")
        server = program
    }

    /// As if it were killed.
    func stopDatabase() {
        server?.send(SIGQUIT)
        _ = server?.end()
        server = nil
    }

    @discardableResult
    func sql(_ statement: String) throws -> String {
        try postgres(
            "psql", "-h", temporary.path, "-U", "postgres", "-d", "postgres", "-qAtX", "-v",
            "ON_ERROR_STOP=1", "-c", statement)
    }

    @discardableResult
    private func postgres(_ program: String, _ words: String...) throws -> String {
        try Self.run(asNobody(program, words))
    }

    /// PostgreSQL refuses to be root.
    private func asNobody(_ program: String, _ words: [String]) -> [String] {
        let nobody =
            geteuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        return nobody + [binaries + "/" + program] + words
    }

    @discardableResult
    private static func run(_ words: [String]) throws -> String {
        let result = try Program.run("/usr/bin/env", words, environment: ["LC_ALL": "C.UTF-8"])
        try #require(result.status == 0, "\(words): \(result.output)\(result.error)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: Hosts

    /// A host that runs `tasks` of one app with the plugin Command; started again if it has been there before.
    func start(_ name: String, tasks: String) throws {
        let workshop = try hosts[name]?.workshop ?? Workshop()
        if hosts[name] == nil {
            try workshop.link("Command")
            let head = """
                version: 1
                \(fleet)
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
        // The one variable of its own that a host hands on to commands; no setting could differ between the hosts.
        let program = try workshop.start("run", "jobs.yaml", environment: ["LANG": name])
        hosts[name] = (workshop, program)
    }

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

    /// The last of them, once there are so many more than now.
    @discardableResult
    func wait(for more: Int, _ word: String) throws -> Note {
        let before = lines(of: word).count
        try wait("\(more) more '\(word)' after \(before)") { lines(of: word).count >= before + more }
        return try #require(lines(of: word).last)
    }

    /// Until it is so; looks at each note that comes.
    func wait(_ what: String, until isSo: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(120)
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
