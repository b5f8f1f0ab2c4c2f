/// The lines of a text, looked up from the top downwards without an index of them all.
///
/// A line ends as libyaml ends it: at LF, CR, or both.
struct SourceLines {
    /// How many bytes around the place are kept of a longer line.
    static let kept = 400

    private let bytes: [UInt8]
    private var line = 0
    private var offset = 0
    /// Where the current line ends, once that is known.
    private var lineEnd: Int?
    /// The place in the current line that was looked up last.
    private var column = 0
    private var columnOffset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Begins at a line whose first byte is known, so that nothing before it is walked through.
    init(_ bytes: [UInt8], atLine line: Int, from offset: Int) {
        self.bytes = bytes
        (self.line, self.offset, columnOffset) = (line, offset, offset)
    }

    /// The first byte of each line.
    static func starts(in bytes: [UInt8]) -> [Int] {
        var lines = SourceLines(bytes)
        var starts: [Int] = []
        while case let range = lines.range(ofLine: starts.count), range.lowerBound < bytes.count {
            starts.append(range.lowerBound)
        }
        return starts
    }

    /// Line `number`, from 0, without its end; empty behind the last line.
    mutating func range(ofLine number: Int) -> Range<Int> {
        if number < line { (line, offset, lineEnd, column, columnOffset) = (0, 0, nil, 0, 0) }
        while line < number, offset < bytes.count {
            offset = Self.next(after: lineEnd ?? Self.end(from: offset, in: bytes), in: bytes)
            line += 1
            (lineEnd, column, columnOffset) = (nil, 0, offset)
        }
        guard line == number else { return bytes.count..<bytes.count }
        let end = lineEnd ?? Self.end(from: offset, in: bytes)
        lineEnd = end
        return offset..<end
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The line of `mark` around it, and the column, from 0, of the excerpt's first character.
    mutating func excerpt(around mark: Mark) -> (text: String, column: Int) {
        let range = range(ofLine: Int(mark.line))
        guard range.count > Self.kept else { return (text(range), 0) }
        let at = offset(ofColumn: Int(mark.column), in: range)
        var start = max(range.lowerBound, at - Self.kept / 2)
        while start < at, Self.isContinuation(bytes[start]) { start += 1 }
        var end = min(range.upperBound, at + Self.kept / 2)
        while end < range.upperBound, Self.isContinuation(bytes[end]) { end += 1 }
        let before = bytes[start..<at].count { !Self.isContinuation($0) }
        return (text(start..<end), Int(mark.column) - before)
    }

    /// Goes on from the last look-up in the same line, so that a thousand places in one line cost one walk.
    private mutating func offset(ofColumn wanted: Int, in range: Range<Int>) -> Int {
        if wanted < column { (column, columnOffset) = (0, range.lowerBound) }
        while column < wanted, columnOffset < range.upperBound {
            columnOffset += 1
            while columnOffset < range.upperBound, Self.isContinuation(bytes[columnOffset]) {
                columnOffset += 1
            }
            column += 1
        }
        return columnOffset
    }

    private static func end(from offset: Int, in bytes: [UInt8]) -> Int {
        var at = offset
        while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at += 1 }
        return at
    }

    private static func next(after end: Int, in bytes: [UInt8]) -> Int {
        guard end < bytes.count else { return end }
        return bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A ? end + 2 : end + 1
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
