import ArgumentParser
import Foundation
import LullCommands
import LullControl
import LullHost
import LullModel

struct ForecastCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Show when apps are likely to be used, and which refreshes are planned.",
        usage: "lull forecast [<options>] [<name>]",
        discussion: """
            Without an app, it shows all apps in brief. With one, it shows the hours of its week as a map, the \
            next likely uses, and the planned launches, each with its reason. Times are in the host's time \
            zone. With --fleet, it shows when each task will likely run on some host, from what all hosts \
            expect.

            Examples:
              lull forecast
              lull forecast com.example.ColorFeed
              lull forecast --fleet
              lull forecast com.example.ColorFeed --json | jq '.likely_uses'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The app's identifier, such as com.example.ColorFeed.") var name: AppName?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var fleet: FleetFlag
    var manifest: String? { manifestOption.path }

    func run() throws {
        guard !fleet.fleet else { return try showFleet() }
        if let name {
            let report = try ask(Ask.Forecast(try app(name)))
            let past = try ForecastPast(of: report, in: options.checkedFolder())
            if json { return try Output.json(ForecastJSON(report, past)) }
            Output.answer(styled: ForecastText(report: report, past: past).rendered(for: .output, .output))
        } else {
            let summaries = try ask(Ask.Forecasts())
            if json { return try Output.json(summaries.map(ForecastSummaryJSON.init)) }
            Output.answer(
                styled: ForecastTable(summaries: summaries, now: Phrases.current.now).rendered(for: .output))
        }
    }
}

/// All apps in brief, for people.
struct ForecastTable {
    let summaries: [ForecastSummary]
    let now: WallTime

    /// Narrower than this, each app has lines of its own.
    private static let tableWidth = 110

    func rendered(for terminal: Terminal) -> String {
        guard !summaries.isEmpty else { return "The manifest lists no app." }
        let advice =
            "`lull forecast APP` shows the week of an app and why its refreshes are planned as they are."
        let body = terminal.columns < Self.tableWidth ? list(terminal) : table.rendered(for: terminal)
        return body + "\n" + wrapped(advice, to: terminal.columns).joined(separator: "\n") + "\n"
    }

    private var table: Table {
        var table = Table(header: ["APP", "RECENT USES", "LAST USE", "NEXT LIKELY USE", "NEXT REFRESH"])
        for summary in summaries {
            let phrases = Phrases(now: now, zone: summary.zone)
            table.rows.append([
                .init(summary.app.text), .init(ForecastWords.count(summary.evidence)),
                .init(summary.lastUse.map(phrases.relative) ?? "never"),
                .init(next(summary, phrases), summary.isReliedOn ? nil : .dim),
                .init(launch(summary, phrases), summary.launch == nil ? .dim : nil),
            ])
        }
        return table
    }

    private func list(_ terminal: Terminal) -> String {
        summaries.map { summary in
            let phrases = Phrases(now: now, zone: summary.zone)
            let last = summary.lastUse.map { "last used \(phrases.relative($0))" } ?? "never used"
            let lines = [
                "\(last), recent uses \(ForecastWords.count(summary.evidence))",
                "next likely use: " + next(summary, phrases),
                "next refresh: " + launch(summary, phrases),
            ]
            return terminal.styled(summary.app.text, .bold) + "\n"
                + lines.map { line in
                    "  " + wrapped(line, to: terminal.columns - 4).joined(separator: "\n    ") + "\n"
                }.joined()
        }.joined()
    }

    private func launch(_ summary: ForecastSummary, _ phrases: Phrases) -> String {
        summary.launch.map(phrases.time) ?? "none: " + (summary.heldBy ?? "nothing is planned")
    }

    private func next(_ summary: ForecastSummary, _ phrases: Phrases) -> String {
        guard summary.evidence > 0 else { return "nothing is known" }
        guard summary.isReliedOn else { return "little is known yet" }
        guard let next = summary.next else { return "no hour stands out" }
        return "\(ForecastWords.span(next, phrases)), \(Phrase.percent(next.probability))"
    }
}
