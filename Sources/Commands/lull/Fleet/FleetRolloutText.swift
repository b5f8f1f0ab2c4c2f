import LullModel

/// Sentences about the manifest that hosts take from their fleet.
enum FleetRolloutText {
    /// The sentence before another manifest is applied: which hosts follow.
    static func before(_ rollout: FleetRollout) -> String {
        let hosts =
            "\(Phrase.count(rollout.followers, "host")) \(rollout.followers == 1 ? "follows" : "follow")."
        guard rollout.state == .watched else { return hosts }
        return hosts + " Manifest \(rollout.number) is still on trial, and would be taken back."
    }

    static func applied(_ rollout: FleetRollout) -> String {
        guard rollout.state == .watched else {
            return
                "Manifest \(rollout.number) is applied: all hosts that follow have it within half a minute."
        }
        let canaries = rollout.canaries ?? []
        let who =
            rollout.share < 100
            ? "\(Phrase.list(canaries + (rollout.wanted > canaries.count ? ["\(rollout.wanted - canaries.count) more"] : []))) "
                + "\(rollout.wanted == 1 ? "has" : "have")"
            : "all hosts that follow have"
        return
            "Manifest \(rollout.number) is applied: \(who) it within half a minute, and the trial lasts \(FleetRollout.span(rollout.left ?? 0)). "
            + "`lull fleet status` shows its progress, and `lull fleet apply --back` takes it back."
    }

    static func takenBack(_ number: Int64, to inForce: Int64) -> String {
        "Manifest \(number) is taken back: "
            + (inForce == 0
                ? "hosts remove it within half a minute, because there is none before it."
                : "hosts go back to manifest \(inForce) within half a minute.")
    }

    static func overtaken(by number: Int64) -> String {
        "Somebody else has applied manifest \(number) meanwhile, so nothing was changed. See `lull fleet manifest \(number)`, "
            + "and apply yours again."
    }

    /// The reason why `--wait` still waits; nil: it need not. `trial`: it also waits for the trial's end.
    static func waits(for rollout: FleetRollout, trial: Bool) -> String? {
        let late = rollout.late ?? []
        if rollout.behind > 0 {
            let more = rollout.behind - late.count
            return "\(Phrase.list(late + (more > 0 ? ["\(more) more"] : []))) "
                + "\(rollout.behind == 1 ? "does" : "do") not have manifest \(rollout.number) yet."
        }
        return trial ? "Manifest \(rollout.number) is on trial; the command waits for its end." : nil
    }

    static func refused(_ refusal: FleetRollout.Refusal) -> String {
        "\(refusal.name) can't take manifest \(refusal.number): \(refusal.sentence)"
    }

    static let nobody =
        "No live host follows the fleet, so there is no canary, and nothing was changed. Write `follow: "
        + "/var/lib/lull/fleet.yaml` into `fleet` of a host's manifest, or apply it without --canary."
    static let nothingToTakeBack =
        "Nobody has applied a manifest, or all were taken back. `lull fleet apply FILE` applies one."

    static func noManifest(_ number: Int64?, _ newest: FleetRollout?) -> String {
        if let number {
            return "The fleet has no manifest \(number); it keeps the last 100 that were applied."
        }
        if let newest, newest.state == .watched {
            return "No manifest is in force yet: manifest \(newest.number) is on trial. "
                + "`lull fleet manifest \(newest.number)` prints it."
        }
        return "No manifest is in force for hosts that follow. `lull fleet apply FILE` applies one."
    }
}
