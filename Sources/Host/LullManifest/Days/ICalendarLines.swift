import LullModel

/// The content lines of an iCalendar file (RFC 5545, 3.1): folded lines are joined, and each knows its place.
struct ICalendarLines {
    struct Line {
        /// In upper case.
        var name: String
        /// By their names in upper case.
        var parameters: [String: String]
        var value: String
        /// The place of the value in the file, or of the whole line if a fold separates them.
        var span: Span

        /// The values of a list, each with its own place if the line has the text as it is read.
        func values() -> [(text: String, span: Span)] {
            var column = Int(span.start.column)
            let isWhole = Int(span.end.column) - column == value.unicodeScalars.count
            return value.split(separator: ",", omittingEmptySubsequences: false).map { part in
                let count = part.unicodeScalars.count
                defer { column += count + 1 }
                let own = Span(line: Int(span.start.line), column: column, count: max(1, count))
                return (String(part), isWhole ? own : span)
            }
        }
    }

    private let bytes: [UInt8]
    private var at = 0
    private var number = 0
    /// The place of the last line.
    private(set) var last = Span(line: 0, column: 0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next line that is not empty, or its place if it has no colon; nil: there are no more.
    mutating func next() -> Result<Line, ICalendarFault>? {
        while at < bytes.count {
            let (line, first, isFolded) = (number, at, read())
            last = Span(line: line, column: 0, count: max(1, count(bytes[first..<isFolded.end])))
            guard let text = isFolded.text else { return .failure(ICalendarFault(.notText, at: last)) }
            guard !text.allSatisfy(\.isWhitespace) else { continue }
            return parse(text, at: last, isWhole: !isFolded.isJoined)
        }
        return nil
    }

    /// One line, with the lines that continue it: they begin with a space or a tab.
    private mutating func read() -> (text: String?, end: Int, isJoined: Bool) {
        var text = piece()
        let end = at
        skipEnd()
        var isJoined = false
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 {
            at += 1
            text += piece()
            skipEnd()
            isJoined = true
        }
        // A fold may split a character.
        return (String(validating: text, as: UTF8.self), end, isJoined)
    }

    private mutating func piece() -> ArraySlice<UInt8> {
        let start = at
        while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at += 1 }
        return bytes[start..<at]
    }

    private mutating func skipEnd() {
        guard at < bytes.count else { return }
        at += bytes[at] == 0x0D && at + 1 < bytes.count && bytes[at + 1] == 0x0A ? 2 : 1
        number += 1
    }

    private func count(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }

    /// `NAME;PARAMETER=VALUE;…:VALUE`; a value in quotes may hold any of these signs.
    private func parse(_ text: String, at span: Span, isWhole: Bool) -> Result<Line, ICalendarFault> {
        let scalars = Array(text.unicodeScalars)
        var pieces: [Range<Int>] = []
        var (start, isQuoted, colon) = (0, false, -1)
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\"" { isQuoted.toggle() }
            guard !isQuoted, scalar == ";" || scalar == ":" else { continue }
            pieces.append(start..<index)
            start = index + 1
            if scalar == ":" {
                colon = index
                break
            }
        }
        func string(_ range: Range<Int>) -> String {
            String(String.UnicodeScalarView(scalars[range]))
        }
        guard colon > 0, let name = pieces.first, !name.isEmpty else {
            return .failure(ICalendarFault(.noColon, at: span))
        }
        var parameters: [String: String] = [:]
        for piece in pieces.dropFirst() {
            guard let equals = scalars[piece].firstIndex(of: "=") else { continue }
            parameters[string(piece.lowerBound..<equals).uppercased()] = string(equals + 1..<piece.upperBound)
        }
        let value = colon + 1..<scalars.count
        let own = Span(line: Int(span.start.line), column: value.lowerBound, count: max(1, value.count))
        return .success(
            Line(
                name: string(name).uppercased(), parameters: parameters, value: string(value),
                span: isWhole ? own : span))
    }
}

/// A problem of a calendar file, with its place.
struct ICalendarFault: Error {
    var problem: CalendarProblem
    var span: Span

    init(_ problem: CalendarProblem, at span: Span) { (self.problem, self.span) = (problem, span) }
}
