import LullPlot
import LullSimulator

/// Fresh uses over launches, of this scheduler and of the others.
struct BacktestChart {
    let world: BacktestWorld
    let runs: [BacktestRunResult]

    var svg: String {
        let most = runs.map(\.score.launchesPerAppDay).max() ?? 1
        var chart = LineChart(
            title: "Fresh when people look",
            subtitle: "The share of uses that found data at most 60 minutes old. "
                + "\(world.apps.count) \(world.isOfHost ? "tasks" : "apps") of \(world.source).",
            x: Axis("launches per app and live day", showing: 0...most),
            y: Axis("uses with fresh data", format: .percent, showing: 0...1))
        func series(_ name: String, _ point: (BacktestRunResult) -> BacktestCurve.Point) -> LineChart.Series {
            let points = runs.map(point).sorted { $0.launchesPerAppDay < $1.launchesPerAppDay }
            return .init(name, [.init(0, 0)] + points.map { .init($0.launchesPerAppDay, $0.hits[1]) })
        }
        chart.series = [
            series("this scheduler") { .init($0.score) }, series("active hours", \.activeHours),
            series("fixed interval", \.interval), series("clairvoyant", \.bound),
        ]
        return chart.svg
    }
}
