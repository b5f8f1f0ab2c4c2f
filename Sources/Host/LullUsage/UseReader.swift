import LullModel

/// Reads the times of uses from a file's bytes, portion by portion.
protocol UseReader {
    /// The next bytes begin at `offset` of a file; with `isMidLine` perhaps inside a line.
    mutating func restart(at offset: Int64, isMidLine: Bool)
    mutating func feed(_ bytes: ArraySlice<UInt8>, _ use: (WallTime) -> Void)
    /// The file has ended.
    mutating func finish(_ use: (WallTime) -> Void)
    /// Bytes of a line that is not complete yet.
    var pending: Int { get }
    /// Lines over the limit, which were skipped.
    var tooLong: Int { get }
    /// Lines that match but hold no time.
    var withoutTime: Int { get }
}

/// The clock and the zone, read by the shell.
struct Moment: Sendable {
    var now: WallTime
    var zone: Zone
}

/// Uses in a log: the lines that match, each at the time that it holds.
struct LineReader: UseReader {
    private var splitter = LineSplitter()
    private let matcher: LineMatcher
    private let moment: () -> Moment
    private(set) var withoutTime = 0

    var pending: Int { splitter.pending }
    var tooLong: Int { splitter.skipped }

    /// Nil if `match` is not a regular expression; the manifest refuses those.
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

/// Decides whether a line is a use.
private struct LineMatcher {
    private let expression: LineExpression?
    private let time: UsageTime

    init?(match: String?, time: UsageSource.TimeFormat) {
        expression = match.flatMap(LineExpression.init)
        guard match == nil || expression != nil else { return nil }
        self.time = UsageTime(time)
    }

    /// Passes the line's time to `use` if it matches; false if a matching line holds no time.
    func take(_ line: ArraySlice<UInt8>, _ moment: Moment, _ use: (WallTime) -> Void) -> Bool {
        guard !line.isEmpty, expression?.matches(line) ?? true else { return true }
        guard let time = time.first(in: line, zone: moment.zone, reference: moment.now) else { return false }
        use(time)
        return true
    }
}
