import LullModel

@testable import LullSimulator

/// Whether launches owe anything to the future: the same past with another future must bring the same launches.
///
/// At the cut, one second before the use that begins the busiest hour, the log is split; after it the uses of each app
/// move by 3 to 9 hours. A scheduler whose launches up to the cut differ has seen the future.
struct BacktestCausality: Sendable {
    /// An app whose launches up to the cut differ.
    struct Breach: Sendable, Equatable {
        let app: String
        /// How many are in one of the two and not in the other.
        let count: Int
        let first: Double
    }

    let log: BacktestLog
    /// The last second of the common past.
    let cut: Int64

    /// Nil: nothing of the log lies more than two days after the beginning of its scored span.
    init?(_ log: BacktestLog) {
        let uses = log.apps.flatMap { app in app.uses.filter { $0 > app.from + 2 * BacktestApp.day } }
            .sorted()
        guard !uses.isEmpty else { return nil }
        var busiest = (place: 0, count: 0)
        var end = 0
        for place in uses.indices {
            while end < uses.count, uses[end] < uses[place] + 3600 { end += 1 }
            if end - place > busiest.count { busiest = (place, end - place) }
        }
        self.log = log
        cut = uses[busiest.place] - 1
    }

    /// The same past, another future.
    var tampered: BacktestLog {
        BacktestLog(
            log.uses.map { use in
                var use = use
                if use.time > cut { use.time += 3600 * Int64(3 + CRC32.of(use.app.utf8) % 7) }
                return use
            },
            idleAfter: { name in log.apps.first { $0.name == name }?.idleAfter ?? BacktestApp.week })
    }

    /// Where the launches of each app, in the log's order, differ from those on the tampered one up to the cut.
    func breaches(_ launches: [[Double]], onTampered others: [[Double]]) -> [Breach] {
        zip(log.apps, zip(launches, others)).compactMap { app, both in
            func upToCut(_ launches: [Double]) -> Set<Double> {
                Set(launches.filter { $0 >= Double(app.from + BacktestApp.day) && $0 <= Double(cut) })
            }
            let these = upToCut(both.0)
            let those = upToCut(both.1)
            let different = these.symmetricDifference(those)
            guard let first = different.min() else { return nil }
            return Breach(app: app.name, count: different.count, first: first)
        }
    }
}
