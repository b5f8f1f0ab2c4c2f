/// A reason in two parts: the sentence about how a run ended, and the last lines that it printed before.
///
/// Only the lines may hold a secret. A reader who may see reasons but not output gets the sentence alone. So the lines
/// follow a fixed marker and go to the end of the reason.
public struct PrintedLast: Sendable, Equatable {
    public static let beginning = "; it printed last: "

    /// The sentence before the lines. A full stop at its end is dropped when lines follow.
    public var sentence: String
    public var lines: [String]

    public init(sentence: String, lines: [String]) {
        self.sentence = sentence
        self.lines = lines
    }

    public init(_ reason: String) {
        guard let clause = reason.firstRange(of: Self.beginning) else {
            self.init(sentence: reason, lines: [])
            return
        }
        let lines = reason[clause.upperBound...].split(separator: "\n").map(String.init)
        self.init(sentence: String(reason[..<clause.lowerBound]), lines: lines)
    }

    /// Both parts as one text, each printed line on a line of its own.
    public var reason: String { joined(lines, by: "\n") }

    /// The sentence and the last few lines on one line. The lines are in quotes, so that they do not read as part of the
    /// sentence.
    public var inOneLine: String {
        var cause = CrashCause()
        for line in lines { cause.append(Array(line.utf8)) }
        let why = cause.lines.map { String(decoding: $0, as: UTF8.self) }
        var few = Array(lines.suffix(LastLines.few))
        if let first = why.first, !few.contains(first) { few = why }
        return joined(few.map { "\"\($0)\"" }, by: " / ")
    }

    private func joined(_ lines: [String], by separator: String) -> String {
        guard !lines.isEmpty else { return sentence }
        return sentence.withoutFullStop + Self.beginning + lines.joined(separator: separator)
    }
}

extension String {
    /// The text for a sentence that goes on, or for brackets.
    public var withoutFullStop: String {
        var text = self
        while text.last == "." { text.removeLast() }
        return text
    }
}
