/// The last lines that a run printed: what is quoted wherever its failure is told. This is the one place that chooses
/// them.
///
/// Those of its standard error; where nothing stands there, of its output. Blank lines are passed over, and so are those
/// that only point at the line above, and what Swift's runtime prints after a crash. A line that comes again is quoted
/// once. Where a trace stands behind the line that says why, that line is quoted (`CrashCause`). Fed with all that is
/// printed, it keeps no more than it quotes.
public struct LastLines: Sendable {
    /// Two tools say in the last line what they did, and in the one before why; a traceback ends in three.
    public static let most = 3

    private var error = Stream()
    private var output = Stream()
    /// A backtrace has begun: what follows is the runtime's.
    private var isBacktrace = false

    public init() {}

    public mutating func append(_ bytes: [UInt8], isError: Bool) {
        guard !isBacktrace else { return }
        isBacktrace = isError ? error.append(bytes) : output.append(bytes)
    }

    public var lines: [String] {
        let lines = error.lines
        return lines.isEmpty ? output.lines : lines
    }

    private struct Stream {
        private var last: [[UInt8]] = []
        /// A line whose end has not been printed yet.
        private var begun: [UInt8] = []
        private var cause = CrashCause()

        /// Whether a backtrace has begun.
        mutating func append(_ bytes: [UInt8]) -> Bool {
            guard let first = bytes.firstIndex(of: Self.newline) else {
                begun = PrintedLine.begun(begun + bytes)
                return false
            }
            let opening = begun + bytes[..<first]
            begun = []
            if PrintedLine.beginsBacktrace(opening) { return true }
            cause.append(opening)
            if Self.counts(opening[...]) { keep(opening[...]) }
            let (lines, isBacktrace) = whole(in: bytes, from: first + 1)
            for line in Self.distinct(lines, in: bytes) { keep(bytes[line]) }
            if isBacktrace { return true }
            let rest = bytes[((bytes.lastIndex(of: Self.newline) ?? first) + 1)...]
            if !rest.isEmpty { begun = PrintedLine.begun(rest) }
            return false
        }

        private static let newline = UInt8(ascii: "\n")

        private static func counts(_ line: ArraySlice<UInt8>) -> Bool {
            !PrintedLine.isBlank(line) && !PrintedLine.isPointer(line) && !PrintedLine.isOfRuntime(line)
        }

        private mutating func keep(_ line: ArraySlice<UInt8>) {
            let new = PrintedLine(line).kept
            last.removeAll { $0 == new }
            if last.count == LastLines.most { last.removeFirst() }
            last.append(new)
        }

        /// The last so many lines that differ, in their order.
        private static func distinct(_ lines: [Range<Int>], in bytes: [UInt8]) -> [Range<Int>] {
            var chosen: [Range<Int>] = []
            for line in lines.reversed() where chosen.count < LastLines.most {
                if !chosen.contains(where: { bytes[$0].elementsEqual(bytes[line]) }) { chosen.append(line) }
            }
            return chosen.reversed()
        }

        /// The last whole lines that count, and whether a backtrace begins behind them.
        private mutating func whole(in bytes: [UInt8], from start: Int) -> (
            lines: [Range<Int>], isBacktrace: Bool
        ) {
            var found: [Range<Int>] = []
            var start = start
            while let end = bytes[start...].firstIndex(of: Self.newline) {
                let line = bytes[start..<end]
                if PrintedLine.beginsBacktrace(line) { return (found, true) }
                cause.append(line)
                if Self.counts(line) {
                    // Few, and not one for each line of a flood.
                    if found.count == 64 { found.removeFirst(32) }
                    found.append(start..<end)
                }
                start = end + 1
            }
            return (found, false)
        }

        var lines: [String] {
            let isOpen = !PrintedLine.beginsBacktrace(begun) && Self.counts(begun[...])
            let all = isOpen ? last.filter { $0 != begun } + [begun] : last
            // What stands in front of a trace, and not the trace's end.
            let told = cause.lines.isEmpty || all.contains(cause.lines[0]) ? all : cause.lines
            return told.suffix(LastLines.most).map { PrintedLine($0).text }
        }
    }
}
