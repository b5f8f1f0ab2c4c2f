import LullModel
import LullWire

/// The last line that a plugin itself printed, which explains a crash. If a trace follows, it is the line before the
/// trace (`CrashCause`).
///
/// What Swift's runtime prints after a crash, a backtrace and more, is not the plugin's own. Of a run that was alone in its
/// worker the host quotes more: `LastLines`.
struct LastLine {
    private var last: ArraySlice<UInt8> = []
    /// The beginning of a line whose end has not been printed yet, and where.
    private var begun: [UInt8] = []
    private var stream = PrintedStream.output
    private var isBacktrace = false
    private var cause = CrashCause()
    private static let backtraceKept = 64 << 10
    /// What Swift's runtime printed of a crash, from its second line on.
    private(set) var backtrace: [UInt8] = []

    mutating func append(_ piece: [UInt8], _ stream: PrintedStream) {
        if isBacktrace {
            cause.read(backtrace: piece)
            if stream == .error { backtrace += piece.prefix(Self.backtraceKept - backtrace.count) }
            return
        }
        if stream != self.stream { keep(begun[...]) }
        var lines = piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if stream == self.stream, let first = lines.first { lines[0] = (begun + first)[...] }
        self.stream = stream
        begun = []
        for (index, line) in lines.enumerated() {
            isBacktrace = PrintedLine.beginsBacktrace(line)
            if isBacktrace {
                let rest = lines[(index + 1)...].joined(separator: [UInt8(ascii: "\n")])
                backtrace += rest.prefix(Self.backtraceKept)
                cause.read(backtrace: line + [UInt8(ascii: "\n")] + rest)
                return
            }
            if index == lines.count - 1 { begun = PrintedLine.begun(line) } else { keep(line) }
        }
    }

    /// Nil when nothing was printed.
    var text: String? {
        let text = PrintedLine(PrintedLine.isBlank(begun) ? last : begun[...]).text
        return text.isEmpty ? nil : text
    }

    /// The lines to quote.
    var quoted: [String] {
        var cause = cause
        cause.append(begun)
        let own = text.map { [$0] } ?? []
        guard let first = cause.lines.first else { return own }
        let lines = cause.lines.map { PrintedLine($0).text }
        // The runtime's words say less than what the program may have said.
        return PrintedLine.beginsBacktrace(first) ? own + lines : lines
    }

    private mutating func keep(_ line: ArraySlice<UInt8>) {
        cause.append(line)
        if !PrintedLine.isBlank(line), !PrintedLine.isOfRuntime(line) { last = line.prefix(2_000) }
    }
}
