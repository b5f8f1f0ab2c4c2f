import LullCalendar
import LullModel

/// The first five fields of a line, or the word in their place, as text for `at`.
///
/// `ExactTimes` decides what they mean; only the numbers that cron draws by chance are settled here.
struct CrontabSchedule: Equatable {
    struct Fault: Error, Equatable {
        var message: String
        var fix: String
    }

    /// The text for `at`.
    let text: String
    /// The numbers that were drawn for each `~`; cron draws them when it loads the table.
    let chosen: [String]

    private static let limits = [0...59, 0...23, 1...31, 1...12, 0...6]

    /// `seed`: the same line gets the same numbers for its `~` again.
    init(_ schedule: String, seed: String) throws(Fault) {
        var chosen: [String] = []
        var fields: [String] = []
        let written = schedule == "@every_minute" ? "* * * * *" : schedule
        for (index, field) in written.split(separator: " ").enumerated() {
            var parts: [String] = []
            for part in field.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                guard index < Self.limits.count, part.contains("~") else {
                    parts.append(part)
                    continue
                }
                let range = try Self.range(part, within: Self.limits[index])
                let number =
                    range.lowerBound + Int(Self.hash("\(seed) \(index) \(part)") % UInt64(range.count))
                chosen.append("\(part) is \(number)")
                parts.append(String(number))
            }
            fields.append(parts.joined(separator: ","))
        }
        text = fields.joined(separator: " ")
        self.chosen = chosen
        do throws(AtFault) {
            _ = try ExactTimes(text)
        } catch {
            throw Fault(message: "'\(text)' \(error.message)", fix: error.fix)
        }
    }

    /// `a~b`, and either end may be missing.
    private static func range(_ part: String, within limits: ClosedRange<Int>) throws(Fault) -> ClosedRange<
        Int
    > {
        let ends = part.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
        let low = ends.first.flatMap { $0.isEmpty ? limits.lowerBound : Int($0) }
        let high = ends.last.flatMap { $0.isEmpty ? limits.upperBound : Int($0) }
        guard ends.count == 2, let low, let high, limits.contains(low), limits.contains(high), low <= high
        else {
            throw Fault(
                message: "'\(part)' is not a range to draw from",
                fix: "write two numbers from \(limits.lowerBound) to \(limits.upperBound), the lower first")
        }
        return low...high
    }

    /// FNV-1a of 64 bits: spreads lines evenly, and the same line always alike.
    private static func hash(_ text: String) -> UInt64 {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        // The low bits know little of the last bytes.
        return hash ^ hash >> 32
    }
}
