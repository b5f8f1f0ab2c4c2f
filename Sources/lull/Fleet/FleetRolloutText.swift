import LullModel

/// What is said of the manifest that hosts follow.
enum FleetRolloutText {
    /// How it fares, a sentence or two a line; the first is of the manifest that was applied last.
    static func lines(_ rollout: FleetRollout) -> [String] {
        var lines = [main(rollout)]
        if let late = rollout.late, !late.isEmpty {
            lines.append("Not yet as they are to be: \(Phrase.list(late)).")
        }
        lines += rollout.refusals.map { refusal in
            "\(refusal.name) can't take manifest \(refusal.number): \(refusal.sentence.harmless)"
        }
        return lines
    }

    private static func main(_ rollout: FleetRollout) -> String {
        let name =
            "Manifest \(rollout.number) (\(rollout.hash.prefix(8))), applied \(ago(rollout)) by \(rollout.author.harmless),"
        switch rollout.state {
        case .whole:
            return "\(name) is in force: \(rollout.has) of \(Phrase.count(rollout.followers, "host")) that "
                + "\(rollout.followers == 1 ? "follows has" : "follow have") it."
        case .withdrawn:
            return "\(name) was taken back: \((rollout.reason ?? "nobody said why").harmless)."
                + (rollout.inForce == 0
                    ? " There is no manifest before it." : " Manifest \(rollout.inForce) is in force.")
        case .watched:
            let canaries = rollout.canaries ?? []
            let who =
                canaries.isEmpty
                ? "\(rollout.has) of \(Phrase.count(rollout.wanted, "host"))"
                : "\(rollout.has) of \(Phrase.count(rollout.wanted, "canary", "canaries")) (\(Phrase.list(canaries + (rollout.wanted > canaries.count ? ["others"] : []))))"
            let left = rollout.left ?? 0
            let until =
                left > 0
                ? "for another \(words(left))" : "until a host has it"
            return "\(name) is tried \(until): \(who) \(rollout.wanted == 1 ? "has" : "have") it, and "
                + (rollout.runs == 0
                    ? "no run has ended there yet."
                    : "\(rollout.failed) of \(Phrase.count(rollout.runs, "run")) failed there.")
        }
    }

    /// A second that has begun counts.
    private static func words(_ milliseconds: Int64) -> String {
        Phrase.span(.seconds((milliseconds + 999) / 1000))
    }

    private static func ago(_ rollout: FleetRollout) -> String {
        rollout.ago < 1000 ? "now" : Phrase.span(.milliseconds(rollout.ago)) + " ago"
    }

    /// To whom another is about to be applied.
    static func before(_ rollout: FleetRollout) -> String {
        let hosts =
            "\(Phrase.count(rollout.followers, "host")) \(rollout.followers == 1 ? "follows" : "follow")."
        guard rollout.state == .watched else { return hosts }
        return hosts + " Manifest \(rollout.number) is still tried, and would be taken back."
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
            "Manifest \(rollout.number) is applied: \(who) it within half a minute, and it is tried for \(words(rollout.left ?? 0)). "
            + "`lull fleet status` shows how it fares, and `lull fleet apply --back` takes it back."
    }

    static func takenBack(_ number: Int64, to inForce: Int64) -> String {
        "Manifest \(number) is taken back: "
            + (inForce == 0
                ? "hosts remove it within half a minute, for there is none before it."
                : "hosts go back to manifest \(inForce) within half a minute.")
    }

    static func overtaken(by number: Int64) -> String {
        "Somebody has applied manifest \(number) meanwhile, and nothing was changed. See `lull fleet manifest \(number)`, "
            + "and apply yours again."
    }

    static let nobody =
        "No host that lives follows the fleet, so none can try it, and nothing was changed. Write `follow: "
        + "/var/lib/lull/fleet.yaml` into `fleet` of a host's manifest, or apply it without --canary."
    static let nothingToTakeBack =
        "Nobody has applied a manifest, or all were taken back. `lull fleet apply FILE` applies one."

    static func noManifest(_ number: Int64?) -> String {
        number.map { "The fleet has no manifest \($0); it keeps the last 100 that were applied." }
            ?? "No manifest is in force for hosts that follow. `lull fleet apply FILE` applies one."
    }
}
