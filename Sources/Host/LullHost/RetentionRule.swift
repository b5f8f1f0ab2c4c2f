import Foundation
import LullHistory
import LullModel

/// How many old records may be deleted now, so that a wrong clock can't delete the history.
///
/// The wall clock is trusted once it has gone along with the clock since the boot for an hour, or where the machine
/// says that it is synchronised and has not been seen to leap in this boot. At most a day's worth is deleted in an
/// hour. Records of this boot are kept for their full time by the clock since the boot, which nobody can set. The rule
/// is stored in the history for the next host: a restart skips nothing.
struct RetentionRule: Codable, Equatable {
    /// The clocks at one moment.
    struct Reading: Equatable {
        var boot: String
        /// Includes the time that the machine slept.
        var sinceBoot: Duration
        var wall: WallTime
        /// The machine says that its clock is right.
        var isSynchronised: Bool
    }

    /// The last record numbers at a moment since the boot.
    private struct Mark: Codable, Equatable {
        var milliseconds: Int64
        var event: Int64
        var output: Int64
    }

    private var boot: String
    /// By how much the wall clock is ahead of the clock since the boot, and since when, by the latter; in milliseconds.
    private var ahead: Int64
    private var since: Int64
    /// The wall clock was seen to leap in this boot.
    private var hasLeapt = false
    /// When something was deleted last, by the wall clock.
    private var pruned: WallTime?
    private var marks: [Mark]

    static let trustAfter: Duration = .hours(1)
    /// Between two deletions while there is more.
    static let pause: Duration = .hours(1)
    /// The span of time that is deleted at once.
    static let portion: Duration = .days(1)
    /// How far a clock may be corrected in an hour, and up to 24 times as far in all.
    private static let slack: Duration = .seconds(60)
    private static let marksApart: Duration = .days(1)

    init(_ reading: Reading, _ numbers: RecordNumbers) {
        boot = reading.boot
        ahead = Self.ahead(reading)
        since = reading.sinceBoot.milliseconds
        marks = [
            Mark(milliseconds: reading.sinceBoot.milliseconds, event: numbers.event, output: numbers.output)
        ]
    }

    /// The rule that the last host stored; nil: it can't be read.
    init?(memo: String?) {
        guard let memo, let rule = try? JSONDecoder().decode(Self.self, from: Data(memo.utf8)),
            !rule.marks.isEmpty
        else { return nil }
        self = rule
    }

    var memo: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Looks at the clocks, at a start and before anything is deleted.
    mutating func look(_ reading: Reading, _ numbers: RecordNumbers) {
        guard reading.boot == boot, reading.sinceBoot.milliseconds >= since else {
            let pruned = self.pruned
            self = RetentionRule(reading, numbers)
            self.pruned = pruned
            return
        }
        let now = reading.sinceBoot.milliseconds
        let ahead = Self.ahead(reading)
        let hours = (now - since) / Duration.hours(1).milliseconds
        if abs(ahead - self.ahead) > Self.slack.milliseconds * min(max(1, hours), 24) {
            self.ahead = ahead
            since = now
            hasLeapt = true
        }
        if let last = marks.last, now - last.milliseconds >= Self.marksApart.milliseconds {
            marks.append(Mark(milliseconds: now, event: numbers.event, output: numbers.output))
        }
    }

    /// What may be deleted now; nil: nothing. Call it after `look` with the same reading.
    func bounds(
        at reading: Reading, keepingEvents events: Duration, outputs: Duration
    ) -> PruneBounds? {
        guard trusts(reading), !prunedJustNow(reading) else { return nil }
        var bounds = PruneBounds(
            eventsBefore: reading.wall - events, outputsBefore: reading.wall - outputs)
        bounds.span = Self.portion
        bounds.eventsUpTo = mark(for: events, at: reading)?.event ?? 0
        bounds.outputsUpTo = mark(for: outputs, at: reading)?.output ?? 0
        return bounds
    }

    mutating func hasPruned(_ reading: Reading, keepingEvents events: Duration, outputs: Duration) {
        pruned = reading.wall
        // Of the marks that are old enough for both the last is enough.
        let end = reading.sinceBoot.milliseconds - max(events, outputs).milliseconds
        while marks.count > 1, marks[1].milliseconds <= end { marks.removeFirst() }
    }

    private func trusts(_ reading: Reading) -> Bool {
        if reading.isSynchronised, !hasLeapt { return true }
        return reading.sinceBoot.milliseconds - since >= Self.trustAfter.milliseconds
    }

    private func prunedJustNow(_ reading: Reading) -> Bool {
        guard let pruned else { return false }
        return (.zero..<Self.pause).contains(reading.wall - pruned)
    }

    /// The mark behind which no record is old enough by the clock since the boot.
    private func mark(for span: Duration, at reading: Reading) -> Mark? {
        let end = reading.sinceBoot.milliseconds - span.milliseconds
        return marks.last { $0.milliseconds <= end } ?? marks.first
    }

    private static func ahead(_ reading: Reading) -> Int64 {
        reading.wall.milliseconds - reading.sinceBoot.milliseconds
    }
}
