import Foundation
import TestSupport
import Testing

/// The disk of the fleet's database is full: first for its tables, then for its write-ahead log, which ends the server.
@Suite(.enabled(if: FleetYard.isPossible && Namespace.isPermitted, FleetYard.absence))
struct FleetDiskTests {
    private static func tasks(_ notes: String) -> String {
        (0..<4).map { number in
            let run = FleetYard.run("job\(number)", notes, seconds: 0.2)
            return "      job\(number): { kind: processing, repeat: 1s, scope: any_host, \(run) }\n"
        }.joined()
            + "      own: { kind: processing, repeat: 1s, " + FleetYard.run("own", notes, seconds: 0) + " }\n"
    }

    @Test func `a database whose disk is full is waited for, and all goes on once there is room`() throws {
        let folder = try TemporaryFolder()
        let mount = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
        let disk = try OwnNamespace(
            ["--mount"], script: "mount -t tmpfs -o size=96m lull '\(mount)' && chown nobody '\(mount)'")
        let server = try PostgresServer(in: folder, through: disk.enter, data: "disk/data")
        let yard = try FleetYard(["a", "b"], server: server, tasks: Self.tasks)
        try yard.start()
        try yard.wait(for: 4, "end", "job0")

        func fill() throws {
            try disk.run(["sh", "-c", "! dd if=/dev/zero of='\(mount)/fill' bs=4k 2>/dev/null"])
        }
        func expectToGoOn() throws {
            try disk.run(["rm", mount + "/fill"])
            if !server.isRunning { try server.start() }
            for task in ["job0", "job3"] { try yard.wait(for: 2, "end", task) }
        }
        try fill()
        try yard.wait("why quotes what the database says") {
            try yard.lull(["why", "\(FleetYard.app).job0"], on: "a").contains("No space left on device")
        }
        try yard.wait(for: 4, "end", "own")
        try expectToGoOn()

        try fill()
        // There is no room for the next segment of the log.
        try yard.wait("the database's end") {
            _ = try? server.sql("select pg_switch_wal()")
            return !server.isRunning
        }
        try yard.wait("why says that it is away") {
            try yard.lull(["why", "\(FleetYard.app).job0"], on: "a")
                .contains("the fleet's database has not answered for")
        }
        try yard.wait(for: 4, "end", "own")
        try expectToGoOn()

        try yard.waitForAll()
        try yard.endAll()
        #expect(try yard.faults() == [])
    }
}
