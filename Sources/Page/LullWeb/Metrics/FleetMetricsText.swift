import LullAnswers
import LullModel

/// `/metrics/fleet`: the fleet's figures, each once for the fleet and none for a host, so that a thousand hosts cost no more.
public struct FleetMetricsText {
    let overview: FleetOverview
    let fleet: String

    public init(_ overview: FleetOverview, fleet: String) { (self.overview, self.fleet) = (overview, fleet) }

    public var rendered: String {
        var out = OpenMetrics()
        let own = [(name: "fleet", value: fleet)]
        out.family("lull_fleet_hosts", .gauge, "Hosts of the fleet, by their state.")
        for state in ["lives", "draining", "silent", "stopped"] {
            out.sample(
                own + [("state", state)], Double(overview.hosts.count { $0.standing == state }))
        }
        out.family("lull_fleet_slots_open", .gauge, "Runs that no host has taken yet.")
        out.sample(own, Double(overview.open))
        out.family("lull_fleet_slots_leased", .gauge, "Runs that a host has.")
        out.sample(own, Double(overview.leasedCount))
        out.family("lull_fleet_slots_ended", .gauge, "Runs that ended within the last day, by how.")
        for state in SlotState.allCases where state.isEnd {
            out.sample(own + [("state", state.rawValue)], Double(overview.ended[state.rawValue] ?? 0))
        }
        out.family(
            "lull_fleet_tasks_disputed", .gauge, "Tasks that live hosts define differently.")
        out.sample(own, Double(overview.differences.count))
        out.family(
            "lull_fleet_events_missing", .gauge,
            "Events that hosts deleted before they reached the database.")
        out.sample(own, Double(overview.hosts.reduce(0) { $0 + ($1.missing ?? 0) }))
        if let rollout = overview.rollout {
            out.family(
                "lull_fleet_manifest_hosts_behind", .gauge,
                "Hosts that follow the fleet's manifest but do not have the right one yet.")
            out.sample(own, Double(rollout.behind))
            out.family(
                "lull_fleet_manifest_withdrawn", .gauge,
                "1 if the manifest applied last was taken back.")
            out.sample(own, rollout.state == .withdrawn ? 1 : 0)
        }
        return out.text
    }
}
