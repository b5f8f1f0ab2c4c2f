import Foundation
import GRDB
import Testing

/// A mount namespace in which a host sees another disk as its state; only where the system lets this user make one.
enum Namespace {
    static let isPermitted: Bool = {
        let folder = FileManager.default.temporaryDirectory.path
        return (try? run(tmpfs(on: folder) + ["true"])) == 0
    }()

    /// A prefix for a command, which then sees a small empty disk at `folder`.
    static func tmpfs(on folder: String, options: String = "size=64m", more: String = "true") -> [String] {
        let script = "mount -t tmpfs -o mode=700,\(options) lull '\(folder)' && \(more) && exec \"$0\" \"$@\""
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script]
    }

    /// The path from here to a path in the host's namespace.
    static func path(_ path: String, of host: Process) -> String {
        "/proc/\(host.processIdentifier)/root" + path
    }

    static func enter(_ host: Process, _ command: [String]) throws {
        try #require(run(["nsenter", "-t", "\(host.processIdentifier)", "-m"] + command) == 0)
    }

    @discardableResult
    private static func run(_ command: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

enum Sabotage {
    /// Changes a history without Lull; SQLite's files beside it stay.
    static func execute(_ sql: String, _ state: String) throws {
        let history = try DatabaseQueue(path: state + "/history.sqlite")
        try history.write { try $0.execute(sql: sql) }
        try history.close()
    }
}
