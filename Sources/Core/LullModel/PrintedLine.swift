/// A line that a program printed, in a form that may be quoted.
///
/// Invalid UTF-8 is repaired, colours are dropped, control characters become visible symbols, and a long line is
/// truncated. If a carriage return overwrote the line, as progress bars do, the last state counts.
public struct PrintedLine: Sendable {
    /// The length of a quoted line in characters.
    public static let quoted = 200
    /// The most bytes of a quoted line, so that the quoted lines fit beside their reason.
    private static let quotedBytes = 320
    /// A character has four bytes at most, and escape sequences take some.
    private static let keptBytes = 8 * quoted
    private static let backtraces = ["*** Signal ", "*** Program crashed"].map { Array($0.utf8) }
    private static let runtime = Array("swift-runtime: ".utf8)

    /// As many bytes as are needed to quote the line.
    public let kept: [UInt8]

    public init(_ bytes: some BidirectionalCollection<UInt8>) {
        let line = bytes.last == Self.carriageReturn ? bytes.dropLast() : bytes[...]
        kept = Self.begun(line)
    }

    /// As many bytes of an unfinished line as are needed to continue it.
    public static func begun(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let over = bytes.dropLast().lastIndex(of: carriageReturn)
        let line = over.map { bytes[bytes.index(after: $0)...] } ?? bytes[...]
        let isOver = line.count > keptBytes && line.last == carriageReturn
        return Array(line.prefix(keptBytes)) + (isOver ? [carriageReturn] : [])
    }

    private static let carriageReturn = UInt8(ascii: "\r")

    public var isBlank: Bool { Self.isBlank(kept) }

    /// Called for every line of a flood, so it copies nothing.
    public static func isBlank(_ line: some Sequence<UInt8>) -> Bool {
        !line.contains { $0 > UInt8(ascii: " ") }
    }

    private static let pointers = Set("^~-| \t\r".utf8)

    /// Whether the line only points at the line above it, as in tracebacks and compiler messages: "    ^^^^^~~".
    public static func isPointer(_ line: some Collection<UInt8>) -> Bool {
        guard let mark = line.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }),
            mark == UInt8(ascii: "^") || mark == UInt8(ascii: "~") || mark == UInt8(ascii: "|")
        else { return false }
        return line.contains(UInt8(ascii: "^")) && line.allSatisfy(pointers.contains)
    }

    /// Whether it is the first line that Swift's runtime prints after a crash.
    public static func beginsBacktrace(_ line: some Collection<UInt8>) -> Bool {
        line.first == UInt8(ascii: "*") && backtraces.contains { line.starts(with: $0) }
    }

    public static func isOfRuntime(_ line: some Collection<UInt8>) -> Bool {
        line.first == UInt8(ascii: "s") && line.starts(with: runtime)
    }

    public var text: String {
        let text = String(decoding: kept, as: UTF8.self).withoutEscapeSequences.terminalSafe
        var out = ""
        var bytes = 0
        var characters = 0
        for character in text {
            characters += 1
            bytes += character.utf8.count
            guard characters <= Self.quoted, bytes <= Self.quotedBytes else { return out + "…" }
            out.append(character)
        }
        return out
    }
}

extension String {
    /// The text without escape sequences for colours or window titles.
    package var withoutEscapeSequences: String {
        guard unicodeScalars.contains("\u{1B}") else { return self }
        var out = UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}", let kind = rest.first else {
                out.append(scalar)
                continue
            }
            switch kind {
            case "[":
                let end = rest.dropFirst().firstIndex { (0x40...0x7E).contains($0.value) }
                rest = end.map { rest[rest.index(after: $0)...] } ?? rest[rest.endIndex...]
            case "]":
                let end = rest.firstIndex { $0 == "\u{07}" || $0 == "\\" }
                rest = end.map { rest[rest.index(after: $0)...] } ?? rest[rest.endIndex...]
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
