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
        var few = telling(LastLines.few)
        if let first = why.first, !few.contains(first) { few = why }
        return joined(few.map { "\"\($0)\"" }, by: " / ")
    }

    /// The lines that say most where there is no room for all: the first that names an error, and the last ones. Many programs
    /// print the cause first and clean up then.
    public func telling(_ most: Int) -> [String] {
        guard lines.count > most, let first = lines.firstIndex(where: Self.namesError),
            first < lines.count - most
        else { return Array(lines.suffix(most)) }
        return [lines[first]] + lines.suffix(most - 1)
    }

    private static func namesError(_ line: String) -> Bool {
        let line = line.lowercased()
        return errors.contains(where: line.contains) && !counts.contains(where: line.contains)
    }

    private static let errors = [
        "error", "fatal", "fail", "cannot", "can't", "could not", "couldn't", "unable to", "denied",
        "no such",
        "no space", "not found", "not permitted", "refused", "invalid", "timed out", "damaged", "exception",
    ]
    /// "0 errors" is no error.
    private static let counts = ["0 error", "no error", "0 fail", "errors: 0", "failed: 0", "failed=0"]

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
