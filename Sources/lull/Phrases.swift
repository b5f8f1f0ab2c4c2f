import Foundation
import LullModel

/// Times and spans as people say them; machines get exact ones through `--json`.
struct Phrases {
    let now: WallTime
    let zone: Zone
    /// The state that a command was told of by name, so that its remedies concern the same.
    var state: String?

    /// A text for people whose commands, in backticks, are for the state that was asked about.
    func remedy(_ text: String) -> String { state.map { RemedyText.naming($0, in: text) } ?? text }

    /// "2 d 4 h", "3 min", "240 ms".
    static func span(_ span: Duration) -> String {
        let seconds = Int(span.inSeconds.rounded())
        if seconds < 1 { return "\(max(span.milliseconds, 0)) ms" }
        if seconds < 10 {
            let tenths = Int((span.inSeconds * 10).rounded())
            return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
        }
        let units = [(86400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        guard let index = units.firstIndex(where: { seconds >= $0.0 }) else { return "0 s" }
        let (size, name) = units[index]
        let rest = index + 1 < units.count ? seconds % size / units[index + 1].0 : 0
        let first = "\(seconds / size) \(name)"
        // Minutes and seconds together are more than anybody wants to read.
        return rest > 0 && index < 2 ? first + " \(rest) \(units[index + 1].1)" : first
    }

    /// The time of day: "08:30".
    var clock: String {
        let local = zone.local(now)
        return String(format: "%02d:%02d", local.hour, local.minute)
    }

    /// "today 08:30", "yesterday 23:10", "Mon 04:00", "12 Oct 04:00", "2024-03-01 04:00".
    func time(_ time: WallTime) -> String {
        let local = zone.local(time)
        let today = zone.local(now)
        let clock = String(format: "%02d:%02d", local.hour, local.minute)
        let days =
            LocalTime.days(year: local.year, month: local.month, day: local.day)
            - LocalTime.days(year: today.year, month: today.month, day: today.day)
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        switch days {
        case 0: return clock
        case 1: return "tomorrow " + clock
        case -1: return "yesterday " + clock
        case 2...6: return weekdays[local.weekday] + " " + clock
        default:
            return abs(days) < 300
                ? "\(local.day) \(months[local.month - 1]) \(clock)"
                : String(format: "%04d-%02d-%02d", local.year, local.month, local.day) + " " + clock
        }
    }

    /// In a sentence: "today at 08:30", "tomorrow at 01:00", "on Mon at 04:00", "on 12 Oct at 04:00".
    func when(_ time: WallTime) -> String {
        let words = self.time(time).split(separator: " ")
        guard let clock = words.last, words.count > 1 else { return "today at " + self.time(time) }
        let day = words.dropLast().joined(separator: " ")
        return (["tomorrow", "yesterday"].contains(day) ? day : "on " + day) + " at " + clock
    }

    /// "4 min ago", "in 2 h".
    func relative(_ time: WallTime) -> String {
        let gap = time <= now ? now - time : time - now
        if gap < .seconds(1) { return "just now" }
        return time <= now ? Phrases.span(gap) + " ago" : "in " + Phrases.span(gap)
    }
}
