import LullModel

/// Takes the times of uses out of a file's bytes as they come in.
protocol UseReader {
    /// What follows begins at `offset` of a file; with `isMidLine` perhaps in the midst of a line.
    mutating func restart(at offset: Int64, isMidLine: Bool)
    mutating func feed(_ bytes: ArraySlice<UInt8>, _ use: (WallTime) -> Void)
    /// Nothing more comes of this file.
    mutating func finish(_ use: (WallTime) -> Void)
    /// Bytes of a line that is not complete yet.
    var pending: Int { get }
    /// Lines over the limit, which were skipped.
    var tooLong: Int { get }
    /// Lines that match and tell no time.
    var withoutTime: Int { get }
}

/// The clock and the zone, read by the shell.
struct Moment: Sendable {
    var now: WallTime
    var zone: Zone
}

/// Uses in a log of lines: those that match, at the time that each of them tells.
struct LineReader: UseReader {
    private var splitter = LineSplitter()
    private let matcher: LineMatcher
    private let moment: () -> Moment
    private(set) var withoutTime = 0

    var pending: Int { splitter.pending }
    var tooLong: Int { splitter.skipped }

    /// Nil: `match` is no regular expression, which the manifest does not let through.
    init?(match: String?, time: UsageSource.TimeFormat, moment: @escaping () -> Moment) {
        guard let matcher = LineMatcher(match: match, time: time) else { return nil }
        self.matcher = matcher
        self.moment = moment
    }

    mutating func restart(at offset: Int64, isMidLine: Bool) { splitter = LineSplitter(midLine: isMidLine) }

    mutating func feed(_ bytes: ArraySlice<UInt8>, _ use: (WallTime) -> Void) {
        let moment = self.moment()
        splitter.feed(bytes) { [matcher] in withoutTime += matcher.take($0, moment, use) ? 0 : 1 }
    }

    mutating func finish(_ use: (WallTime) -> Void) {
        let moment = self.moment()
        splitter.finish { [matcher] in withoutTime += matcher.take($0, moment, use) ? 0 : 1 }
    }
}

/// What makes a line a use.
private struct LineMatcher {
    private let expression: LineExpression?
    private let time: UsageTime

    init?(match: String?, time: UsageSource.TimeFormat) {
        expression = match.flatMap(LineExpression.init)
        guard match == nil || expression != nil else { return nil }
        self.time = UsageTime(time)
    }

    /// Whether the line tells its time, if it is a use.
    func take(_ line: ArraySlice<UInt8>, _ moment: Moment, _ use: (WallTime) -> Void) -> Bool {
        guard !line.isEmpty, expression?.matches(line) ?? true else { return true }
        guard let time = time.first(in: line, zone: moment.zone, reference: moment.now) else { return false }
        use(time)
        return true
    }
}
