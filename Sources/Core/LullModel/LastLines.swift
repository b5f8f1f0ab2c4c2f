/// The last lines that a run printed, as messages quote them when it fails. Only this type chooses
/// them.
///
/// They come from standard output and error, in the order of printing. Blank lines are skipped, and so are lines that only
/// point at the line above, and the output of Swift's runtime after a crash. A repeated line is quoted once. If a trace
/// has pushed out the line that says why (`CrashCause`), that line comes first. The caller feeds it all output; it keeps
/// only the lines that it quotes.
public struct LastLines: Sendable {
    /// Several lines: many tools print the cause some lines before their last.
    public static let most = 12
    /// For lists of failures, and for a single line of text: a traceback ends in three lines.
    public static let few = 3

    private var last: [[UInt8]] = []
    private var cause = CrashCause()
    /// The unfinished line of each stream; `isLate`: standard error was printed to last.
    private var begun: (output: [UInt8], error: [UInt8], isLate: Bool) = ([], [], false)
    /// A backtrace has begun: the runtime prints all that follows.
    private var isBacktrace = false

    public init() {}

    public mutating func append(_ bytes: [UInt8], isError: Bool) {
        guard !isBacktrace else { return cause.read(backtrace: bytes) }
        // A local variable, because `append` changes `self` as well.
        var line = isError ? begun.error : begun.output
        isBacktrace = append(bytes, to: &line)
        begun = isError ? (begun.output, line, true) : (line, begun.error, false)
    }

    public var lines: [String] {
        let open = begun.isLate ? [begun.output, begun.error] : [begun.error, begun.output]
        var all = last
        for line in open where !PrintedLine.beginsBacktrace(line) && Self.counts(line[...]) {
            all.removeAll { $0 == line }
            all.append(line)
        }
        let told = all.suffix(Self.most)
        guard let why = cause.lines.first, !told.contains(why) else {
            return told.map { PrintedLine($0).text }
        }
        return (cause.lines + told.suffix(Self.most - cause.lines.count)).map { PrintedLine($0).text }
    }

    /// Returns whether a backtrace has begun.
    private mutating func append(_ bytes: [UInt8], to begun: inout [UInt8]) -> Bool {
        guard let first = bytes.firstIndex(of: Self.newline) else {
            begun = PrintedLine.begun(begun + bytes)
            return false
        }
        let opening = begun + bytes[..<first]
        begun = []
        if PrintedLine.beginsBacktrace(opening) {
            cause.read(backtrace: opening + bytes[first...])
            return true
        }
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
        if last.count == Self.most { last.removeFirst() }
        last.append(new)
    }

    /// The last `most` distinct lines, in their order.
    private static func distinct(_ lines: [Range<Int>], in bytes: [UInt8]) -> [Range<Int>] {
        var chosen: [Range<Int>] = []
        for line in lines.reversed() where chosen.count < most {
            if !chosen.contains(where: { bytes[$0].elementsEqual(bytes[line]) }) { chosen.append(line) }
        }
        return chosen.reversed()
    }

    /// The last complete lines that count, and whether a backtrace begins after them.
    private mutating func whole(in bytes: [UInt8], from start: Int) -> (
        lines: [Range<Int>], isBacktrace: Bool
    ) {
        var found: [Range<Int>] = []
        var start = start
        while let end = bytes[start...].firstIndex(of: Self.newline) {
            let line = bytes[start..<end]
            if PrintedLine.beginsBacktrace(line) {
                cause.read(backtrace: bytes[start...])
                return (found, true)
            }
            cause.append(line)
            if Self.counts(line) {
                // Bounded, so that a flood does not use memory for each line.
                if found.count == 128 { found.removeFirst(64) }
                found.append(start..<end)
            }
            start = end + 1
        }
        return (found, false)
    }
}
