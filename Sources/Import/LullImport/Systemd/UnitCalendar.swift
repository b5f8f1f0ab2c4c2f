import LullCalendar
import LullModel

/// `OnCalendar=` in the words of `at`, which has most of systemd's forms.
struct UnitCalendar: Equatable {
    struct Fault: Error, Equatable {
        /// A clause whose subject is the value.
        var message: String
        var fix: String
        /// Whether systemd refuses it, too.
        var isSystemds: Bool
    }

    let text: String
    /// A zone that stands behind the time; nil: the host's.
    let zone: String?

    private static let words = [
        "minutely": "* * * * *", "hourly": "hourly", "daily": "daily", "weekly": "weekly Mon",
        "monthly": "monthly", "yearly": "yearly", "annually": "yearly", "anually": "yearly",
        "quarterly": "*-1,4,7,10-1", "semiannually": "*-1,7-1", "semi-annually": "*-1,7-1",
        "biannually": "*-1,7-1", "bi-annually": "*-1,7-1",
    ]

    /// `knows`: whether this machine has a zone of that name.
    init(_ value: String, knows: (String) -> Bool = { _ in false }) throws(Fault) {
        var parts = value.split { $0 == " " || $0 == "\t" }.map(String.init)
        var zone: String?
        if parts.count > 1, let last = parts.last, Self.isZone(last) || knows(last) {
            zone = last.uppercased() == "UTC" ? "UTC" : last
            parts.removeLast()
        }
        self.zone = zone
        if parts.count == 1, let word = Self.words[parts[0].lowercased()] {
            text = word
            return
        }
        let written = parts.map(Self.padded).joined(separator: " ")
        let spec = CalendarSpec(parts.joined(separator: " "))
        do throws(AtFault) {
            // Where systemd and `at` both refuse a value, `at` says more exactly what is wrong.
            let exact = try ExactTimes(spec?.text ?? written)
            // As it was written, where that means the same to `at`.
            text = Self.areSame(exact, try? ExactTimes(written)) ? written : spec?.text ?? written
        } catch {
            throw Fault(
                message: error.message, fix: error.fix, isSystemds: spec == nil || error.reason == .never)
        }
        guard spec != nil else {
            throw Fault(
                message: "is not a calendar expression of systemd's, so systemd ignores it",
                fix: "ask `systemd-analyze calendar`: correct the line, or take it out",
                isSystemds: true)
        }
    }

    private static func areSame(_ one: ExactTimes, _ other: ExactTimes?) -> Bool {
        func fields(_ times: ExactTimes) -> [CalendarTime] {
            times.calendar.map { time in
                var time = time
                time.text = ""
                return time
            }
        }
        return other.map { fields($0) == fields(one) } == true
    }

    private static func isZone(_ word: String) -> Bool {
        guard let first = word.first, first.isLetter else { return false }
        return word.uppercased() == "UTC" || first.isUppercase && word.contains("/") && !word.contains(":")
    }

    /// systemd takes `4:5` for 04:05.
    private static func padded(_ word: String) -> String {
        let pieces = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard pieces.count == 2 || pieces.count == 3 else { return word }
        return pieces.map { $0.count == 1 && $0.first?.isNumber == true ? "0" + $0 : $0 }.joined(
            separator: ":")
    }
}
