import LullModel

/// Windows as the manifest writes them: `01:00-05:00`, `Sat,Sun 22:00-07:00`, `Mon-Fri 09:00-17:00`.
enum WindowText {
    static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    static func parse(_ text: String) -> Result<Window, WindowFault> {
        Result { () throws(WindowFault) in try window(text) }
    }

    private static func window(_ text: String) throws(WindowFault) -> Window {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard let last = parts.last, last.contains(":") else { throw .noTimes }
        var days: Set<Int> = []
        for part in parts.dropLast() {
            days.formUnion(try self.days(of: part))
        }
        let times = last.split(separator: "-", omittingEmptySubsequences: false)
        guard times.count >= 2 else { throw .noEnd }
        guard times.count == 2, let opens = minute(times[0]), opens < 1440 else {
            throw .time(String(times[0]))
        }
        guard let closes = minute(times[1]) else { throw .time(String(times[1])) }
        guard opens != closes else { throw .opensAsItCloses }
        // All seven named are every day.
        return Window(days: days.count == 7 ? [] : days, opens: opens, closes: closes, text: text)
    }

    /// `Sat`, `Sat,Sun` or `Mon-Fri`.
    static func days(of text: Substring) throws(WindowFault) -> Set<Int> {
        var days: Set<Int> = []
        for part in text.split(separator: ",") { days.formUnion(try span(of: part)) }
        return days
    }

    /// `Sat`, or `Mon-Fri`, which may pass Sunday.
    private static func span(of text: Substring) throws(WindowFault) -> Set<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = ends.first, let last = ends.last, ends.count <= 2 else {
            throw .day(String(text), nearest: nil)
        }
        let from = try day(first)
        var to = try day(last)
        if to < from { to += 7 }
        return Set((from...to).map { $0 % 7 })
    }

    private static let groups = [(word: "weekend", days: "Sat,Sun"), (word: "weekday", days: "Mon-Fri")]

    private static func day(_ text: Substring) throws(WindowFault) -> Int {
        let lower = text.lowercased()
        if let index = days.firstIndex(where: { $0.lowercased() == lower }) { return index }
        if let days = groups.first(where: { lower == $0.word || lower == $0.word + "s" })?.days {
            throw .day(String(text), nearest: days)
        }
        throw .day(
            String(text),
            nearest: lower.count < 2 ? nil : days.first { $0.lowercased().hasPrefix(lower.prefix(2)) })
    }

    /// `5:00`, `05:00` and `24:00`.
    private static func minute(_ text: Substring) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count <= 2, parts[1].count == 2,
            let hour = DurationText.wholeNumber(Array(parts[0])[...]),
            let minute = DurationText.wholeNumber(Array(parts[1])[...]), minute < 60
        else { return nil }
        let total = hour * 60 + minute
        return total <= 1440 ? Int(total) : nil
    }
}
