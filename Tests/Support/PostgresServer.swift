import Foundation

/// Debian's PostgreSQL with a cluster of its own, on a socket in its folder; it ends with this value.
///
/// It does not run as root, which it refuses. It does not sync its data, which is deleted after the test.
public final class PostgresServer {
    public let folder: TemporaryFolder
    private let binaries: String
    private let through: [String]
    private let data: String
    private let settings: [String]
    private var server: Process?

    private static let binaries: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()
    public static var isThere: Bool { binaries != nil }
    public static let absence = "PostgreSQL is not there: apt-get install postgresql"

    /// `through`: a command prefix to start it with, such as a namespace; `listens`: on the network there too.
    public init(
        in folder: TemporaryFolder? = nil, through: [String] = [], data: String = "data",
        listens: Bool = false, settings: [String] = []
    ) throws {
        guard let binaries = Self.binaries else { throw Command.Trouble(text: Self.absence) }
        self.binaries = binaries
        self.folder = try folder ?? TemporaryFolder()
        self.through = through
        self.data = self.folder.path + "/" + data
        self.settings =
            ["listen_addresses=\(listens ? "*" : "")", "fsync=off"] + settings
        if geteuid() == 0 { try Command.run(["chown", "nobody", self.folder.path]) }
        try Command.run(
            through + asNobody("initdb", ["-D", self.data, "-U", "postgres", "-A", "trust", "-N"])
                + ["-E", "UTF8", "--locale=C.UTF-8"])
        try Command.run(
            through + ["sh", "-c", "echo host all all samenet trust >> '\(self.data)/pg_hba.conf'"])
        try start()
    }

    deinit { stop() }

    /// Waits until it answers. `pg_ctl` is not used: Foundation would take the server that it leaves running for `pg_ctl` itself.
    public func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["LC_ALL=C.UTF-8"] + through + asNobody("postgres", ["-D", data, "-k", folder.path])
            + settings.flatMap { ["-c", $0] }
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try log()
        try process.run()
        server = process
        while (try? Command.run([binaries + "/pg_isready", "-q", "-h", folder.path])) == nil {
            guard process.isRunning else { throw Command.Trouble(text: "PostgreSQL has ended: \(words)") }
        }
    }

    /// The last lines of its log.
    public var words: String {
        let text = (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(20).joined(separator: "\n")
    }

    private func log() throws -> FileHandle {
        let path = folder.path + "/log"
        if !FileManager.default.fileExists(atPath: path) { try folder.file("log", "") }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        return file
    }

    public var isRunning: Bool { server?.isRunning == true }
    /// Its processes for connections, and those for its own work.
    public var processes: [pid_t] {
        server.flatMap { try? Processes.descendants(of: $0.processIdentifier, named: "postgres") } ?? []
    }

    /// Shuts it down at once: clients are disconnected, and only the write-ahead log is left to recover from.
    public func stop() { end(SIGQUIT) }

    /// `kill -9` of all its processes at once.
    public func kill() {
        guard let server, server.isRunning else { return }
        // Stopped, it can't fork others meanwhile.
        Foundation.kill(server.processIdentifier, SIGSTOP)
        for process in processes { Foundation.kill(process, SIGKILL) }
        end(SIGKILL)
    }

    private func end(_ signal: Int32) {
        guard let server else { return }
        if server.isRunning { Foundation.kill(server.processIdentifier, signal) }
        server.waitUntilExit()
        self.server = nil
    }

    /// Runs statements as the superuser; returns the result of the last as text.
    @discardableResult
    public func sql(_ statements: String) throws -> String {
        try Command.run(
            asNobody(
                "psql",
                [
                    "-h", folder.path, "-U", "postgres", "-d", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1",
                    "-c",
                ]
                    + [statements]))
    }

    /// Makes the fleet `lull`, and a user of that name for its hosts.
    public func makeFleet(with lull: String) throws {
        let database = "host=\(folder.path) user=postgres dbname=postgres"
        try Command.run([lull, "fleet", "init", "--database", database, "--state", folder.path + "/none"])
        try sql("create role lull login; grant lull_lull_host to lull")
    }

    private func asNobody(_ program: String, _ words: [String]) -> [String] {
        let nobody =
            geteuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        return nobody + [binaries + "/" + program] + words
    }
}
