extension FleetRollout {
    /// Whether it needs no attention.
    package var isWell: Bool { state != .withdrawn && refusals.isEmpty }

    /// Its state, a sentence or two a line; the first line is about the manifest that was applied last.
    package var sentences: [String] {
        var lines = [main]
        if let late, !late.isEmpty {
            lines.append(
                "Not up to date yet: "
                    + Phrase.list(late + (behind > late.count ? ["\(behind - late.count) more"] : [])) + ".")
        }
        lines += refusals.map { refusal in
            "\(refusal.name) can't take manifest \(refusal.number): \(refusal.sentence.terminalSafe)"
        }
        return lines
    }

    private var main: String {
        let name =
            "Manifest \(number) (\(hash.prefix(8))), applied \(since) by \(author.terminalSafe),"
        switch state {
        case .whole:
            return "\(name) is in force: \(has) of \(Phrase.count(followers, "host")) that "
                + "\(followers == 1 ? "follows has" : "follow have") it."
        case .withdrawn:
            return "\(name) was taken back: \((reason ?? "no reason given").terminalSafe)."
                + (current == 0
                    ? " There is no manifest before it." : " Manifest \(current) is in force.")
        case .watched:
            let canaries = canaries ?? []
            let who =
                canaries.isEmpty
                ? "\(has) of \(Phrase.count(wanted, "host"))"
                : "\(has) of \(Phrase.count(wanted, "canary", "canaries")) (\(Phrase.list(canaries + (wanted > canaries.count ? ["others"] : []))))"
            let left = left ?? 0
            let until =
                left > 0
                ? "for another \(Self.span(left))" : "until a host has it"
            return "\(name) is on trial \(until): \(who) \(wanted == 1 ? "has" : "have") it, and "
                + (runs == 0
                    ? "no run has ended there yet."
                    : "\(failed) of \(Phrase.count(runs, "run")) failed there.")
        }
    }

    /// Rounded up to whole seconds.
    package static func span(_ milliseconds: Int64) -> String {
        Phrase.span(.seconds((milliseconds + 999) / 1000))
    }

    private var since: String {
        ago < 1000 ? "now" : Phrase.span(.milliseconds(ago)) + " ago"
    }
}
