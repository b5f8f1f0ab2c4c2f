/// A reason in two: what is said of how a run ended, and the last lines that it printed before.
///
/// The lines are the one part of a reason that may hold a secret. Who may read reasons but not output is shown them
/// without it, so it is known by its beginning and goes to the reason's end.
public struct PrintedLast: Sendable, Equatable {
    public static let beginning = "; it printed last: "

    /// As it stands before the lines: with its full stop where there are none, without where there are.
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

    /// Both as one text, a line of what was printed in each line.
    public var reason: String { joined(lines, by: "\n") }

    /// The last of them where there is room for one line; in quotes, for a word that was printed would read as one of the
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
    /// So that it can go on, or stand in brackets.
    public var withoutFullStop: String {
        var text = self
        while text.last == "." { text.removeLast() }
        return text
    }
}
