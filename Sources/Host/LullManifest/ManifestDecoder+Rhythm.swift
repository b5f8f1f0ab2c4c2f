import LullCalendar
import LullModel

/// Checks whether `at`, `repeat` and `windows` of a task agree with each other, and whether they permit what `expect` asks for.
///
/// No check uses the clock, the zone or the host: a problem that those could avert is not reported.
extension ManifestDecoder {
    mutating func check(rhythmOf draft: TaskDraft, kind: Kind) {
        // A person begins a continued task.
        guard kind != .continued, draft.isEnabled else {
            if !draft.isEnabled, let node = draft.expectNode { add(.rhythm(.expectsOfDisabled), at: node) }
            return
        }
        let week = WindowCalendar(week: draft.inherited.windows)
        if let node = draft.atNode, let times = draft.at, !times.isAtBoot, !week.neverCloses,
            let problem = problem(of: times, in: week, draft)
        {
            add(.rhythm(problem), at: node)
        }
        if let expectation = draft.expect, let node = draft.expectNode,
            let problem = problem(of: expectation, in: week, draft, kind: kind)
        {
            add(.rhythm(problem), at: node)
        }
    }

    /// Nil if some time of `at` lies in the windows, or comes so shortly before that it does not count as missed.
    private func problem(of times: ExactTimes, in week: WindowCalendar, _ draft: TaskDraft) -> RhythmProblem?
    {
        let tolerance = draft.untilMissed
        var first: Int?
        for time in times.calendar {
            let fitting = time.firstMinuteOfWeek {
                week.isOpen(at: WindowCalendar.time(ofMinute: $0), within: tolerance)
            }
            guard fitting == nil else { return nil }
            first = first ?? time.firstMinuteOfWeek { _ in true }
        }
        guard let due = first.map(WindowCalendar.time(ofMinute:)), let opening = week.opening(from: due)
        else {
            return nil
        }
        let windows = draft.inherited.windows.prefix(3).map(\.text).joined(separator: "; ")
        let named = draft.inherited.windows.count > 3 ? windows + "; …" : windows
        if draft.inherited.missed == .skip { return .timesGivenUp(windows: named) }
        return .timesWait(due: WeekText.text(due), opening: WeekText.text(opening), windows: named)
    }

    private mutating func problem(
        of expectation: Expectation, in week: WindowCalendar, _ draft: TaskDraft, kind: Kind
    ) -> RhythmProblem? {
        let expected = "\(expectation.count) in \(DurationText.text(expectation.span))"
        if let closure = week.longestClosure {
            let length = closure.upperBound - closure.lowerBound
            // A run that begins as the windows close ends later.
            if length > expectation.span + (draft.timeLimit(of: kind) ?? .days(1)) {
                let from = "\(WeekText.text(closure.lowerBound)) to \(WeekText.text(closure.upperBound))"
                return .windowsClosedTooLong(
                    from: from, length: DurationText.spoken(length), expected: expected,
                    enough: expectation.enough(length))
            }
        }
        if let interval = draft.repeat {
            return problem(of: expectation, repeating: interval, in: week, draft, kind: kind)
        }
        if let times = draft.at {
            return gap(in: times, expectation, draft).map { gap in
                .timesTooSeldom(
                    between: WeekText.text(gap, of: times), length: DurationText.spoken(gap.length),
                    count: expectation.count - 1, expected: expected, enough: expectation.enough(gap.length))
            }
        }
        let nobodyAsks =
            draft.atNode == nil && draft.repeatNode == nil && draft.onNode == nil && pluginName == "Command"
        return nobodyAsks ? .nobodyAsks : nil
    }

    /// The problem if runs that begin at least `repeat` apart are too few; nil if they may be enough.
    private func problem(
        of expectation: Expectation, repeating interval: Duration, in week: WindowCalendar,
        _ draft: TaskDraft,
        kind: Kind
    ) -> RhythmProblem? {
        let apart = kind == .refresh ? max(interval, draft.inherited.minGap) : interval
        let expected = "\(expectation.count) in \(DurationText.text(expectation.span))"
        guard apart * expectation.count < expectation.span else {
            return .repeatsTooSeldom(
                apart > interval ? .minGap : .repeat, apart: DurationText.text(apart), expected: expected,
                enough: expectation.enough(apart * expectation.count))
        }
        guard !week.neverCloses, apart < .days(7) else { return nil }
        let most = week.mostRuns(apart: apart)
        // On average `expect` asks for more runs a week than the windows permit.
        guard expectation.span * most < .days(7) * expectation.count else { return nil }
        return .windowsTooSeldom(
            perWeek: most, repeat: DurationText.text(apart), expected: expected)
    }

    private mutating func gap(in times: ExactTimes, _ expectation: Expectation, _ draft: TaskDraft)
        -> LaunchGap?
    {
        // A calendar does not tell the times of boots; and the searches are limited, for nobody reads so many warnings.
        guard !times.isAtBoot, knownGaps.count < 500 else { return nil }
        // Dates and days of the week combine differently in each year.
        let hasDays = draft.inherited.windows.contains { !$0.days.isEmpty }
        guard times.calendar.allSatisfy(\.isWeekly) || (!hasDays && times.calendar.allSatisfy(\.isOfDates))
        else {
            return nil
        }
        let question = LaunchGap.Question(
            times: times, windows: draft.inherited.windows, missed: draft.inherited.missed,
            tolerance: draft.untilMissed, count: expectation.count, span: expectation.span)
        if let known = knownGaps[question] { return known }
        let found = LaunchGap(question).flatMap { gap in
            // A change to or from summer time may move a time, and the zone is not looked up here.
            let doubt: Duration =
                gap.length > .days(8) && draft.inherited.timezone != "UTC" ? .hours(3) : .zero
            return gap.length - doubt >= expectation.span ? gap : nil
        }
        knownGaps[question] = found
        return found
    }
}

extension Expectation {
    /// The same count in a span of twice `length`; nil if that is longer than `at_least` permits.
    fileprivate func enough(_ length: Duration) -> String? {
        let hours = (Int(length.components.seconds) * 2 + 3599) / 3600
        return .hours(hours) <= Inherited.longest ? "\(count)/\(DurationText.text(.hours(hours)))" : nil
    }
}

extension TaskDraft {
    /// How long after a time of `at` it counts as missed, on any host.
    fileprivate var untilMissed: Duration { inherited.spread + inherited.tolerance }
}
