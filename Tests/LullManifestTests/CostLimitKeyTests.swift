import LullModel
import Testing

@testable import LullManifest

/// `cost_limit` of an app, and at the top.
struct CostLimitKeyTests {
    private func result(_ limit: String, top: String = "") -> ManifestResult {
        read(
            Array(
                """
                version: 1
                \(top)
                apps:
                  com.example.A:
                    plugin: ColorFeed
                    idle_after: never
                    \(limit)
                    tasks: { a: { kind: processing } }

                """.utf8))
    }

    @Test func `an app and the host have limits of their own`() throws {
        let result = result(
            "cost_limit: { processor: 10m/1d, read: 1TiB/w }", top: "cost_limit: { written: 5GiB/30d }")
        #expect(result.diagnostics.map { $0.rendered() } == [])
        let manifest = try #require(result.manifest)
        #expect(manifest.costLimits == [CostLimit(.written, 5 << 30, span: .days(30))])
        #expect(
            manifest.apps[0].costLimits == [
                CostLimit(.processor, 600_000, span: .days(1)), CostLimit(.read, 1 << 40, span: .days(7)),
            ])
        #expect(self.result("cost_limit: {}").manifest?.apps[0].costLimits == [])
    }

    @Test(arguments: [
        ("processor: 10m/59s", "`processor` must be a time over 0s in a span from 1m to 400d, not '10m/59s'"),
        (
            "processor: 10m/401d",
            "`processor` must be a time over 0s in a span from 1m to 400d, not '10m/401d'"
        ),
        ("processor: 0s/1d", "`processor` must be a time over 0s in a span from 1m to 400d, not '0s/1d'"),
        ("processor: 10m", "`processor` must be a time over 0s in a span from 1m to 400d, not '10m'"),
        (
            "processor: 10m/1d/1d",
            "`processor` must be a time over 0s in a span from 1m to 400d, not '10m/1d/1d'"
        ),
        ("written: 10m/1d", "`written` must be a size over 0B in a span from 1m to 400d, not '10m/1d'"),
        ("read: 0B/1d", "`read` must be a size over 0B in a span from 1m to 400d, not '0B/1d'"),
        ("read: [/srv]", "`read` takes text, not a list"),
        ("writen: 1GiB/1d", "unknown key 'writen' in `cost_limit`"),
        ("cpu: 10m/1d", "unknown key 'cpu' in `cost_limit`"),
    ])
    func `what is no limit is refused with its place and a remedy`(slip: String, message: String) {
        for (result, line) in [
            (result("cost_limit: { \(slip) }"), 7), (result("", top: "cost_limit: { \(slip) }"), 2),
        ] {
            #expect(result.manifest == nil)
            #expect(
                result.diagnostics.map(\.message) == [message] && result.diagnostics.map(\.line) == [line])
            #expect(result.diagnostics.allSatisfy { !$0.fix.isEmpty })
        }
    }

    @Test func `a diff names both with their places`() throws {
        let old = try #require(result("cost_limit: { processor: 10m/1d }").manifest)
        let new = try #require(
            result(
                "cost_limit: { processor: 600s/24h, written: 1GiB/1d }", top: "cost_limit: { read: 1KiB/1m }"
            )
            .manifest)
        let diff = ManifestDiff(from: old, to: new)
        #expect(diff.host.map(\.name) == ["cost_limit"] && diff.host.first?.after == "{ read: 1KiB/1m }")
        let key = try #require(diff.apps.first?.keys.first)
        #expect(key.name == "cost_limit" && key.before == "{ processor: 10m/1d }")
        #expect(key.after == "{ processor: 10m/1d, written: 1GiB/1d }")
        #expect(ManifestDiff(from: old, to: old).isEmpty)
    }
}
