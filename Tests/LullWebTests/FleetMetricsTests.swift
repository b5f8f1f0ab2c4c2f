import LullModel
import Testing

@testable import LullAnswers
@testable import LullWeb

struct FleetMetricsTests {
    @Test func `the fleet's figures are OpenMetrics`() throws {
        var host = FleetOverview.Host(
            host: "h", place: "p", name: "n", version: "1", manifest: "m", labels: [:], ago: 1, lives: true,
            draining: true, leases: 0, through: nil, missing: 4)
        let first = host
        host.lives = false
        var stopped = host
        stopped.stopped = true
        var overview = FleetOverview(
            hosts: [first, host, stopped], open: 3, leased: [], failed: [], ended: ["done": 5],
            differences: [])
        let text = FleetMetricsText(overview, fleet: "prod \"1\"").rendered
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.contains(#"lull_fleet_hosts{fleet="prod \"1\"",state="draining"} 1"#))
        #expect(lines.contains(#"lull_fleet_hosts{fleet="prod \"1\"",state="silent"} 1"#))
        #expect(lines.contains(#"lull_fleet_hosts{fleet="prod \"1\"",state="stopped"} 1"#))
        #expect(lines.contains(#"lull_fleet_slots_ended{fleet="prod \"1\"",state="done"} 5"#))
        #expect(lines.contains(#"lull_fleet_events_missing{fleet="prod \"1\""} 12"#))
        #expect(lines.last == "# EOF" && !text.contains("manifest"))
        var rollout = FleetRollout(FleetManifestName(7, hash: "h"), by: "ops", .withdrawn)
        rollout.behind = 3
        overview.rollout = rollout
        let more = FleetMetricsText(overview, fleet: "f").rendered
        #expect(more.contains("lull_fleet_manifest_hosts_behind{fleet=\"f\"} 3\n"))
        #expect(more.contains("lull_fleet_manifest_withdrawn{fleet=\"f\"} 1\n"))
    }
}
