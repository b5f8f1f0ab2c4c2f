import Foundation
import LullCommands
import LullModel

/// A forecast for people: how sure it is, the week, the next likely uses, the planned launches.
struct ForecastText {
    let report: ForecastReport
    let past: ForecastPast
    var phrases: Phrases { Phrases(now: report.time, zone: report.zone) }

    func rendered(for terminal: Terminal, _ colours: ScreenColours) -> String {
        func paragraph(_ text: String) -> String {
            wrapped(text, to: terminal.columns).joined(separator: "\n") + "\n"
        }
        func heading(_ text: String) -> String { "\n" + terminal.styled(text, .bold) + "\n" }

        var out = terminal.styled(report.app.text, .bold) + "\n" + paragraph(knowledge)
        let week = ForecastWeek(report: report)
        out += heading("THE WEEK (\(report.zone.name))")
        out += week.text(width: terminal.columns, colours).joined(separator: "\n") + "\n"
        out += heading("NEXT USES")
        out += report.likely.isEmpty ? paragraph(noLikelyUse) : likely
        out += paragraph("At least one use: " + chances + ".")
        out += heading("NEXT REFRESHES")
        return out + (report.refreshes.isEmpty ? paragraph(Self.noRefresh) : refreshes(terminal))
    }

    private static let noRefresh =
        "None of its tasks is a refresh, so nothing is planned from its forecast. `lull status` shows its tasks."

    /// How much is known, and how far it goes.
    private var knowledge: String {
        let needed = ForecastWords.count(report.confidence)
        guard report.evidence > 0 || past.uses > 0 else {
            return
                "Nothing is known yet: no use has been recorded. Record one with `lull used \(report.app)`. "
                + "Until there are \(needed), refreshes are spread evenly, and every hour of the map is the same guess."
        }
        var text = past.isMore ? "Over \(ForecastPast.limit) uses" : Phrase.count(past.uses, "use")
        if past.uses == 0 { text = "Uses that the history no longer holds" }
        if let first = past.firstUse, past.uses > 1 { text += " since \(phrases.time(first))" }
        if let last = report.lastUse { text += ", the last \(phrases.relative(last))" }
        let weight = ForecastWords.count(report.evidence)
        guard !report.isReliedOn else {
            return text + "; \(weight) if those less than half an hour apart count once."
        }
        return
            "Little is known yet: \(text); \(weight) if those less than half an hour apart count once. "
            + "Until that is \(needed), refreshes are spread evenly, and the map is little more than a guess."
    }

    private var noLikelyUse: String {
        let days = Int(((report.until - report.time).inSeconds / 86400).rounded())
        return "No hour of the next \(days) days stands out."
    }

    private var likely: String {
        let spans = report.likely.map { ForecastWords.span($0, phrases) }
        let width = spans.map(\.count).max() ?? 0
        return zip(report.likely, spans).map { span, words in
            words + String(repeating: " ", count: width - words.count + 2)
                + Phrase.percent(span.probability) + "\n"
        }.joined()
    }

    private var chances: String {
        report.within.map { span in
            "\(Phrase.percent(span.probability)) within \(Phrase.about(span.to - span.from))"
        }.joined(separator: ", ")
    }

    private func refreshes(_ terminal: Terminal) -> String {
        var table = Table(header: ["TASK", "LAUNCH", "WHY"])
        for refresh in report.refreshes {
            let isHeld = refresh.planned == nil || !refresh.closed.isEmpty
            for launch in refresh.launches {
                table.rows.append([
                    .init(refresh.task.text), .init(phrases.time(launch.time), isHeld ? .dim : nil),
                    .init(foresight(refresh) + launch.reason),
                ])
            }
            if let line = without(refresh) {
                table.rows.append([.init(refresh.task.text), .init(line.when), .init(line.why, line.style)])
            }
        }
        guard let held = report.refreshes.first(where: { without($0)?.style == .yellow }) else {
            return table.rendered(for: terminal)
        }
        return table.rendered(for: terminal)
            + wrapped("`lull why \(held.task)` shows what opens each gate.", to: terminal.columns)
            .joined(separator: "\n") + "\n"
    }

    private func foresight(_ refresh: ForecastReport.Refresh) -> String {
        refresh.decided.map { "decided \(phrases.when($0)); as it looks now: " } ?? ""
    }

    /// The words in the place of a launch, or beside one that a gate holds back.
    private func without(
        _ refresh: ForecastReport.Refresh
    ) -> (when: String, why: String, style: Terminal.Style?)? {
        if refresh.isRunning { return ("now", "it runs", .green) }
        if refresh.mayRun { return ("now", refresh.reason, .green) }
        guard refresh.closed.isEmpty else {
            // A gate that time alone opens is shown with the launch.
            if refresh.decided != nil, !refresh.launches.isEmpty { return nil }
            let gates = refresh.closed.map { GateText(gate: $0, phrases: phrases).clause }
            return (
                refresh.launches.isEmpty ? "held back" : "but held back", gates.joined(separator: "; "),
                .yellow
            )
        }
        return refresh.launches.isEmpty ? ("none", refresh.reason, nil) : nil
    }
}
