import LullCommands
import LullModel
import LullSimulator

/// `lull fleet diff` for people: the counts, then each slot that is decided otherwise in a fleet, and why.
struct FleetDiffText {
    let comparison: FleetComparison
    let phrases: Phrases

    /// How many slots of one task are shown.
    private static let most = 12

    init(_ comparison: FleetComparison, phrases: Phrases) {
        (self.comparison, self.phrases) = (comparison, phrases)
    }

    func rendered(for terminal: Terminal) -> String {
        func paragraph(_ text: String) -> String {
            wrapped(text, to: terminal.columns).joined(separator: "\n")
        }
        var parts = [paragraph(summary)]
        for task in comparison.tasks {
            let slots = comparison.replay.differences.filter { $0.task == task.identifier }
            guard !slots.isEmpty else { continue }
            var table = Table(header: ["SLOT", "ALONE", "IN A FLEET", "WHY"])
            for slot in slots.prefix(Self.most) {
                table.rows.append([
                    .init(phrases.time(slot.nominal)), .init(words(slot.alone)), .init(words(slot.fleet)),
                    .init(reason(of: slot)),
                ])
            }
            let more = slots.count - Self.most
            parts.append(
                paragraph("\(task.identifier) (\(task.file ?? comparison.manifest.path):\(task.line)):")
                    + "\n"
                    + table.rendered(for: terminal)
                    + (more > 0 ? "… and \(Phrase.count(more, "more slot", "more slots")): --json\n" : ""))
        }
        parts += remedies.map(paragraph)
        return parts.map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }.joined(separator: "\n\n")
    }

    /// "41 slots of 3 tasks in the last 14 days: decided alike."
    private var summary: String {
        let (slots, others) = (comparison.replay.slots.count, comparison.replay.differences.count)
        let span = "in the last \(Phrase.span(comparison.end - comparison.start))"
        guard slots > 0 else {
            return "No task of \(comparison.manifest.path) had a time \(span): there is nothing to compare."
        }
        let what = "\(Phrase.count(slots, "slot")) of \(Phrase.count(comparison.tasks.count, "task")) \(span)"
        return others == 0
            ? "\(what): decided alike." : "\(what): \(slots - others) decided alike, \(others) differently."
    }

    private var remedies: [String] {
        guard !comparison.asksFleet, !comparison.tasks.isEmpty else { return [] }
        return [
            "→ No task uses the fleet: each host would run them all for itself. `lull fleet diff --any-host` treats them as "
                + "if they had `scope: any_host`."
        ]
    }

    private func words(_ decision: FleetReplay.Decision?) -> String {
        guard let decision else { return "–" }
        switch decision.act {
        case .ran:
            let end = decision.end.flatMap { $0.isSuccess ? nil : ", \($0.rawValue)" } ?? ""
            return phrases.exact(decision.time) + end
        case .passedOver: return "passed over " + phrases.time(decision.time)
        case .waits: return "waits"
        }
    }

    private func reason(of slot: FleetReplay.Slot) -> String {
        let own = [slot.fleet, slot.alone].compactMap { $0?.reason }
        return ([slot.reason].compactMap(\.self) + own).first ?? "–"
    }
}
