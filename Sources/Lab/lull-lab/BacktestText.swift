import Foundation
import LullCommands
import LullModel
import LullSimulator

/// A backtest for people.
struct BacktestText {
    let world: BacktestWorld
    let runs: [BacktestRunResult]

    func rendered(for terminal: Terminal) -> String {
        let columns = terminal.columns
        var parts = [wrapped(head, to: columns).joined(separator: "\n")]
        for run in runs {
            if runs.count > 1 { parts.append("At a budget of \(number(run.budget ?? 0)) launches a day:") }
            parts.append(comparison(run).rendered(for: terminal))
            if world.isOfHost { parts.append(tasks(run).rendered(for: terminal)) }
        }
        if !runs.isEmpty { parts.append(wrapped(Self.legend, to: columns).joined(separator: "\n")) }
        parts += thin.map { wrapped($0, to: columns).joined(separator: "\n") }
        return parts.map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }.joined(separator: "\n\n")
    }

    private static let legend =
        "Within: the share of uses that found data at most this old. Age: how old the data was at a use, at most a day. Longest "
        + "gap: the longest time without a launch while the app was live. All plans got as many launches as this scheduler made."

    private var head: String {
        let apps = Set(world.scored.map(\.app)).count
        guard apps > 0 else {
            return world.isOfHost
                ? "There is too little history yet for a backtest: \(BacktestWorld.leastUses) uses over "
                    + "\(Int(BacktestWorld.leastDays)) days of one app are needed. `lull usage import` imports past uses."
                : "\(world.source) has too little for a backtest: the uses of an app must cover at least two days."
        }
        let scored = world.apps
        let uses = scored.reduce(0) { $0 + $1.scored.count }
        let days = scored.reduce(0) { $0 + $1.liveDays }
        let what = apps == 1 ? "1 app" : "\(apps) apps"
        return "\(what) of \(world.source): \(world.log.useCount) uses, of which \(uses) are scored over "
            + "\(number(days)) live app-days; earlier ones are for learning."
    }

    private func comparison(_ run: BacktestRunResult) -> Table {
        var table = Table(header: [
            "WHO LAUNCHES", "WITHIN 30 MIN", "60 MIN", "120 MIN", "MEAN AGE", "MEDIAN", "A DAY",
            "LONGEST GAP",
        ])
        let rows: [(String, BacktestCurve.Point, Terminal.Style?)] = [
            ("this scheduler", .init(run.score), .bold), ("fixed interval", run.interval, nil),
            ("active hours", run.activeHours, nil), ("clairvoyant", run.bound, .dim),
        ]
        for (name, point, style) in rows {
            var cells = [name] + point.hits.map(share)
            cells += [point.meanAge, point.medianAge].map {
                $0.map { hours($0) } ?? "–"
            }
            cells += [number(point.launchesPerAppDay), gap(point.longestGap)]
            table.rows.append(cells.map { .init($0, style) })
        }
        return table
    }

    private func tasks(_ run: BacktestRunResult) -> Table {
        var table = Table(header: [
            "TASK", "USES", "WITHIN 60 MIN", "FIXED INTERVAL", "MEAN AGE", "A DAY", "LONGEST GAP",
        ])
        for (subject, (score, interval)) in zip(world.scored, zip(run.scores, run.intervals)) {
            table.rows.append([
                .init(subject.name), .init(String(score.uses)), .init(share(score.hits[1])),
                .init(share(interval.hits[1])), .init(hours(score.meanAge)),
                .init(number(score.launchesPerAppDay)), .init(gap(score.longestGap)),
            ])
        }
        return table
    }

    /// The sentences about subjects that are not scored.
    private var thin: [String] {
        let thin = world.subjects.filter { !world.isEnough($0) }
        guard world.isOfHost else {
            return thin.isEmpty || runs.isEmpty
                ? [] : ["\(thin.count) apps with all their uses at one moment are left out."]
        }
        return thin.map { subject in
            guard let place = subject.app else { return "\(subject.name): no use of its app is recorded." }
            let app = world.log.apps[place]
            return "\(subject.name): \(app.uses.count) \(app.uses.count == 1 ? "use" : "uses") over "
                + "\(Phrase.about(.seconds(app.days * 86_400))) are too few for a figure "
                + "(\(BacktestWorld.leastUses) over \(Int(BacktestWorld.leastDays)) days are needed)."
        }
    }

    private func share(_ value: Double) -> String { Phrase.percent(value) }
    private func hours(_ value: Double) -> String { Phrase.about(.seconds(3600 * value)) }
    private func number(_ value: Double) -> String { ForecastWords.count(value) }
    private func gap(_ seconds: Double?) -> String { seconds.map { Phrase.about(.seconds($0)) } ?? "–" }
}
