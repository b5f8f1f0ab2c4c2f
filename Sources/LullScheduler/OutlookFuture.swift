import LullModel

/// The futures of one task: each is drawn from what was learned, and walked through to the task's next launch.
///
/// Gates that open by time alone open when they say. The conditions go on as their strand did in the same hours of
/// the week; uses come as the forecast has them; and the moment is judged by the function that the host judges it by
/// (`GateInput.judgeMoment`), as if the future were the present.
struct OutlookFuture {
    enum Moment {
        case atOnce
        /// An idle host is waited for, but no longer than until its gates have been open for `bound`.
        case quiet(OutlookCourse, bound: Duration)
        case planned(OutlookMoments)
    }

    let start: WallTime
    let end: WallTime
    /// When the last of the gates that open by time alone opens.
    var from: WallTime
    /// When its windows are open; nil: always.
    var windows: [Range<WallTime>]?
    /// The conditions that it requires; nil: none.
    var conditions: OutlookCourse?
    var moment = Moment.atOnce
    /// Of its app; nil: nothing says that it is used.
    var uses: OutlookHazard?
    /// It waits for runs to end, and nothing says when they do.
    var waitsForRoom = false
    /// The week rule: it is launched until then, and for `span` after each use.
    var idles: (last: WallTime, span: Duration)?

    /// Whether time alone lets it be launched before then.
    func mayBegin(before time: WallTime) -> Bool {
        guard let windows else { return from < time }
        return windows.contains { $0.upperBound > from && max(from, $0.lowerBound) < time }
    }

    /// When it is launched if nothing but time decides; nil: something else does, or it is never launched.
    var certain: WallTime? {
        guard case .atOnce = moment, conditions == nil, !waitsForRoom, from < end else { return nil }
        let launch =
            windows.map { $0.first { $0.upperBound > from }.map { max(from, $0.lowerBound) } } ?? from
        guard let launch, launch < end, launch <= idles?.last ?? launch else { return nil }
        return launch
    }

    /// When it is launched in one future; nil: not by the end.
    mutating func launch(_ random: inout OutlookRandom) -> WallTime? {
        let used = drawUses(&random)
        var time = from
        // Each turn of the loop goes on to a later use.
        while let found = candidate(from: time, used, &random), found < end {
            guard let idles else { return found }
            let sign = used.last { $0 <= found }.map { $0 + idles.span }
            guard found > max(idles.last, sign ?? idles.last) else { return found }
            guard let use = used.first(where: { $0 > found }) else { return nil }
            time = use
        }
        return nil
    }

    /// Of an app that is used all the time only so many are looked at.
    private static let mostUses = 64

    private func drawUses(_ random: inout OutlookRandom) -> [WallTime] {
        guard let uses else { return [] }
        var drawn: [WallTime] = []
        var time = start
        while drawn.count < Self.mostUses,
            let use = uses.time(after: time, hazard: random.exponential())
        {
            drawn.append(use)
            time = use + .milliseconds(1)
        }
        return drawn
    }

    private mutating func candidate(from time: WallTime, _ used: [WallTime], _ random: inout OutlookRandom)
        -> WallTime?
    {
        switch moment {
        case .atOnce:
            var spans = OpenSpans(self, conditions, &random)
            return spans.next(from: time, in: self, &random)?.lowerBound
        case .quiet(let quiet, let bound):
            var quietSpans = OpenSpans(self, quiet, &random)
            let quietly = quietSpans.next(from: time, in: self, &random)?.lowerBound
            let starved = starvation(from: time, bound: bound, until: quietly ?? end, &random)
            return [quietly, starved].compactMap { $0 }.min()
        case .planned(var moments):
            defer { moment = .planned(moments) }
            return planned(from: time, used, &moments, &random)
        }
    }

    /// When its gates have been open for long enough in all.
    private func starvation(
        from time: WallTime, bound: Duration, until: WallTime, _ random: inout OutlookRandom
    ) -> WallTime? {
        guard time + bound < until else { return nil }
        var spans = OpenSpans(self, conditions, &random)
        var left = bound
        var time = time
        while time < until, let span = spans.next(from: time, in: self, &random) {
            let length = span.upperBound - span.lowerBound
            if length >= left { return span.lowerBound + left }
            left = left - length
            time = span.upperBound
        }
        return nil
    }

    /// A refresh: its moment is judged when its gates open, after each use, and at each moment that it waits for.
    private func planned(
        from time: WallTime, _ used: [WallTime], _ moments: inout OutlookMoments,
        _ random: inout OutlookRandom
    ) -> WallTime? {
        var spans = OpenSpans(self, conditions, &random)
        var time = time
        var due: WallTime?
        for _ in 0..<256 {
            guard let span = spans.next(from: time, in: self, &random) else { return nil }
            let at = span.lowerBound
            if at == due { return at }
            let lastUse = used.last { $0 <= at }
            guard let launch = moments.launch(judgedAt: at, lastUse: lastUse) else { return nil }
            if launch <= at { return at }
            // A use changes the plan.
            if let next = used.first(where: { $0 > at }), next < launch {
                time = next
                due = nil
            } else {
                time = launch
                due = launch
            }
        }
        return nil
    }
}

/// When windows and conditions are open together, one span after another, in one future.
private struct OpenSpans {
    private let course: OutlookCourse?
    private var walk: OutlookCourse.Walk?

    init(_ future: OutlookFuture, _ course: OutlookCourse?, _ random: inout OutlookRandom) {
        self.course = course
        walk = course.map { OutlookCourse.Walk($0, from: future.start, &random) }
    }

    /// The first from `time` on, or what is left of it; nil: none before the end.
    mutating func next(from time: WallTime, in future: OutlookFuture, _ random: inout OutlookRandom)
        -> Range<WallTime>?
    {
        var time = time
        while time < future.end {
            var end = future.end
            if let windows = future.windows {
                guard let window = windows.first(where: { $0.upperBound > time }) else { return nil }
                time = max(time, window.lowerBound)
                end = min(end, window.upperBound)
            }
            guard let course, walk != nil else { return time < end ? time..<end : nil }
            walk?.advance(to: time, in: course, &random)
            let change = walk?.change ?? future.end
            if walk?.isOpen == true {
                end = min(end, change)
                if time < end { return time..<end }
                time = max(end, time + .milliseconds(1))
            } else {
                time = change
            }
        }
        return nil
    }
}
