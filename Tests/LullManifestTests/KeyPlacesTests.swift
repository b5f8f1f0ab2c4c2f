import LullModel
import Testing

@testable import LullManifest

/// The places of keys that parts other than the reader report on.
struct KeyPlacesTests {
    private static let text = """
        version: 1
        heartbeat: https://hc.example/1
        defaults:
          notify: [{ mail: root }]
        apps:
          com.example.A:
            plugin: ColorFeed
            user: nobody
            idle_after: never
            limits: { network: false }
            tasks:
              r:
                kind: refresh
                notify:
                  - mail: ops@example.org
                  - { journal: true }
              s: { kind: refresh }

        """

    private func place(_ parts: String..., task: String? = nil, ofHost: Bool = false) throws -> String? {
        let manifest = try #require(read(Array(Self.text.utf8)).manifest)
        var machine = machine
        machine.texts["/home/me/jobs.yaml"] = Self.text
        let place = KeyPlaces(of: manifest, fileSystem: machine).place(
            of: parts, app: ofHost ? nil : AppIdentifier("com.example.A"),
            task: task.flatMap { TaskIdentifier("com.example.A." + $0) }, in: "jobs.yaml")
        return place.map { "\($0.path):\($0.line):\($0.column)-\($0.endColumn ?? 0) \($0.sourceLine ?? "")" }
    }

    @Test func `a value, a mapping's key and an item of a list are found`() throws {
        #expect(try place("plugin") == "jobs.yaml:7:13-22     plugin: ColorFeed")
        #expect(try place("user") == "jobs.yaml:8:11-17     user: nobody")
        #expect(try place("limits", "network") == "jobs.yaml:10:24-29     limits: { network: false }")
        #expect(try place("limits") == "jobs.yaml:10:5-11     limits: { network: false }")
        #expect(try place("notify", "0", task: "r")?.hasPrefix("jobs.yaml:15:13") == true)
        #expect(try place("notify", "1", task: "r") == "jobs.yaml:16:13-30           - { journal: true }")
        #expect(try place("heartbeat", ofHost: true) == "jobs.yaml:2:12-32 heartbeat: https://hc.example/1")
    }

    @Test func `what is inherited is found where it stands`() throws {
        #expect(try place("notify", "0", task: "s") == "jobs.yaml:4:12-26   notify: [{ mail: root }]")
    }

    @Test func `with no key it is the task or the app itself`() throws {
        #expect(try place(task: "s") == "jobs.yaml:17:7-8       s: { kind: refresh }")
        #expect(try place() == "jobs.yaml:6:3-16   com.example.A:")
        #expect(try place("sha256") == nil)
    }
}
