import LullModel

/// Splits the bytes of a log into lines, whatever the size of the portions.
///
/// A line ends with a line feed, which a carriage return may precede. A line longer than `limit` is skipped up to its
/// end and counted: it costs no more memory than a line that fits.
struct LineSplitter: Sendable, Equatable {
    static let limit = Limits.usageLineBytes

    /// The beginning of a line that is not complete yet.
    private var begun: [UInt8] = []
    private var isTooLong = false
    /// Bytes since the last line's end: a position stays before them until the line is complete.
    private(set) var pending = 0
    private(set) var skipped = 0

    /// With `midLine` the bytes up to the first line's end are skipped as the rest of a line.
    init(midLine: Bool = false) { isTooLong = midLine }

    mutating func feed(_ bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[..<end], body)
            rest = rest[(end + 1)...]
            pending = 0
        }
        pending += rest.count
        guard !isTooLong else { return }
        if begun.count + rest.count > Self.limit {
            overflow()
        } else {
            begun += rest
        }
    }

    /// The end of the file is the end of its last line.
    mutating func finish(_ body: (ArraySlice<UInt8>) -> Void) {
        if pending > 0 { take([], body) }
        pending = 0
    }

    private mutating func take(_ end: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) {
        defer { begun.removeAll(keepingCapacity: true) }
        if isTooLong {
            isTooLong = false
            return
        }
        guard begun.count + end.count <= Self.limit else {
            skipped += 1
            return
        }
        if begun.isEmpty { return body(Self.trimmed(end)) }
        begun += end
        body(Self.trimmed(begun[...]))
    }

    private mutating func overflow() {
        isTooLong = true
        skipped += 1
        begun = []
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
