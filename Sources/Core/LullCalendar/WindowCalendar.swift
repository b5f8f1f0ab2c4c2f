package import LullModel

/// When the windows of a task are open, as instants.
///
/// A window is the set of instants whose local time is within it. So when clocks go forward, a window inside
/// the skipped hour does not open, and when they go back, a window inside the repeated hour opens twice.
package struct WindowCalendar {
    package let windows: [Window]
    package let zone: Zone

    /// How far ahead openings are searched: every day of the week comes within two weeks, whatever the clock changes.
    private static let horizon: Int64 = 15 * 86400

    package init(windows: [Window], zone: Zone) {
        self.windows = windows
        self.zone = zone
    }

    package func isOpen(at time: WallTime) -> Bool {
        windows.isEmpty || contains(local(time))
    }

    /// The first instant from `time` on at which a window is open; nil: none within the horizon.
    package func opening(from time: WallTime) -> WallTime? {
        windows.isEmpty
            ? time : firstChange(from: time) { second, end in firstInside(from: second, to: end) }
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
            for day in day(of: second)...(day(of: second) + 7) where matches(window, day) {
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
                let start = day * 86400 + Int64(window.opens) * 60
                let length =
                    window.closes > window.opens
                    ? window.closes - window.opens : window.closes + 1440 - window.opens
                let stop = start + Int64(length) * 60
                if start <= second && second < stop { latest = max(latest ?? stop, stop) }
            }
        }
        return latest
    }

    private func matches(_ window: Window, _ day: Int64) -> Bool {
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
