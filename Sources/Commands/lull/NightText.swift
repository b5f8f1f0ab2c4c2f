import LullAnswers
import LullCommands
import LullModel

/// A timeline for people: each task in a line, or one task's stretches.
struct NightText {
    let timeline: Timeline
    let isCut: Bool
    let phrases: Phrases

    var showsAll = false
    /// The tasks whose runs cost more than before.
    var rises: [CostRise] = []

    /// The most names that fit in a line.
    private static let named = 3
    private static let absencesTold = 6

    func table(for terminal: Terminal) -> String {
        var table = Table(header: ["TASK", "RESULT", "WHAT HAPPENED"])
        let order: [Timeline.Lane.Result] = [.failed, .cut, .held, .ran] + (showsAll ? [.quiet] : [])
        for result in order {
            for lane in lanes(result) {
                table.rows.append([.init(lane.task.text), Self.cell(result), .init(what(lane))])
            }
        }
        let rows = table.rows.isEmpty ? "" : table.rendered(for: terminal) + "\n"
        let rest = showsAll ? nil : folded(lanes(.quiet))
        let advice = phrases.remedy(
            "`lull night TASK` shows a task's hours, `lull why TASK` what keeps it now.")
        return top(terminal) + "\n\n" + rows
            + (rises.map(\.sentence) + [rest, advice].compactMap { $0 }).flatMap {
                wrapped($0, to: terminal.columns)
            }.joined(
                separator: "\n")
    }

    private func lanes(_ result: Timeline.Lane.Result) -> [Timeline.Lane] {
        timeline.lanes.filter { $0.result(since: timeline.from) == result }
    }

    /// "57 had nothing due; --all lists them."
    private func folded(_ quiet: [Timeline.Lane]) -> String? {
        guard !quiet.isEmpty else { return nil }
        let count = quiet.count == timeline.lanes.count ? "all \(quiet.count)" : "\(quiet.count)"
        let who = quiet.count == 1 ? quiet[0].task.text : count
        let isUnknown = quiet.allSatisfy { $0.stretches.allSatisfy { $0.state == .unknown } }
        if isUnknown, let beginning = timeline.beginning, beginning > timeline.from {
            return
                "Nothing is known of \(who): the history begins \(phrases.when(beginning)). `--span day` shows the last 24 hours."
        }
        let names =
            quiet.count > 1 && quiet.count <= Self.named
            ? " (\(quiet.map(\.task.text).joined(separator: ", ")))" : ""
        return (who.first == "a" && quiet.count > 1 ? "A" + who.dropFirst() : who) + names
            + " had nothing due; --all says why."
    }

    /// The text of a table's cell beside the result, with the last output of a run that failed.
    private func what(_ lane: Timeline.Lane) -> String {
        let isAlone = lanes(.failed).count <= Self.named
        return Self.what(lane, since: timeline.from, quoting: isAlone ? LastLines.most : LastLines.few)
    }

    static func what(_ lane: Timeline.Lane, since from: WallTime, quoting most: Int = LastLines.few) -> String
    {
        let clause = Self.clause(lane.summary) + (lane.sequel.map { ". " + $0.withoutFullStop } ?? "")
        let last = lane.runs.last { $0.outcome != nil }
        guard lane.result(since: from) == .failed, let reason = last?.reason else { return clause }
        let lines = PrintedLast(reason).telling(most).map { "│ " + $0 }
        let sentence = PrintedLast(Self.clause(lane.summary)).sentence
        return ([sentence] + lines + [lane.sequel].compactMap { $0?.withoutFullStop }).joined(separator: "\n")
    }

    func hours(for terminal: Terminal) -> String {
        guard let lane = timeline.lanes.first else { return head }
        var table = Table(header: ["FROM", "TO", "WHAT", "REASON"])
        // A very short run has no stretch, yet it is what the reader looks for.
        let runs = lane.runs.map { ($0.launched, $0.ended ?? timeline.to, what($0), $0.reason) }
        let others = lane.stretches.filter { $0.state != .running }
            .map { ($0.from, $0.to, what($0), $0.reason) }
        for (from, to, what, reason) in (others + runs).sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            table.rows.append([
                .init(phrases.exact(from)), .init(phrases.exact(to)), .init(what),
                .init(reason.map { PrintedLast($0).inOneLine } ?? ""),
            ])
        }
        return top(terminal) + "\n\n" + table.rendered(for: terminal) + "\n"
            + ([lane.summary, lane.sequel].compactMap { $0 } + rises.map(\.sentence)).joined(separator: " ")
            .terminalSafe
    }

    private func what(_ run: Timeline.Run) -> String {
        let end = run.isCutShort ? "was cut short" : run.outcome?.rawValue ?? "still runs"
        return "run \(run.run) \(end)"
    }

    /// If the history begins within the span, the heading says so: nothing is known before that.
    private var head: String {
        let begins = timeline.beginning.flatMap { $0 > timeline.from && $0 < timeline.to ? $0 : nil }
        return "From \(phrases.time(begins ?? timeline.from)) to \(phrases.time(timeline.to))"
            + (begins == nil ? "" : "; the history of this host begins then")
            + (isCut ? "; only the newest events were read." : ".")
            + (timeline.thinned.map {
                " Of the runs before \(phrases.time(min($0, timeline.to))), only the figures of each day are left."
            } ?? "")
    }

    private func top(_ terminal: Terminal) -> String {
        ([head] + wrapped(absences, to: terminal.columns)).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The longest of the times in which no host could launch anything.
    private var absences: String {
        let longest = timeline.absences.sorted { $0.length > $1.length }.prefix(Self.absencesTold)
        let told = timeline.absences.filter(longest.contains)
            .map { absence in
                let detail = absence.absence?.detail.map { ": \($0)" } ?? ""
                return
                    "\(absence.phrase) from \(phrases.time(absence.from)) to \(phrases.time(absence.to))\(detail)"
            }
        guard !told.isEmpty else { return "" }
        let more = timeline.absences.count - told.count
        return told.joined(separator: "; ").sentenceCased
            + (more > 0 ? "; and \(Phrase.count(more, "time")) more" : "")
            + "."
    }

    static func cell(_ result: Timeline.Lane.Result) -> Table.Cell {
        switch result {
        case .ran: .init("ran", .green)
        case .failed: .init("failed", .red)
        case .cut: .init("cut short", .yellow)
        case .held: .init("did not run", .yellow)
        case .quiet: .init("–", .dim)
        }
    }

    private func what(_ stretch: Timeline.Stretch) -> String {
        guard stretch.gates.isEmpty else {
            return stretch.gates.map(GateName.short).joined(separator: ", ")
        }
        return switch stretch.state {
        case .running: "ran"
        case .waiting: "waited"
        case .moment: "waited for its moment"
        case .notDue: "not due"
        case .due: "about to be launched"
        case .unasked: "nobody asked for it"
        case .hostOff:
            stretch.phrase
                + (stretch.due.map { ", and it was due at \(Phrase.clock($0, in: phrases.zone))" } ?? "")
        case .unknown: "nothing is known"
        }
    }

    /// For a table's cell beside the result: without the result's words and without a full stop.
    private static func clause(_ summary: String) -> String {
        let said = ["Did not run: ", "Nothing was due: "].first(where: summary.hasPrefix) ?? ""
        var text = String(summary.dropFirst(said.count))
        if text.last == "." { text.removeLast() }
        return text
    }
}
