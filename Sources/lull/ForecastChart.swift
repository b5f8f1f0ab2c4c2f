import Foundation
import LullModel
import LullPlot

/// A forecast as a chart: the week, the launches planned, and those of the last seven days.
struct ForecastChart {
    let report: ForecastReport
    let past: ForecastPast

    var svg: String {
        let week = ForecastWeek(report: report)
        let text = ForecastText(report: report, past: past)
        var map = HeatMap(
            title: "When \(report.app) is used",
            subtitle: "Seen on \(stamp(report.time)), in \(report.zone.name). \(text.knowledge)",
            rows: ForecastWords.weekdays, edges: (0...24).map { $0 % 3 == 0 ? "\($0)" : "" },
            columnLabel: "hour of the day", values: week.rows,
            most: "\(ForecastWords.rate(week.top)) uses an hour")
        map.top = week.top
        map.outlined = (row: week.now.row, column: week.now.column, meaning: "this hour")
        map.marks =
            past.launches.map { mark(.past, $0, "launched on") }
            + report.refreshes.flatMap(\.launches).map { mark(.planned, $0.time, "planned for") }
        map.meanings = [.planned: "planned refresh", .past: "refresh of the last 7 days"]
        map.spoken = spoken(week)
        return map.svg
    }

    private func mark(_ sign: HeatMap.Mark.Sign, _ time: WallTime, _ words: String) -> HeatMap.Mark {
        let local = report.zone.local(time)
        return .init(
            sign, row: local.weekday, column: Double(local.secondOfDay) / 3600,
            tip: "\(words) \(stamp(time))")
    }

    /// "Saturday 21 Nov 2026 09:14".
    private func stamp(_ time: WallTime) -> String {
        let local = report.zone.local(time)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return
            "\(ForecastWords.weekdays[local.weekday]) \(local.day) \(months[local.month - 1]) \(local.year) "
            + String(format: "%02d:%02d", local.hour, local.minute)
    }

    /// The chart in words, for those who hear it.
    private func spoken(_ week: ForecastWeek) -> String {
        let phrases = Phrases(now: report.time, zone: report.zone)
        var parts = ["A heat map of the expected uses in each hour of the week, in \(report.zone.name)."]
        let busiest = report.hours.indices.sorted { report.hours[$0] > report.hours[$1] }.prefix(3)
        if report.evidence > 0, let mean = report.hours.isEmpty ? nil : report.hours.reduce(0, +) / 168,
            let first = busiest.first, report.hours[first] > 1.5 * mean
        {
            let names = busiest.map { "\(ForecastWords.weekdays[$0 / 24]) \($0 % 24):00" }
            parts.append("The busiest hours begin on \(names.joined(separator: ", ")).")
        } else {
            parts.append("No hour stands out.")
        }
        for launch in report.refreshes.flatMap(\.launches) {
            parts.append("A refresh is planned for \(stamp(launch.time)): \(launch.reason).")
        }
        for span in report.likely {
            parts.append(
                "A use is likely \(ForecastWords.span(span, phrases)): \(ForecastWords.percent(span.probability))."
            )
        }
        return parts.joined(separator: " ")
    }
}
