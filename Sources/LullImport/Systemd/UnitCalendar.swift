import LullCalendar
import LullModel

/// `OnCalendar=` in the words of `at`, which has most of systemd's.
struct UnitCalendar: Equatable {
    let text: String
    /// A zone that stands behind the time; nil: the host's.
    let zone: String?

    private static let words = [
        "minutely": "* * * * *", "hourly": "hourly", "daily": "daily", "weekly": "weekly Mon",
        "monthly": "monthly", "yearly": "yearly", "annually": "yearly", "quarterly": "*-1,4,7,10-1",
        "semiannually": "*-1,7-1", "semi-annually": "*-1,7-1", "biannually": "*-1,7-1",
    ]

    init(_ value: String) throws(AtFault) {
        var parts = value.split { $0 == " " || $0 == "\t" }.map(String.init)
        var zone: String?
        if parts.count > 1, let last = parts.last, Self.isZone(last) {
            zone = last
            parts.removeLast()
        }
        self.zone = zone
        if parts.count == 1, let word = Self.words[parts[0].lowercased()] {
            text = word
        } else {
            text = parts.map(Self.padded).joined(separator: " ")
        }
        _ = try ExactTimes(text)
    }

    private static func isZone(_ word: String) -> Bool {
        guard let first = word.first, first.isUppercase else { return false }
        return word == "UTC" || word.contains("/") && !word.contains(":")
    }

    /// systemd takes `4:5` for 04:05.
    private static func padded(_ word: String) -> String {
        let pieces = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard pieces.count == 2 || pieces.count == 3 else { return word }
        return pieces.map { $0.count == 1 && $0.first?.isNumber == true ? "0" + $0 : $0 }.joined(
            separator: ":")
    }
}
