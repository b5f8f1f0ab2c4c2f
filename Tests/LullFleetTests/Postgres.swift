import Foundation
import LullSystem
import TestSupport
import Testing

/// Debian's PostgreSQL with a separate cluster, on a socket; it ends with this object.
///
/// It does not run as root, which it refuses. Nothing is synced, because the data is gone after the test.
final class Postgres: Sendable {
    let temporary: TemporaryFolder
    let binaries: String
    var folder: String { temporary.path }
    /// A connection string of the superuser.
    var database: String { "host=\(folder) user=postgres dbname=postgres" }

    static let binaries: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map {
            "/usr/lib/postgresql/\($0)/bin"
        }
        return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()
    static var isThere: Bool { binaries != nil }
    static let absence: Comment = "PostgreSQL is not there: apt-get install postgresql"

    /// Shared by all tests that leave it running; each has a separate fleet.
    static let shared = Result { try Postgres(endsWithProcess: true) }

    init(endsWithProcess: Bool = false) throws {
        binaries = try #require(Self.binaries)
        temporary = try TemporaryFolder()
        if geteuid() == 0 {
            _ = try Nobody.run("/usr/bin/chown", ["nobody", temporary.path], asNobody: false)
        }
        _ = try Nobody.run(
            binaries + "/initdb",
            ["-D", folder + "/data", "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C.UTF-8"])
        let access = """
            local all guarded scram-sha-256
            local all refused reject
            local all all trust
            """
        try access.write(toFile: folder + "/data/pg_hba.conf", atomically: false, encoding: .utf8)
        try start()
        if endsWithProcess { Self.endAtExit() }
    }

    deinit { try? stop() }

    func start() throws {
        let settings =
            "-k \(folder) -c listen_addresses= -c fsync=off -c max_connections=120 -c deadlock_timeout=100ms"
        _ = try Nobody.run(
            binaries + "/pg_ctl",
            ["-D", folder + "/data", "-l", folder + "/log", "-o", settings, "-w", "-t", "600", "start"])
    }

    func stop() throws {
        _ = try Nobody.run(
            binaries + "/pg_ctl", ["-D", folder + "/data", "-m", "immediate", "-w", "-t", "600", "stop"])
    }

    /// Runs statements as the superuser; returns the result of the last one, as text.
    @discardableResult
    func sql(_ statements: String, user: String = "postgres") throws -> String {
        try Nobody.run(
            binaries + "/psql",
            ["-h", folder, "-U", user, "-d", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statements])
    }

    /// Stops the clock of a fleet: a host then falls silent only through the test, not because the machine is slow.
    func stopClock(of schema: String) throws {
        let now = try sql("select \(schema).clock()")
        try sql(
            """
            create or replace function \(schema).clock() returns bigint language sql stable
            as 'select \(now)::bigint'
            """)
    }

    private static func endAtExit() {
        atexit {
            guard let postgres = try? Postgres.shared.get() else { return }
            try? postgres.stop()
            try? FileManager.default.removeItem(atPath: postgres.folder)
        }
    }
}

/// pgbouncer in front of a cluster: a server session for each transaction.
final class Bouncer {
    private let temporary: TemporaryFolder
    var database: String { "host=\(temporary.path) port=6432 user=postgres dbname=postgres" }

    static let path = "/usr/sbin/pgbouncer"
    static var isThere: Bool { Postgres.isThere && FileManager.default.isExecutableFile(atPath: path) }
    static let absence: Comment = "pgbouncer is not there: apt-get install pgbouncer"

    init(before postgres: Postgres) throws {
        temporary = try TemporaryFolder()
        if geteuid() == 0 {
            _ = try Nobody.run("/usr/bin/chown", ["nobody", temporary.path], asNobody: false)
        }
        try temporary.file(
            "ini",
            """
            [databases]
            * = host=\(postgres.folder) port=5432
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(temporary.path)
            auth_type = any
            pool_mode = transaction
            default_pool_size = 3
            logfile = \(temporary.path)/log
            pidfile = \(temporary.path)/pid
            """)
        // With `any`, all users connect as the one user named here.
        try
            (String(contentsOfFile: temporary.path + "/ini", encoding: .utf8)
            .replacingOccurrences(of: "port=5432", with: "port=5432 user=postgres"))
            .write(toFile: temporary.path + "/ini", atomically: false, encoding: .utf8)
        _ = try Nobody.run(Self.path, ["-d", temporary.path + "/ini"])
    }

    deinit {
        let text = try? String(contentsOfFile: temporary.path + "/pid", encoding: .utf8)
        let pid = text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        if let pid, pid > 1 { kill(pid, SIGTERM) }
    }
}

/// Runs programs that refuse to run as root.
enum Nobody {
    struct Trouble: Error { let text: String }

    /// Returns the output once the program has ended; its children may go on.
    static func run(_ program: String, _ words: [String], asNobody: Bool = true) throws -> String {
        let nobody =
            asNobody && geteuid() == 0
            ? ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
        let child = try ChildProcess(
            nobody + [program] + words, environment: ["PATH=/usr/sbin:/usr/bin:/bin", "LC_ALL=C.UTF-8"])
        var output: [UInt8] = []
        while let bytes = child.read(), !bytes.isEmpty { output += bytes }
        let ending = child.end(mayFinish: true)
        guard ending.trouble == nil else {
            throw Trouble(text: String(decoding: output + ending.complaints, as: UTF8.self))
        }
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
