import Foundation
import TestSupport
import Testing

/// The shipped Mirror with nginx: the promises of its page to operators who write no code.
@Suite(.enabled(if: WebServer.isThere, "nginx is not there: apt-get install nginx-light"))
struct MirrorPluginTests {
    private let workshop: Workshop
    private let server: WebServer
    private let host: Program
    private let target: String

    init() throws {
        workshop = try Workshop()
        server = try WebServer()
        try workshop.link("Mirror")
        let folder = workshop.folder + "/mirror"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // Under root, the app runs as a separate user.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        target = folder + "/list.txt"
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Mirror:
                plugin: Mirror
                idle_after: never
                keep_warm: 1s
                transfers: {}
                limits: { write: [\(folder)] }
                settings:
                  keep: 1
                  files: [{ url: \(server.url("list.txt")), to: \(target) }]
                tasks:
                  fetch: { kind: processing, requires: { idle: false } }
                  wrong:
                    kind: processing
                    requires: { idle: false }
                    settings:
                      files:
                        - url: \(server.url("list.txt"))
                          to: \(folder)/wrong
                          sha256: "\(String(repeating: "0", count: 64))"
            """, to: "jobs.yaml")
        host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Mirror")
    }

    /// Launches a task, and returns when its transfers have been checked.
    private func run(_ task: String, until end: String = "completed") throws {
        #expect(try workshop.lull("launch", "com.example.Mirror." + task).status == 0)
        try host.waitForLine(containing: "\(end) com.example.Mirror.transfers")
    }

    private func content(_ suffix: String = "") -> String? {
        try? String(contentsOfFile: target + suffix, encoding: .utf8)
    }

    @Test func `files are kept, rotated, asked for only when newer, and checked`() throws {
        try server.serve("list.txt", Data("first".utf8))
        try run("fetch")
        #expect(content() == "first" && content(".1") == nil)
        try server.serve("list.txt", Data("the second".utf8))
        try run("fetch")
        #expect(content() == "the second" && content(".1") == "first")
        try run("fetch")
        #expect(content() == "the second" && content(".1") == "first" && content(".2") == nil)
        try server.waitForLog(of: 3)
        #expect(
            server.log == [
                "GET /list.txt 200 5", "GET /list.txt 200 10", "GET /list.txt 304 0",
            ])

        try run("wrong", until: "failed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.folder + "/mirror").count == 2)
        let why = try workshop.lull("why", "com.example.Mirror.transfers").output.unwrapped
        #expect(why.contains("is not what \"sha256\" in the settings says, but"), "\(why)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
