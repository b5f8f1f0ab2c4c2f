public import LullModel

/// A span in which no host could launch anything, as the shell detects it.
public struct Absence: Sendable, Equatable {
    public var cause: AbsenceCause
    /// When the host was back, or the end of the span in which it slept for `length`.
    public var end: WallTime
    public var length: Duration

    public init(_ cause: AbsenceCause, until end: WallTime, for length: Duration) {
        self.cause = cause
        self.end = end
        self.length = length
    }

    /// As it was recorded; nil: the event is about something else.
    package init?(_ event: HistoryEvent) {
        guard event.event == .absent, let milliseconds = event.milliseconds, milliseconds > 0,
            let cause = event.absence, cause != .back
        else { return nil }
        self.init(cause, until: event.time, for: .milliseconds(milliseconds))
    }

    /// The milliseconds by which the clock was set, negative for back; nil: it was not set, or the value is out of
    /// range.
    static func clockStep(_ event: HistoryEvent) -> Int64? {
        guard let milliseconds = event.milliseconds,
            (1...Absences.memory.milliseconds).contains(milliseconds)
        else { return nil }
        return event.absence == .ahead ? milliseconds : event.absence == .back ? -milliseconds : nil
    }

    /// Shorter absences are not recorded.
    public static let least: Duration = .minutes(1)

    public var start: WallTime { end - length }

    public var event: HistoryEvent {
        var event = HistoryEvent(.absent, at: end, app: .host)
        event.absence = cause
        event.milliseconds = length.milliseconds
        let by = cause == .ahead || cause == .back ? "by" : "for"
        // Two clocks are read one after the other; without rounding, two hours would be "1 h 59 min".
        let seconds = Duration.seconds((length.milliseconds + 500) / 1000)
        event.reason =
            "\(cause.phrase) \(by) \(Phrase.span(seconds))" + (cause.detail.map { ": \($0)" } ?? "")
        return event
    }
}

/// When the host was absent, or when the machine was off or asleep: time that an app with `idle_clock: host` is not
/// charged for.
///
/// The fold of the events `absent`. The latest spans are exact; beyond 256 the oldest two become one, in which the
/// absence counts as spread evenly.
public struct Absences: Sendable, Equatable {
    struct Span: Sendable, Equatable {
        var from: WallTime
        var until: WallTime
        /// Less than `extent` if it is several spans merged.
        var milliseconds: Int64

        var extent: Int64 { (until - from).milliseconds }

        func overlap(from start: WallTime, until end: WallTime) -> Int64 {
            let common = (min(end, until) - max(start, from)).milliseconds
            guard common > 0 else { return 0 }
            if common == extent { return milliseconds }
            if milliseconds == extent { return common }
            return Int64(Double(milliseconds) * (Double(common) / Double(extent)))
        }
    }

    static let limit = 256
    /// As long as an app can be unused without being idle.
    static let memory = Ledger.memory

    /// In order, none overlapping the next.
    private(set) var spans: [Span] = []

    init() {}

    /// Leaves out impossible values, for a history may be imported from elsewhere.
    mutating func add(until end: WallTime, milliseconds: Int64) {
        guard milliseconds > 0, end > .distantPast, end < .distantFuture else { return }
        let length = min(milliseconds, Self.memory.milliseconds)
        var new = Span(from: end - .milliseconds(length), until: end, milliseconds: length)
        for span in spans where span.until > new.from && span.from < new.until {
            let sum = new.milliseconds + span.milliseconds
            new = Span(from: min(new.from, span.from), until: max(new.until, span.until), milliseconds: sum)
            new.milliseconds = min(sum, new.extent)
        }
        spans.removeAll { $0.until > new.from && $0.from < new.until }
        spans.insert(new, at: spans.firstIndex { $0.from >= new.until } ?? spans.count)
        forgetOld()
        while spans.count > Self.limit {
            let (first, second) = (spans[0], spans[1])
            spans[1] = Span(
                from: first.from, until: second.until, milliseconds: first.milliseconds + second.milliseconds)
            spans.removeFirst()
        }
    }

    /// Cuts the spans at `now`: later ones were recorded before the clock was set back.
    mutating func clockRead(_ now: WallTime) {
        while let last = spans.last, last.until > now {
            spans.removeLast()
            guard last.from < now else { continue }
            let rest = last.overlap(from: last.from, until: now)
            spans.append(Span(from: last.from, until: now, milliseconds: rest))
        }
    }

    /// For how long the host was absent in a span of time.
    func length(from start: WallTime, until end: WallTime) -> Duration {
        var sum: Int64 = 0
        for span in spans.reversed() {
            if span.until <= start { break }
            sum += span.overlap(from: start, until: end)
        }
        return .milliseconds(sum)
    }

    private mutating func forgetOld() {
        guard let last = spans.last else { return }
        let horizon = last.until - Self.memory
        spans.removeAll { $0.until <= horizon }
        guard let first = spans.first, first.from < horizon else { return }
        let rest = first.overlap(from: horizon, until: first.until)
        spans[0] = Span(from: horizon, until: first.until, milliseconds: rest)
    }
}

extension Absences: Codable {
    /// Three numbers a span: dictionaries would be most of a checkpoint.
    public init(from decoder: any Decoder) throws {
        let numbers = try [Int64](from: decoder)
        guard numbers.count.isMultiple(of: 3) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an absence has three numbers"))
        }
        for index in stride(from: 0, to: numbers.count, by: 3) {
            spans.append(
                Span(
                    from: WallTime(milliseconds: numbers[index]),
                    until: WallTime(milliseconds: numbers[index + 1]), milliseconds: numbers[index + 2]))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        try spans.flatMap { [$0.from.milliseconds, $0.until.milliseconds, $0.milliseconds] }
            .encode(to: encoder)
    }
}

extension SchedulerState {
    /// How late the host woke for its armed deadline while the machine was awake: it was not given the processor.
    func overslept(since last: Now) -> Duration {
        guard let armed else { return .zero }
        let awake = now.monotonic - last.monotonic
        // Neither sleep nor a clock that was set ahead is a delay.
        let late = [
            armed.monotonic.map { now.monotonic - $0 },
            armed.wall.map { min(now.wall - $0, awake - max(.zero, $0 - last.wall)) },
        ]
        return late.compactMap { $0 }.max() ?? .zero
    }
}
