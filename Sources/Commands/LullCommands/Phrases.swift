import LullModel

/// Times and spans as people say them; machines get exact ones through `--json`.
package struct Phrases {
    package let now: WallTime
    package let zone: Zone
    /// The state that the command was given by name, so that its remedies name it too.
    package var state: String?

    package init(now: WallTime, zone: Zone, state: String? = nil) {
        self.now = now
        self.zone = zone
        self.state = state
    }

    /// A text for people whose commands, in backticks, are for the state that was asked about.
    package func remedy(_ text: String) -> String { state.map { RemedyText.naming($0, in: text) } ?? text }

    /// The time of day: "08:30".
    package var clock: String { Phrase.clock(now, in: zone) }

    /// For a table's cell: "08:30", "yesterday 23:10", "Mon 04:00", "12 Oct 04:00", "2024-03-01 04:00".
    package func time(_ time: WallTime) -> String { Phrase.cell(time, seenFrom: now, in: zone) }

    /// The same to the second: "08:30:02", "yesterday 23:10:00".
    package func exact(_ time: WallTime) -> String {
        let second = zone.local(time).second
        return self.time(time) + (second < 10 ? ":0" : ":") + "\(second)"
    }

    /// In a sentence: "at 08:30", "tomorrow at 01:00", "on Monday at 04:00", "on 2026-10-12 at 04:00".
    package func when(_ time: WallTime) -> String { Phrase.when(time, seenFrom: now, in: zone) }

    /// In a sentence, of what comes soon: "in 5 s", "in 40 min", "tomorrow at 01:00".
    package func soon(_ time: WallTime) -> String { time - now < .hours(1) ? relative(time) : when(time) }

    /// In a sentence, to the second where it is of today: "at 08:30:02", "tomorrow at 01:00".
    package func exactly(_ time: WallTime) -> String {
        let cell = self.time(time)
        return cell.contains(" ") || cell.contains("-") ? when(time) : "at " + exact(time)
    }

    /// "4 min ago", "in 2 h".
    package func relative(_ time: WallTime) -> String { Phrase.ago(time, seenFrom: now) }

    /// For a time in the past: it lies ahead only if the clock was set back since.
    package func past(_ time: WallTime) -> String {
        time - now < .seconds(1) ? relative(time) : "before the clock was set back from \(self.time(time))"
    }
}
