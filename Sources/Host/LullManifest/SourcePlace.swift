/// A place in a manifest's file, with the line as it is shown to people.
public struct SourcePlace: Sendable, Hashable {
    public var path: String
    /// From 1.
    public var line: Int
    /// In characters, from 1.
    public var column: Int
    /// The column after the last character, when that is on the same line.
    public var endColumn: Int?
    /// The line, without its end; of a very long line only the part around the place.
    public var sourceLine: String?
    /// The column of `sourceLine`'s first character: 1 unless the line was cut.
    public var sourceColumn = 1

    public init(path: String, line: Int, column: Int, endColumn: Int? = nil) {
        self.path = path
        self.line = line
        self.column = column
        self.endColumn = endColumn
    }

    init(path: String, _ span: Span, in lines: inout SourceLines) {
        self.init(path: path, line: Int(span.start.line) + 1, column: Int(span.start.column) + 1)
        if span.end.line == span.start.line, span.end.column > span.start.column {
            endColumn = Int(span.end.column) + 1
        }
        let (text, column) = lines.excerpt(around: span.start)
        sourceLine = text
        sourceColumn = column + 1
    }

    /// For a terminal: the place and the sentence, the line with a caret under the place, and the remedy.
    public func rendered(
        _ severity: Diagnostic.Severity, _ message: String, fix: String?, colour: Bool = false
    ) -> String {
        let paint = Paint(isOn: colour)
        let path = path.terminalSafe
        let start = line == 0 ? "\(path):" : "\(path):\(line):\(column):"
        let label = severity == .error ? paint.red("error:") : paint.yellow("warning:")
        var lines = ["\(paint.bold(start)) \(label) \(paint.bold(message))"]
        if let sourceLine {
            let shown = ShownLine(sourceLine, from: sourceColumn, column: column, endColumn: endColumn)
            let number = String(line)
            let gutter = String(repeating: " ", count: max(5, number.count + 1))
            lines.append("\(gutter.dropLast(number.count))\(number) | \(shown.text)")
            lines.append("\(gutter) | \(shown.indent)\(paint.green(shown.caret))")
        }
        if let fix { lines.append("\(paint.cyan("help:")) \(fix)") }
        return lines.joined(separator: "\n")
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
