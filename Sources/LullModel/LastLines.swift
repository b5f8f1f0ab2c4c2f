/// The last lines that a run printed: what is quoted wherever its failure is told. This is the one place that chooses
/// them.
///
/// Those of its standard error; where nothing stands there, of its output. Blank lines are passed over, and so is what
/// Swift's runtime prints after a crash. Fed with all that is printed, it keeps no more than it quotes.
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

        /// Whether a backtrace has begun.
        mutating func append(_ bytes: [UInt8]) -> Bool {
            var start = 0
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line =
                    begun.isEmpty ? PrintedLine(bytes[start..<end]) : PrintedLine(begun + bytes[start..<end])
                begun = []
                start = end + 1
                if line.beginsBacktrace { return true }
                guard !line.isBlank, !line.isOfRuntime else { continue }
                if last.count == LastLines.most { last.removeFirst() }
                last.append(line.kept)
            }
            if start < bytes.count { begun = PrintedLine.begun(begun + bytes[start...]) }
            return false
        }

        var lines: [String] {
            let open = PrintedLine(begun)
            let all = open.isBlank || open.beginsBacktrace || open.isOfRuntime ? last : last + [begun]
            return all.suffix(LastLines.most).map { PrintedLine($0).text }
        }
    }
}
