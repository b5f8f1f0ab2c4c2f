package import LullModel

/// When the windows of a task are open, as instants.
///
/// A window is the set of instants whose local time is within it. So when clocks go forward, a window inside
/// the skipped hour does not open, and when they go back, a window inside the repeated hour opens twice.
package struct WindowCalendar {
    package let windows: [Window]
    package let zone: Zone
    /// The days on which a window may open; it stays open after their midnight. Nil: all.
    package let days: OpenDays?
    /// Whether the task has no windows, so that each of its days is one.
    package let isOfDays: Bool

    /// How far ahead openings are searched: every day of the week comes within two weeks, whatever the clock changes.
    private static let horizon: Int64 = 15 * 86400

    /// With `days` and no windows, each of those days is one window.
    package init(windows: [Window], zone: Zone, days: OpenDays? = nil) {
        isOfDays = windows.isEmpty && days != nil
        self.windows = isOfDays ? [.wholeDay] : windows
        self.zone = zone
        self.days = days
    }

    package func day(of time: WallTime) -> Int { zone.day(of: time) }

    /// Nil: the task may be launched at any time.
    package init?(of task: TaskDefinition, zone: Zone) {
        guard !task.windows.isEmpty || task.days != nil else { return nil }
        self.init(windows: task.windows, zone: zone, days: task.days)
    }

    package func isOpen(at time: WallTime) -> Bool {
        windows.isEmpty || contains(local(time))
    }

    /// The first instant from `time` on at which a window is open; nil: none within the horizon.
    package func opening(from time: WallTime) -> WallTime? {
        guard let days else {
            return windows.isEmpty
                ? time : firstChange(from: time) { second, end in firstInside(from: second, to: end) }
        }
        var from = time
        let end = time + .days(OpenDays.horizon)
        while from < end {
            if let found = firstChange(from: from, { firstInside(from: $0, to: $1) }) { return found }
            from = from + .seconds(Self.horizon)
            guard let day = days.nextOpen(from: zone.day(of: from)) else { return nil }
            from = max(from, zone.start(ofDay: day))
        }
        return nil
    }

    /// Why today is closed, or the day on which a window that would be open now began; nil: the days are not the reason.
    package func closure(at time: WallTime) -> DayClosure? {
        guard let days, !isOpen(at: time) else { return nil }
        let second = local(time)
        let today = day(of: second)
        let held = [today - 1, today].first { day in
            windows.contains { fits($0, day) && span(of: $0, on: day).contains(second) }
        }
        return days.closure(of: Int(held ?? today))
    }

    /// The first instant after `time` at which no window is open, if one is open at `time`; nil: they never close.
    package func closing(after time: WallTime) -> WallTime? {
        windows.isEmpty ? nil : firstChange(from: time) { second, end in firstOutside(from: second, to: end) }
    }

    /// When they are open between two instants; the last may close later.
    package func spans(from start: WallTime, until end: WallTime) -> [Range<WallTime>] {
        var spans: [Range<WallTime>] = []
        var time = start
        while time < end, let opening = opening(from: time), opening < end {
            let closing = closing(after: opening) ?? .distantFuture
            spans.append(opening..<max(closing, opening + .milliseconds(1)))
            time = closing
        }
        return spans
    }

    /// Goes through the spans of constant offset. `find` searches local seconds from its first argument up to, but without,
    /// its second.
    private func firstChange(from time: WallTime, _ find: (Int64, Int64) -> Int64?) -> WallTime? {
        var from = time
        let end = time + .seconds(Self.horizon)
        while from < end {
            let offset = Int64(zone.offset(at: from))
            let transition = zone.nextTransition(after: from)?.at
            let until = min(transition ?? end, end)
            // Windows begin at whole minutes, so fractions of a second do not matter.
            let second = from.seconds + offset
            if let found = find(second, until.seconds + offset) {
                return max(from, WallTime(seconds: found - offset))
            }
            guard from < until else { return nil }
            from = until
        }
        return nil
    }

    private func firstInside(from second: Int64, to end: Int64) -> Int64? {
        if contains(second) { return second < end ? second : nil }
        var best: Int64?
        for window in windows {
            // Without days that are closed, each window opens within a week.
            let last = days == nil ? day(of: second) + 7 : day(of: end - 1)
            for day in day(of: second)...max(day(of: second), last) where matches(window, day) {
                let start = day * 86400 + Int64(window.opens) * 60
                if start >= second && start < end { best = min(best ?? start, start) }
            }
        }
        return best
    }

    private func firstOutside(from second: Int64, to end: Int64) -> Int64? {
        var second = second
        while second < end {
            guard let close = close(of: second) else { return second }
            second = close
        }
        return nil
    }

    private func contains(_ second: Int64) -> Bool { close(of: second) != nil }

    /// When the last of the windows that are open at a local second closes; nil: none is open.
    private func close(of second: Int64) -> Int64? {
        var latest: Int64?
        for window in windows {
            // Yesterday's window may have passed midnight.
            for day in [day(of: second) - 1, day(of: second)] where matches(window, day) {
                let span = span(of: window, on: day)
                if span.contains(second) { latest = max(latest ?? span.upperBound, span.upperBound) }
            }
        }
        return latest
    }

    /// The local seconds of a window that opens on a day.
    private func span(of window: Window, on day: Int64) -> Range<Int64> {
        let start = day * 86400 + Int64(window.opens) * 60
        let length =
            window.closes > window.opens
            ? window.closes - window.opens : window.closes + 1440 - window.opens
        return start..<start + Int64(length) * 60
    }

    private func matches(_ window: Window, _ day: Int64) -> Bool {
        fits(window, day) && days?.isOpen(Int(day)) ?? true
    }

    private func fits(_ window: Window, _ day: Int64) -> Bool {
        // 1970-01-01 was a Thursday.
        window.days.isEmpty || window.days.contains(Int(((day + 3) % 7 + 7) % 7))
    }

    private func day(of second: Int64) -> Int64 {
        second >= 0 ? second / 86400 : (second - 86399) / 86400
    }

    private func local(_ time: WallTime) -> Int64 {
        time.seconds + Int64(zone.offset(at: time))
    }
}

extension Window {
    fileprivate static let wholeDay = Window(opens: 0, closes: 1440, text: "00:00-24:00")
}
