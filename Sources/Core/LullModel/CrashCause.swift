/// The line in which a runtime says why it ends its process. A trace after it says only where.
///
/// Rust and C++ print the rest in the next line. A program that exits without a trace needs none of this: its last line
/// says why.
public struct CrashCause: Sendable {
    public private(set) var lines: [[UInt8]] = []
    private var isOpen = false

    public init() {}

    /// Reads the next line. The first cause counts: later ones are its consequences.
    public mutating func append(_ line: some BidirectionalCollection<UInt8>) {
        if isOpen {
            isOpen = false
            if Self.goesOn(line) || lines[0].last == UInt8(ascii: ":") {
                lines.append(PrintedLine(line).kept)
            }
        } else if lines.isEmpty, Self.names(line) {
            lines = [PrintedLine(line).kept]
            isOpen = true
        }
    }

    /// A crash without words of its own, such as one by a bad pointer, is named in the backtrace of Swift's runtime.
    public mutating func read(backtrace: some Collection<UInt8>) {
        guard lines.isEmpty else { return }
        for line in backtrace.split(separator: UInt8(ascii: "\n")) where PrintedLine.beginsBacktrace(line) {
            append(Array(line))
        }
    }

    private static let beginnings = [
        "panic: ", "fatal error: ", "terminate called ", "Fatal error", "Runtime error ",
        "*** Program crashed: ",
    ]
    .map { Array($0.utf8) }
    private static let first = Set(beginnings.map { $0[0] })
    private static let thread = Array("thread '".utf8)
    private static let panics = Array(" panicked at ".utf8)
    /// These follow the place in the source, or the process's number.
    private static let afterColon = [" Fatal error", " Assertion `", " AddressSanitizer"].map {
        Array($0.utf8)
    }

    /// Called for every line of a flood, so it copies nothing.
    static func names(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        let line = line.prefix(PrintedLine.quoted * 2)
        guard let head = line.first else { return false }
        if first.contains(head), beginnings.contains(where: { line.starts(with: $0) }) { return true }
        if head == thread[0], line.starts(with: thread) { return holds(panics, line) }
        var rest = line[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[rest.index(after: colon)...]
            if afterColon.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }

    /// Whether the line goes on with the cause: the text of a C++ exception ("  what():  no"), or the signal that stopped Go.
    private static func goesOn(_ line: some Collection<UInt8>) -> Bool {
        line.starts(with: Array("  what()".utf8)) || line.starts(with: Array("[signal ".utf8))
    }

    private static func holds(_ words: [UInt8], _ line: some BidirectionalCollection<UInt8>) -> Bool {
        var rest = line[...]
        while let start = rest.firstIndex(of: words[0]) {
            rest = rest[start...]
            if rest.starts(with: words) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
