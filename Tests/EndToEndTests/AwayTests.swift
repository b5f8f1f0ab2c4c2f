import Foundation
import TestSupport
import Testing

/// Something that a task needs is missing for a while: Lull names it at once, and runs the task again when it is back.
struct AwayTests {
    private let workshop: Workshop
    /// Outside /tmp and the state folder, where an app may write anyway.
    private let place = Workshop.products.appendingPathComponent("away-\(UUID().uuidString)").path

    init() throws {
        workshop = try Workshop()
        try workshop.link("Command")
    }

    private func start(limits: String = "{}", _ tasks: String) throws -> Program {
        try workshop.write(
            """
            version: 1
            apps:
              com.example.App:
                plugin: Command
                idle_after: never
                user: host
                limits: \(limits)
                tasks:
            \(tasks)
            """, to: "jobs.yaml")
        return try workshop.start("run", "jobs.yaml")
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: place + "/" + name, withIntermediateDirectories: true)
    }

    private func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: place + "/" + name)
    }

    private func launch(_ task: String) throws -> Program.Result {
        try workshop.lull("launch", "com.example.App.\(task)")
    }

    private func end(_ host: Program) {
        host.send(SIGTERM)
        _ = host.end()
        try? FileManager.default.removeItem(atPath: place)
    }

    @Test func `a folder of write that comes later, or another in its place, is open to the next run`() throws
    {
        let host = try start(
            limits: "{ write: [\(place)/share] }",
            """
                  busy: { kind: processing, settings: { run: "exec sleep 1000" } }
                  keep: { kind: processing, settings: { run: "echo kept > \(place)/share/file" } }
            """)
        try host.waitForLine(containing: "discovered com.example.App")
        // The worker that was started without this folder stays, because one of its runs goes on.
        let busy = try workshop.start("launch", "com.example.App.busy")
        try host.waitForLine(containing: "launched com.example.App.busy")
        #expect(try launch("keep").status != 0)
        try makeFolder("share")
        let first = try launch("keep")
        #expect(first.status == 0 && isThere("share/file"), "\(first.output) \(first.error)")
        try FileManager.default.moveItem(atPath: place + "/share", toPath: place + "/before")
        try makeFolder("share")
        let second = try launch("keep")
        #expect(second.status == 0 && isThere("share/file"), "\(second.output) \(second.error)")
        end(host)
        _ = busy.end()
        #expect(!host.said.contains("failed com.example.App.busy"), "\(host.said)")
    }

    @Test func `a cwd that is away is named, tried again by itself, and the task runs when it is back`()
        throws
    {
        let host = try start(
            """
                  work:
                    kind: processing
                    repeat: 1d
                    retry: { first: 1s, max: 5h }
                    requires: { idle: false }
                    settings: { run: pwd, cwd: "\(place)/folder" }
            """)
        for gap in [
            "it failed, and runs no sooner than 1 s after that",
            "it failed 2 times in a row, and runs no sooner than 2 s after that",
        ] {
            try host.waitForLine(containing: "deferred com.example.App.work – backoff: \(gap)")
        }
        let why = try workshop.lull("why", "com.example.App.work").output.unwrapped
        #expect(why.contains("folder \"\(place)/folder\" is not there or can't be entered"), "\(why)")
        #expect(why.contains("runs no sooner") || why.contains("under way"), "\(why)")
        try makeFolder("folder")
        try host.waitForLine(containing: "completed com.example.App.work")
        end(host)
    }
}
