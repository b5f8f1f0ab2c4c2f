/// A line as a program printed it, and as it may be quoted.
///
/// Bytes that are no UTF-8 are repaired, colours are left out, what would steer a terminal becomes a picture of itself,
/// and a long line loses its end. Of a line that a carriage return wrote over, as progress bars do, the last state counts.
public struct PrintedLine: Sendable {
    /// In characters.
    public static let quoted = 200
    /// Of so many bytes at most, whatever a character is made of: so the quoted lines find room beside their reason.
    private static let quotedBytes = 320
    /// A character has four bytes at most, and escape sequences take some.
    private static let keptBytes = 8 * quoted
    private static let backtraces = ["*** Signal ", "*** Program crashed"].map { Array($0.utf8) }
    private static let runtime = Array("swift-runtime: ".utf8)

    /// As much of it as is needed to quote it.
    public let kept: [UInt8]

    public init(_ bytes: some BidirectionalCollection<UInt8>) {
        let line = bytes.last == Self.carriageReturn ? bytes.dropLast() : bytes[...]
        kept = Self.begun(line)
    }

    /// As much of a line that has no end yet as is needed to go on with it.
    public static func begun(_ bytes: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let over = bytes.dropLast().lastIndex(of: carriageReturn)
        let line = over.map { bytes[bytes.index(after: $0)...] } ?? bytes[...]
        let isOver = line.count > keptBytes && line.last == carriageReturn
        return Array(line.prefix(keptBytes)) + (isOver ? [carriageReturn] : [])
    }

    private static let carriageReturn = UInt8(ascii: "\r")

    public var isBlank: Bool { Self.isBlank(kept) }

    /// Of floods every line is looked at so, and nothing is copied.
    public static func isBlank(_ line: some Sequence<UInt8>) -> Bool {
        !line.contains { $0 > UInt8(ascii: " ") }
    }

    private static let pointers = Set("^~-| \t\r".utf8)

    /// Whether it does nothing but point at the line above it, as tracebacks and compilers do: "    ^^^^^~~".
    public static func isPointer(_ line: some Collection<UInt8>) -> Bool {
        guard let mark = line.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }),
            mark == UInt8(ascii: "^") || mark == UInt8(ascii: "~") || mark == UInt8(ascii: "|")
        else { return false }
        return line.contains(UInt8(ascii: "^")) && line.allSatisfy(pointers.contains)
    }

    /// Whether it is the first line of what Swift's runtime prints after a crash.
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
    /// Without the sequences by which a program colours its text or names a window.
    fileprivate var withoutEscapeSequences: String {
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
