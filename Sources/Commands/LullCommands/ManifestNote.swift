import LullHost
import LullManifest
import LullModel

/// A note about a manifest, with its place and remedy: from its reader, or from a start of its plugins.
package struct ManifestNote: Encodable {
    package let severity: Diagnostic.Severity
    package let path: String
    /// From 1; nil when the note is about the file as a whole.
    package let line: Int?
    package let column: Int?
    package let message: String
    package let fix: String?
    /// The message without its subject.
    private let said: String
    /// A program's name, or whatever else is all that differs between notes that are otherwise alike.
    package var name: String?
    /// Whether it says that something is missing, which may stand in the part that could not be read.
    package var isAboutMissing = false
    /// With the line, which is shown with a caret.
    private let place: SourcePlace?
    private let diagnostic: Diagnostic?

    private enum CodingKeys: CodingKey { case severity, path, line, column, message, fix }

    package init(_ diagnostic: Diagnostic) {
        severity = diagnostic.severity
        path = diagnostic.path
        line = diagnostic.line > 0 ? diagnostic.line : nil
        column = diagnostic.line > 0 ? diagnostic.column : nil
        message = diagnostic.message
        said = message
        fix = diagnostic.fix
        self.diagnostic = diagnostic
        place = nil
    }

    /// `subject`: the task or app that begins the message. `aside`: the end of the message where it is shown first.
    package init(
        _ severity: Diagnostic.Severity, at place: SourcePlace, of subject: String? = nil, _ said: String,
        aside: String = "", fix: String?
    ) {
        self.severity = severity
        path = place.path
        line = place.line
        column = place.column
        self.said = said
        message = (subject.map { $0 + ": " } ?? "") + said + aside
        self.fix = fix
        self.place = place
        diagnostic = nil
    }

    /// The parts that are equal in notes of the same kind at different places.
    package struct Likeness: Hashable {
        package let severity: Diagnostic.Severity
        package let said: String
        package let fix: String?
    }

    package var likeness: Likeness {
        func withoutName(_ text: String) -> String { name.map { text.replacing($0, with: "*") } ?? text }
        return Likeness(severity: severity, said: withoutName(said), fix: fix.map(withoutName))
    }

    package func rendered(for terminal: Terminal) -> String {
        if let diagnostic { return diagnostic.rendered(colour: terminal.hasColour) }
        let place = place ?? SourcePlace(path: path, line: line ?? 0, column: column ?? 0)
        return place.rendered(
            severity, message.terminalSafeLines, fix: fix?.terminalSafeLines, colour: terminal.hasColour)
    }
}
