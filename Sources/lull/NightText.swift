import LullModel
import LullWeb

/// A timeline for people: each task in a line, or one task's stretches.
struct NightText {
    let timeline: Timeline
    let isCut: Bool
    let phrases: Phrases

    var showsAll = false

    /// So many names fit a line.
    private static let named = 3

    func table(for terminal: Terminal) -> String {
        var table = Table(header: ["TASK", "RESULT", "WHAT HAPPENED"])
        let order: [Timeline.Lane.Result] = [.failed, .held, .ran] + (showsAll ? [.quiet] : [])
        for result in order {
            for lane in lanes(result) {
                table.rows.append([.init(lane.task.text), cell(result), .init(what(lane))])
            }
        }
        let rows = table.rows.isEmpty ? "" : table.rendered(for: terminal) + "\n"
        let rest = showsAll ? nil : folded(lanes(.quiet))
        let advice = phrases.remedy(
            "`lull night TASK` shows a task's hours, `lull why TASK` what keeps it now.")
        return head + "\n\n" + rows
            + [rest, advice].compactMap { $0 }.flatMap { wrapped($0, to: terminal.columns) }.joined(
                separator: "\n")
    }

    private func lanes(_ result: Timeline.Lane.Result) -> [Timeline.Lane] {
        timeline.lanes.filter { $0.result(since: timeline.from) == result }
    }

    /// "57 had nothing to do; --all lists them."
    private func folded(_ quiet: [Timeline.Lane]) -> String? {
        guard !quiet.isEmpty else { return nil }
        let count = quiet.count == timeline.lanes.count ? "all \(quiet.count)" : "\(quiet.count)"
        let who = quiet.count == 1 ? quiet[0].task.text : count
        let isUnknown = quiet.allSatisfy { $0.stretches.allSatisfy { $0.state == .unknown } }
        if isUnknown, let beginning = timeline.beginning, beginning > timeline.from {
            return
                "Of \(who) nothing is known: the history begins \(phrases.when(beginning)). `--span day` shows the last 24 hours."
        }
        let names =
            quiet.count > 1 && quiet.count <= Self.named
            ? " (\(quiet.map(\.task.text).joined(separator: ", ")))" : ""
        return (who.first == "a" && quiet.count > 1 ? "A" + who.dropFirst() : who) + names
            + " had nothing to do; --all says why."
    }

    /// In a table's cell, beside its result, with what a run that failed printed last.
    private func what(_ lane: Timeline.Lane) -> String {
        let clause = Self.clause(lane.summary)
        let last = lane.runs.last { $0.outcome != nil }
        guard lane.result(since: timeline.from) == .failed, let reason = last?.reason else { return clause }
        let lines = PrintedLast(reason).lines.map { "│ " + $0 }
        return ([PrintedLast(clause).sentence] + lines).joined(separator: "\n")
    }

    func hours(for terminal: Terminal) -> String {
        guard let lane = timeline.lanes.first else { return head }
        var table = Table(header: ["FROM", "TO", "WHAT", "AS IT WAS SAID THEN"])
        for stretch in lane.stretches {
            table.rows.append([
                .init(phrases.time(stretch.from)), .init(phrases.time(stretch.to)), .init(what(stretch)),
                .init(stretch.reason ?? ""),
            ])
        }
        return head + "\n\n" + table.rendered(for: terminal) + "\n" + lane.summary.harmless
    }

    private var head: String {
        "From \(phrases.time(timeline.from)) to \(phrases.time(timeline.to))"
            + (isCut ? "; only the newest events were read." : ".")
    }

    private func cell(_ result: Timeline.Lane.Result) -> Table.Cell {
        switch result {
        case .ran: .init("ran", .green)
        case .failed: .init("failed", .red)
        case .held: .init("did not run", .yellow)
        case .quiet: .init("–", .dim)
        }
    }

    private func what(_ stretch: Timeline.Stretch) -> String {
        guard stretch.gates.isEmpty else {
            return stretch.gates.map(GateWords.short).joined(separator: ", ")
        }
        return switch stretch.state {
        case .running: "ran"
        case .waiting: "waited"
        case .moment: "waited for its moment"
        case .notDue: "not due"
        case .due: "about to be launched"
        case .unasked: "nobody asked for it"
        case .hostOff: "the host was off or asleep"
        case .unknown: "nothing is known"
        }
    }

    /// In a table's cell, beside its result: neither its words again nor a full stop.
    private static func clause(_ summary: String) -> String {
        let said = ["Did not run: ", "Nothing was due: "].first(where: summary.hasPrefix) ?? ""
        var text = String(summary.dropFirst(said.count))
        if text.last == "." { text.removeLast() }
        return text
    }
}
