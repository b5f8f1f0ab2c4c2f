import Foundation
import LullModel
import Testing

@testable import LullManifest

/// The changes that another manifest would make, key by key.
struct ManifestDiffTests {
    private static let old = """
        version: 1
        defaults: { nice: 5 }
        apps:
          com.example.A:
            plugin: ColorFeed
            usage: manual
            settings: { feed: a, keep: 3 }
            tasks:
              r: { kind: refresh, repeat: 15m }
              p:
                kind: processing
                at: "30 2 * * *"
                requires: { network: any }
          com.example.B: { plugin: ColorFeed, idle_after: never, tasks: { r: { kind: refresh } } }

        """

    private func manifest(_ text: String) throws -> Manifest {
        let result = read(Array(text.utf8))
        return try #require(result.manifest, "\(result.diagnostics.map { $0.rendered() })")
    }

    private func diff(_ text: String) throws -> ManifestDiff {
        let new = try manifest(text)
        var machine = machine
        machine.texts["/home/me/jobs.yaml"] = text
        return ManifestDiff(
            from: try manifest(Self.old), to: new, places: KeyPlaces(of: new, fileSystem: machine))
    }

    private func said(_ diff: ManifestDiff) -> [String] {
        func key(_ key: ManifestDiff.Key) -> String {
            "\(key.name): \(key.before ?? "nil") -> \(key.after ?? "nil") @\(key.line ?? 0)"
        }
        return diff.host.map(key)
            + diff.apps.flatMap { app in
                ["\(app.fate) \(app.identifier)"] + app.keys.map(key)
                    + app.tasks.flatMap { ["\($0.fate) \($0.identifier)"] + $0.keys.map(key) }
            }
    }

    @Test func `comments, order and defaults written out are no difference`() throws {
        let text = """
            # the same
            version: 1
            apps:
              com.example.B:
                idle_after: never
                plugin: ColorFeed
                nice: 5
                tasks: { com.example.B.r: { nice: 5, kind: refresh, budget: 8, missed: one } }
              com.example.A:
                plugin: ColorFeed
                usage: manual
                nice: 5
                settings: { keep: 3, feed: a }
                tasks:
                  r: { kind: refresh, repeat: 900s, windows: [] }
                  p: { kind: processing, at: ["30 2 * * *"], requires: { network: any }, time_limit: 10m }

            """
        #expect(try diff(text).isEmpty)
    }

    @Test func `what changes is shown with the line on which it stands`() throws {
        let text = Self.old
            .replacing("nice: 5", with: "nice: 6, requires: { idle: false }, concurrency: { host: 8 }")
            .replacing("keep: 3", with: "keep: 4")
            .replacing("repeat: 15m", with: "repeat: 30m, budget: { fresh: 70% }")
            .replacing("network: any", with: "network: unmetered")
            .replacing("30 2", with: "45 2")
        #expect(
            said(try diff(text)) == [
                "concurrency: 4 -> 8 @2", "changed com.example.A", "settings.keep: 3 -> 4 @7",
                "changed com.example.A.r", "repeat: 15m -> 30m @9", "requires.idle: nil -> false @2",
                "budget: 8 -> { fresh: 70%, within: 1h } @9", "objective: both -> hits @0",
                "nice: 5 -> 6 @2", "changed com.example.A.p",
                "at: \"30 2 * * *\" -> \"45 2 * * *\" @12",
                "requires.network: any -> unmetered @13", "requires.idle: nil -> false @13",
                "nice: 5 -> 6 @2", "changed com.example.B", "changed com.example.B.r",
                "requires.idle: nil -> false @2", "nice: 5 -> 6 @2",
            ])
    }

    @Test func `what comes and what goes is told, with its tasks`() throws {
        let text = """
            version: 1
            defaults: { nice: 5 }
            apps:
              com.example.C: { plugin: Plain, usage: manual, tasks: { n: { kind: processing, repeat: 1d } } }
              com.example.A:
                plugin: ColorFeed
                usage: manual
                settings: { feed: a, keep: 3 }
                tasks:
                  r: { kind: refresh, repeat: 15m }

            """
        let diff = try diff(text)
        #expect(
            said(diff) == [
                "added com.example.C", "added com.example.C.n", "changed com.example.A",
                "removed com.example.A.p",
                "removed com.example.B", "removed com.example.B.r",
            ])
        #expect(
            diff.apps.first?.tasks.first.map { ManifestDiff.summary(of: $0.definition) }
                == "processing, repeat 1d")
        #expect(
            diff.apps[1].tasks.first.map { ManifestDiff.summary(of: $0.definition) }
                == "processing, at \"30 2 * * *\"")
    }

    @Test func `without its secrets a manifest differs where it differed`() throws {
        let old = try manifest(Self.old)
        let text = Self.old.replacing("feed: a", with: "feed: s3cret").replacing(
            "repeat: 15m", with: "repeat: 15m, notify: [{ webhook: \"https://example.org/s3cret\" }]")
        let kept = try manifest(text).withoutSecrets
        #expect(!String(decoding: try JSONEncoder().encode(kept), as: UTF8.self).contains("s3cret"))
        #expect(ManifestDiff(from: kept, to: try manifest(text).withoutSecrets).isEmpty)
        let diff = ManifestDiff(from: old.withoutSecrets, to: kept)
        #expect(diff.apps.flatMap { $0.keys.map(\.name) } == ["settings.feed"])
        #expect(diff.apps.flatMap(\.tasks).flatMap { $0.keys.map(\.name) } == ["notify"])
    }

    @Test func `a manifest is the same after it was kept`() throws {
        let manifest = try manifest(Self.old)
        let data = try JSONEncoder().encode(manifest)
        #expect(try JSONDecoder().decode(Manifest.self, from: data) == manifest)
    }
}
