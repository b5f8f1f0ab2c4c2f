import LullHistory
import LullHost
import LullModel

/// The part of a forecast that comes from the history: how many uses it holds, since when, and the last launches.
///
/// The forecast itself keeps no list of uses. A history with very many is not read to its end.
package struct ForecastPast {
    /// More uses than this are not counted one by one.
    package static let limit = 100_000

    package var uses = 0
    package var isMore = false
    package var firstUse: WallTime?
    /// The launches of refreshes in the last seven days, in ascending order.
    var launches: [WallTime] = []

    init() {}

    /// Nothing where no history has been written yet.
    package init(of report: ForecastReport, in folder: StateFolder) throws {
        let history: SQLiteHistory
        do {
            history = try SQLiteHistory.open(folder: folder.path, mode: .readOnly)
        } catch {
            if case .missing = error { return }
            throw Failure(error.message + "\n" + error.fix)
        }
        do {
            let used = HistoryQuery(app: report.app, names: [.used], limit: Self.limit + 1)
            try history.forEachEvent(matching: used) { event in
                firstUse = firstUse ?? event.time
                uses += 1
            }
            for task in Set(report.refreshes.map(\.task)) {
                var launched = HistoryQuery(
                    task: task, names: [.launched], since: report.time - .days(7), until: report.time)
                launched.brief = [.launched]
                try history.forEachEvent(matching: launched) { launches.append($0.time) }
            }
            launches.sort()
        } catch {
            throw Failure(error.message + "\n" + error.fix)
        }
        isMore = uses > Self.limit
        uses = min(uses, Self.limit)
    }
}
