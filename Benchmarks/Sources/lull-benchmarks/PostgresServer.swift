import Foundation

/// Debian's PostgreSQL with a cluster of its own, on a socket; it ends with this value.
final class PostgresServer {
    let folder: String
    private let workshop: Workshop
    private let binaries: String
    private var process: Process?

    private static var binaries: String? {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/pgbench") }
    }
    static var isThere: Bool { binaries != nil }

    init(_ workshop: Workshop) throws {
        guard let binaries = Self.binaries else { throw BenchmarkError("PostgreSQL is not there") }
        self.workshop = workshop
        self.binaries = binaries
        folder = try workshop.empty("postgres")
        if geteuid() == 0 { _ = try workshop.output(of: "/usr/bin/chown", ["nobody", folder]) }
        let made = try begin(
            "initdb",
            ["-D", folder + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"])
        made.waitUntilExit()
        guard made.terminationStatus == 0 else { throw BenchmarkError("initdb failed") }
        // In the foreground, so no process can stay behind.
        let settings = ["listen_addresses=", "max_connections=100", "shared_buffers=512MB"]
        process = try begin(
            "postgres", ["-D", folder + "/data", "-k", folder] + settings.flatMap { ["-c", $0] })
        let watch = Stopwatch()
        while (try? workshop.output(of: binaries + "/pg_isready", ["-q", "-h", folder])) == nil {
            guard process?.isRunning == true, watch.nanoseconds < 30e9 else {
                throw BenchmarkError("PostgreSQL does not start")
            }
            usleep(20_000)
        }
    }

    deinit {
        guard let process, process.isRunning else { return }
        process.interrupt()
        process.waitUntilExit()
    }

    var database: String { "host=\(folder) user=postgres dbname=postgres" }

    /// Runs as nobody if this process is root, because PostgreSQL refuses to run as root.
    private func begin(_ program: String, _ words: [String]) throws -> Process {
        let nobody = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        let all = (geteuid() == 0 ? nobody : []) + [binaries + "/" + program] + words
        let process = Process()
        process.executableURL = URL(fileURLWithPath: all[0])
        process.arguments = Array(all.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    @discardableResult
    func sql(_ statements: String) throws -> String {
        try workshop.output(
            of: binaries + "/psql",
            [
                "-h", folder, "-U", "postgres", "-d", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c",
                statements,
            ])
    }

    /// Runs a script of pgbench on `clients` connections at once. In nanoseconds: each transaction, sorted; all of them; and the
    /// server's processor time.
    func load(_ script: String, clients: Int, seconds: Int? = nil, each: Int? = nil) throws
        -> (each: [Double], all: Double, processors: Double)
    {
        let place = try workshop.empty("pgbench")
        try script.write(toFile: place + "/script", atomically: true, encoding: .utf8)
        let before = try processors
        let limit = seconds.map { ["-T", "\($0)"] } ?? ["-t", "\(each ?? 1)"]
        let output = try workshop.output(
            of: binaries + "/pgbench",
            [
                "-h", folder, "-U", "postgres", "-n", "-c", "\(clients)", "-j", "2", "-f", place + "/script",
                "-l",
                "--log-prefix=\(place)/log",
            ] + limit + ["postgres"])
        let used = try processors - before
        var latencies: [Double] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: place) where name.hasPrefix("log") {
            for line in try String(contentsOfFile: place + "/" + name, encoding: .utf8).split(separator: "\n")
            {
                let fields = line.split(separator: " ")
                if fields.count > 2, let microseconds = Double(fields[2]) {
                    latencies.append(microseconds * 1000)
                }
            }
        }
        guard let rate = output.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }), rate > 0,
            !latencies.isEmpty
        else { throw BenchmarkError("pgbench says: \(output)") }
        return (latencies.sorted(), Double(latencies.count) / rate * 1e9, used)
    }

    /// The processor time of the server since its start, in nanoseconds.
    private var processors: Double {
        get throws {
            let text = try String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8)
            guard let pid = text.split(separator: "\n").first.flatMap({ Int32($0) }) else {
                throw BenchmarkError("the server is gone")
            }
            let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
            // Its own time, and that of the sessions that have ended.
            let ticks = fields[11...14].compactMap { Double($0) }.reduce(0, +)
            let ended = ticks * 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
            return try ProcessUse.children(of: pid, named: "postgres").compactMap {
                try? ProcessUse(of: $0).time
            }
            .reduce(ended, +)
        }
    }
}
