/// One problem of a manifest, with its place, the line itself and the remedy.
public struct Diagnostic: Error, Sendable, Equatable {
    public enum Severity: String, Sendable, Codable { case error, warning }

    public var path: String
    /// From 1; 0 when the file as a whole is meant.
    public var line: Int
    /// In characters, from 1; 0 when the file as a whole is meant.
    public var column: Int
    /// The column after the last character, when that is on the same line.
    public var endColumn: Int?
    public var problem: ManifestProblem
    /// The line, without its end; of a very long line only what is around the place.
    public var sourceLine: String?
    /// The column of `sourceLine`'s first character: 1 unless the line was cut.
    public var sourceColumn = 1

    public var severity: Severity { problem.severity }
    public var message: String { problem.message }
    public var fix: String { problem.fix }

    /// About the file as a whole.
    public init(path: String, problem: ManifestProblem) {
        self.init(path: path, line: 0, column: 0, problem: problem)
    }

    public init(path: String, line: Int, column: Int, endColumn: Int? = nil, problem: ManifestProblem) {
        self.path = path
        self.line = line
        self.column = column
        self.endColumn = endColumn
        self.problem = problem
    }

    /// For a terminal: the place and the sentence, the line with a caret under the place, and the remedy.
    public func rendered(colour: Bool = false) -> String {
        let paint = Paint(isOn: colour)
        let place = line == 0 ? "\(path):" : "\(path):\(line):\(column):"
        let label = severity == .error ? paint.red("error:") : paint.yellow("warning:")
        var lines = ["\(paint.bold(place)) \(label) \(paint.bold(message))"]
        if let sourceLine {
            let shown = ShownLine(sourceLine, from: sourceColumn, column: column, endColumn: endColumn)
            let number = String(line)
            let gutter = String(repeating: " ", count: max(5, number.count + 1))
            lines.append("\(gutter.dropLast(number.count))\(number) | \(shown.text)")
            lines.append("\(gutter) | \(shown.indent)\(paint.green(shown.caret))")
        }
        lines.append("\(paint.cyan("help:")) \(fix)")
        return lines.joined(separator: "\n")
    }

    /// For a log, which others may read: without the line, and without what may stand in `settings`.
    public var logged: String {
        let place = line == 0 ? "\(path):" : "\(path):\(line):\(column):"
        let shows = "something here is not right; `lull check` shows what"
        return "\(place) \(severity.rawValue): \(problem.mayQuoteSettings ? shows : message + "; " + fix)"
    }
}

extension Diagnostic: Encodable {
    private enum CodingKeys: String, CodingKey {
        case severity, path, line, column, message, fix
        case endColumn = "end_column"
        case sourceLine = "source_line"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(severity, forKey: .severity)
        try container.encode(path, forKey: .path)
        if line > 0 {
            try container.encode(line, forKey: .line)
            try container.encode(column, forKey: .column)
        }
        try container.encodeIfPresent(endColumn, forKey: .endColumn)
        try container.encode(message, forKey: .message)
        try container.encode(fix, forKey: .fix)
        try container.encodeIfPresent(sourceLine, forKey: .sourceLine)
    }
}

/// The few colours of a diagnostic.
private struct Paint {
    let isOn: Bool

    func bold(_ text: String) -> String { wrap(text, "1") }
    func red(_ text: String) -> String { wrap(text, "1;31") }
    func green(_ text: String) -> String { wrap(text, "1;32") }
    func yellow(_ text: String) -> String { wrap(text, "1;33") }
    func cyan(_ text: String) -> String { wrap(text, "1;36") }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
