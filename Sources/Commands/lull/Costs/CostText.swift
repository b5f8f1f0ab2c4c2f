import LullAnswers
import LullCommands
import LullModel

/// What runs cost, for people: a bar for each app, task or hour, and the dearest runs.
struct CostText {
    let report: CostReport
    let phrases: Phrases
    /// How much of each cost limit is spent, in sentences.
    var limits: [String] = []

    private static let barWidth = 14

    func rendered(for terminal: Terminal) -> String {
        let said = [([head] + missing).joined(separator: " ")] + limits.map(\.sentenceCased)
        guard report.total.known > 0 else { return said.joined(separator: "\n") }
        let advice = phrases.remedy("`lull history RUN` shows all of a run.")
        let top = said.flatMap { wrapped($0, to: terminal.columns) }
        return top.joined(separator: "\n") + "\n\n" + rows.rendered(for: terminal)
            + "\nThe dearest runs:\n\n" + runs.rendered(for: terminal) + advice
    }

    private var head: String {
        let (total, since) = (report.total, phrases.time(report.since))
        guard total.runs > 0 else { return "No run has ended since \(since)." }
        let runs = Phrase.count(total.runs, "run")
        guard total.known > 0 else {
            return "\(runs) ended since \(since), and what they cost is unknown."
        }
        return "\(runs) since \(since): \(RunCost.time(total.processor)) of the processors"
            + (total.unknown == 0 ? "." : "; the cost of \(total.unknown) is unknown.")
    }

    private var missing: [String] {
        report.thinned.map {
            ["Of the runs before \(phrases.time($0)) only each day's figures are left, and no cost."]
        } ?? []
    }

    private var rows: Table {
        var table = Table(
            header: [report.grouping.rawValue.uppercased(), "PROCESSOR", "RUNS", "EACH", "SHARE"])
        for row in report.rows {
            let isPart = row.sum.known > 0 && row.sum.unknown > 0
            let unknown = isPart ? " (\(row.sum.unknown) unknown)" : ""
            table.rows.append([
                .init(row.name ?? row.hour.map { ($0 < 10 ? "0" : "") + "\($0):00" } ?? ""),
                .init(row.sum.known == 0 ? "unknown" : RunCost.time(row.sum.processor)),
                .init("\(row.sum.runs)" + unknown), .init(row.sum.mean.map(RunCost.time) ?? "–"),
                .init(report.share(of: row).map(Self.bar) ?? "–"),
            ])
        }
        return table
    }

    private var runs: Table {
        var table = Table(header: ["RUN", "TASK", "ENDED", "PROCESSOR", "PEAK MEMORY, STORAGE"])
        for run in report.dearest {
            func size(_ bytes: Int64?) -> String { bytes.map(RunCost.size) ?? "unknown" }
            let cost = run.cost
            table.rows.append([
                .init("\(run.run)"), .init(run.task.text), .init(phrases.time(run.ended)),
                .init(cost.processor.map(RunCost.time) ?? "unknown"),
                .init("\(size(cost.memory)), read \(size(cost.read)), wrote \(size(cost.written))"),
            ])
        }
        return table
    }

    /// "█████▌ 42 %": the bar is as long as the share, in eighths of a cell.
    static func bar(_ share: Double) -> String {
        let eighths = Int((share.clamped(to: 0...1) * Double(barWidth * 8)).rounded())
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let bar = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        return (bar.isEmpty ? "" : bar + " ") + Phrase.percent(share)
    }
}
