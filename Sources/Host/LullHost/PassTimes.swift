import Foundation
import LullHistory
import LullModel

/// When the last passes began, from which `run --once` learns its interval without `--every`.
///
/// Kept in the file `passes` of the state folder, a time a line. It is only an estimate's source, so a file that is
/// not there, or says something else, counts as none.
struct PassTimes: Equatable {
    /// How many times are kept.
    static let limit = 10
    /// The fewest passes that give an interval.
    static let enough = 3
    /// The intervals that are learned: cron has no shorter ones, and longer ones can't tell "now" from "later".
    static let sane: ClosedRange<Duration> = .minutes(1) ... .days(1)

    /// In order, the latest last.
    private(set) var times: [WallTime]

    init(_ times: [WallTime] = []) { self.times = Array(times.sorted().suffix(Self.limit)) }

    /// The times that earlier passes left in `folder`.
    init(in folder: StateFolder) {
        let bytes = folder.contents?.read(Self.name, atMost: 4 << 10) ?? []
        self.init(
            String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
                WallTime(rfc3339: String($0))
            })
    }

    /// Adds the pass that begins now; drops times in the future, which a clock that was set back has left.
    mutating func add(_ time: WallTime) {
        self = PassTimes(times.filter { $0 < time } + [time])
    }

    /// The median gap between passes; nil when they are too few, or it is not sane.
    var interval: Duration? {
        guard times.count >= Self.enough else { return nil }
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
        let median = gaps[gaps.count / 2]
        return Self.sane.contains(median) ? median : nil
    }

    /// The same while passes keep coming; nil once two have been left out.
    func interval(at now: WallTime) -> Duration? {
        guard let interval, let last = times.last, now - last <= interval * 3 else { return nil }
        return interval
    }

    /// Kept on a best-effort basis: what can't be written is learned later.
    func save(in folder: StateFolder) {
        let text = times.map { $0.rfc3339 + "\n" }.joined()
        try? folder.contents?.write(Array(text.utf8), to: Self.name, isDurable: false)
    }

    private static let name = "passes"
}
