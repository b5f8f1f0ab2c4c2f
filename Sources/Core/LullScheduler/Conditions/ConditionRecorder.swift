import LullModel

/// Measures for how long each condition held, and decides when that is worth an event of the history.
///
/// It never wakes the host: it is called when the host is awake anyway. A span ends once an hour at most while
/// conditions change, every six hours while they do not, and when the watch of some condition begins or ends
/// (`isWatched`); a span in which something changed ends an hour after its beginning, even if that is noticed later.
struct ConditionRecorder: Sendable {
    struct Span: Equatable {
        var from: WallTime
        var to: WallTime
        var shares: [String: Double]
        /// The conditions that did not hold at its end, in ascending order.
        var closed: [String]
    }

    private struct Line: Sendable {
        let set: ConditionSet
        /// Nil: not watched, for the whole of this span.
        var state: Bool?
        var held: Duration = .zero
    }

    static let least: Duration = .hours(1)
    static let most: Duration = .hours(6)
    /// Spans that ended before their hour, in a row: a watch that flickers is not followed.
    private static let hasteLimit = 6

    private var lines: [Line] = []
    private var from: WallTime?
    private var last: Now?
    private var conditions: Conditions?
    private var sampling: Set<Conditions.Sensor> = []
    private var hasChanged = false
    private var haste = 0

    /// Sets the conditions to watch; returns the spans that were watched so far.
    mutating func watch(_ sets: [ConditionSet]) -> [Span] {
        guard sets != lines.map(\.set) else { return [] }
        let spans = end()
        lines = sets.map { Line(set: $0) }
        return spans
    }

    /// Takes the conditions that are true at `now`; those known before held until now.
    mutating func observe(_ new: Conditions?, sampling newSampling: Set<Conditions.Sensor>, at now: Now)
        -> [Span]
    {
        guard let new, !lines.isEmpty else { return [] }
        guard let last, let old = conditions, let start = from else {
            begin(new, newSampling, at: now)
            return []
        }
        if isTorn(last, now) {
            // It slept, or its clock was set: nothing is known of the time between.
            let spans = end()
            begin(new, newSampling, at: now)
            return spans
        }
        if new == old, newSampling == sampling, !isDue(at: now.wall, from: start), !growsIdle(old, until: now)
        {
            return []
        }
        return take(new, newSampling, over: old, from: last.wall, at: now)
    }

    /// The host ends: returns the last spans.
    mutating func end(at now: Now) -> [Span] {
        guard let last, let conditions, !isTorn(last, now) else { return end() }
        return take(conditions, sampling, over: conditions, from: last.wall, at: now) + end()
    }

    /// Returns what was watched until the last observation.
    private mutating func end() -> [Span] {
        defer {
            from = nil
            last = nil
            conditions = nil
            hasChanged = false
        }
        guard let last else { return [] }
        return close(at: last.wall)
    }

    private mutating func begin(_ new: Conditions, _ newSampling: Set<Conditions.Sensor>, at now: Now) {
        conditions = new
        sampling = newSampling
        last = now
        restart(at: now.wall)
        for index in lines.indices {
            lines[index].state = lines[index].set.holds(new, at: now.wall, sampling: newSampling)
        }
    }

    private mutating func restart(at time: WallTime) {
        from = time
        hasChanged = false
        for index in lines.indices { lines[index].held = .zero }
    }

    private func isTorn(_ last: Now, _ now: Now) -> Bool {
        let gain = (now.wall - last.wall) - (now.monotonic - last.monotonic)
        return gain > .minutes(1) || gain < .minutes(-1) || now.wall < last.wall
    }

    private func isDue(at now: WallTime, from start: WallTime) -> Bool {
        now - start >= (hasChanged ? Self.least : Self.most)
    }

    /// Whether the host became idle by time alone.
    private func growsIdle(_ old: Conditions, until now: Now) -> Bool {
        guard let idle = idleFrom(old), let last else { return false }
        return last.wall < idle && idle <= now.wall
    }

    private func idleFrom(_ conditions: Conditions) -> WallTime? {
        if case .known(.idle(let since)) = conditions.presence { since + Condition.idleAfter } else { nil }
    }

    private mutating func take(
        _ new: Conditions, _ newSampling: Set<Conditions.Sensor>, over old: Conditions, from before: WallTime,
        at now: Now
    ) -> [Span] {
        var spans: [Span] = []
        if let idle = idleFrom(old), before < idle, idle <= now.wall {
            spans += advance(to: idle)
            spans += change { $0.holds(old, at: idle) }
        }
        spans += advance(to: now.wall)
        // A condition that was watched until now is read now, whether or not it is watched from now on.
        spans += change { $0.holds(new, at: now.wall) }
        let watched = lines.map { $0.set.holds(new, at: now.wall, sampling: newSampling) }
        if zip(lines, watched).contains(where: { ($0.state == nil) != ($1 == nil) }) {
            haste = now.wall - (from ?? now.wall) < Self.least ? haste + 1 : 0
            if haste <= Self.hasteLimit { spans += close(at: now.wall) }
            restart(at: now.wall)
            if haste > Self.hasteLimit * 4 { haste = 0 }
        }
        for (index, state) in watched.enumerated() { lines[index].state = state }
        conditions = new
        sampling = newSampling
        last = now
        if let start = from, isDue(at: now.wall, from: start) {
            spans += close(at: now.wall)
            restart(at: now.wall)
        }
        return spans
    }

    /// The states stay as they are until `time`.
    private mutating func advance(to time: WallTime) -> [Span] {
        guard var at = last?.wall, at < time, let start = from else { return [] }
        var spans: [Span] = []
        if hasChanged, start + Self.least > at, start + Self.least <= time {
            hold(from: at, to: start + Self.least)
            at = start + Self.least
            spans += close(at: at)
            restart(at: at)
        }
        hold(from: at, to: time)
        last?.wall = time
        return spans
    }

    private mutating func hold(from: WallTime, to: WallTime) {
        for index in lines.indices where lines[index].state == true { lines[index].held += to - from }
    }

    /// Takes the states as they are from the present moment on.
    private mutating func change(_ state: (ConditionSet) -> Bool) -> [Span] {
        guard let time = last?.wall, let start = from else { return [] }
        let states = lines.map { line in line.state == nil ? nil : state(line.set) }
        guard states != lines.map(\.state) else { return [] }
        for (index, state) in states.enumerated() { lines[index].state = state }
        if time - start >= Self.least {
            // Nothing changed until now, so that the span is of one piece.
            let spans = close(at: time)
            restart(at: time)
            return spans
        }
        hasChanged = true
        return []
    }

    /// The span up to `time`, with the states as they are from then on.
    private func close(at time: WallTime) -> [Span] {
        guard let from, from < time else { return [] }
        let length = Double((time - from).milliseconds)
        var span = Span(from: from, to: time, shares: [:], closed: [])
        for line in lines {
            guard let state = line.state else { continue }
            span.shares[line.set.name] = min(1, max(0, Double(line.held.milliseconds) / length))
            if !state { span.closed.append(line.set.name) }
        }
        span.closed.sort()
        return span.shares.isEmpty ? [] : [span]
    }
}
