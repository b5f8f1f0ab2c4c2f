/// The last line that a plugin has printed of its own: when it crashes, that says why.
///
/// What Swift's runtime prints after a crash, a backtrace and more, is not the plugin's own.
struct LastLine {
    private static let quoted = 200
    /// In bytes, of which a character has four at most.
    private static let kept = 4 * (quoted + 1)
    private static let backtraces = ["*** Signal ", "*** Program crashed"].map { Array($0.utf8) }
    private static let runtime = Array("swift-runtime: ".utf8)
    private var last: ArraySlice<UInt8> = []
    /// The beginning of a line whose end has not been printed yet, and where.
    private var begun: ArraySlice<UInt8> = []
    private var stream = StandardStream.output
    private var isBacktrace = false
    private static let backtraceKept = 64 << 10
    /// What Swift's runtime printed of a crash, from its second line on: where it was, for who can read it.
    private(set) var backtrace: [UInt8] = []

    mutating func append(_ piece: [UInt8], _ stream: StandardStream) {
        if isBacktrace {
            if stream == .error { backtrace += piece.prefix(Self.backtraceKept - backtrace.count) }
            return
        }
        if stream != self.stream { keep(begun) }
        var lines = piece.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if stream == self.stream, let first = lines.first { lines[0] = begun + first }
        self.stream = stream
        begun = []
        for (index, line) in lines.enumerated() {
            isBacktrace = Self.backtraces.contains { line.starts(with: $0) }
            if isBacktrace {
                let rest = lines[(index + 1)...].joined(separator: [UInt8(ascii: "\n")])
                backtrace += rest.prefix(Self.backtraceKept)
                return
            }
            if index == lines.count - 1 { begun = line.prefix(Self.kept) } else { keep(line) }
        }
    }

    /// Nil when nothing was printed.
    var text: String? {
        let line = Self.isBlank(begun) ? last : begun
        guard !line.isEmpty else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        return text.count > Self.quoted ? text.prefix(Self.quoted) + "…" : text
    }

    private mutating func keep(_ line: ArraySlice<UInt8>) {
        if !Self.isBlank(line), !line.starts(with: Self.runtime) { last = line.prefix(Self.kept) }
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        !line.contains { $0 > UInt8(ascii: " ") }
    }
}
