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
    /// The line, without its end; of a very long line only the part around the place.
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

    private var place: SourcePlace {
        var place = SourcePlace(path: path, line: line, column: column, endColumn: endColumn)
        place.sourceLine = sourceLine
        place.sourceColumn = sourceColumn
        return place
    }

    /// For a terminal: the place and the sentence, the line with a caret under the place, and the remedy.
    public func rendered(colour: Bool = false) -> String {
        place.rendered(severity, message, fix: fix, colour: colour)
    }

    /// For a log, which others may read: without the line, and without any text of `settings`.
    public var logged: String {
        let place = line == 0 ? "\(path):" : "\(path):\(line):\(column):"
        let shows = (problem.unquoted ?? "something here is not right") + "; `lull check` shows the line"
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
