import LullModel
import Testing

@testable import LullManifest

/// `group` of tasks, and `groups` at the top.
struct GroupKeyTests {
    private func result(_ text: String) -> ManifestResult { read(Array(text.utf8)) }

    private static func manifest(_ apps: String, top: String = "") -> String {
        "version: 1\n\(top)apps:\n  com.example.A: { plugin: ColorFeed, idle_after: never, \(apps) }\n"
    }

    private static let shared =
        "group: db, tasks: { a: { kind: processing }, b: { kind: processing, group: none }, c: { kind: processing } }"

    @Test func `a task takes its group from its app, and may be in none`() throws {
        let result = result(Self.manifest(Self.shared, top: "groups: { db: 2, web: 3 }\n"))
        #expect(result.diagnostics.map { $0.rendered() } == [])
        let manifest = try #require(result.manifest)
        #expect(manifest.tasks.map(\.group) == ["db", nil, "db"])
        #expect(manifest.groups == ["db": 2, "web": 3])
    }

    @Test func `a diff names both`() throws {
        let old = try #require(result(Self.manifest(Self.shared)).manifest)
        let text = Self.manifest(
            Self.shared.replacing("group: none", with: "group: db"), top: "groups: { db: 2 }\n")
        let new = try #require(result(text).manifest)
        let diff = ManifestDiff(from: old, to: new)
        #expect(diff.host.map(\.name) == ["groups"] && diff.host.first?.after == "{ db: 2 }")
        #expect(diff.apps.first?.tasks.first?.keys.map(\.name) == ["group"])
    }

    @Test func `a group of one task is a slip as likely as not`() throws {
        let text = Self.manifest(Self.shared.replacing("group: none", with: "group: bd"))
        #expect(
            result(text).diagnostics.map { $0.message } == [
                "no other task is in the group 'bd', so it holds nothing back"
            ])
        #expect(result(text).diagnostics.map(\.fix) == ["did you mean `group: db`?"])
        // No task is in `bdb`.
        let near = Self.manifest("tasks: { a: { kind: processing, group: bd } }", top: "groups: { bdb: 2 }\n")
        #expect(
            result(near).diagnostics.map(\.fix) == [
                "write `group: bd` in the tasks that share it as well, or take it out"
            ])
        let listed = Self.manifest(
            Self.shared.replacing("group: none", with: "group: bd"), top: "groups: { bd: 1 }\n")
        #expect(result(listed).diagnostics.isEmpty)
    }

    @Test(arguments: [
        "groups: { \"a b\": 1 }", "groups: { none: 1 }", "groups: { db: 0 }", "groups: { db: many }",
        "groups: [db]",
    ])
    func `what is no group or no number is refused with its place`(top: String) {
        let result = result(Self.manifest(Self.shared, top: top + "\n"))
        #expect(result.manifest == nil)
        #expect(result.diagnostics.map(\.line) == [2])
        #expect(result.diagnostics.allSatisfy { !$0.message.contains("concurrency") })
        if top.contains("db:") {
            #expect(result.diagnostics.map(\.message) == ["'db' in `groups` takes a number from 1 to 1000"])
        }
    }
}
