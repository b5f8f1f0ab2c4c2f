import LullHost
import LullManifest
import LullModel

/// Something to say of a manifest, with its place and remedy: what its reader found, or what starting its plugins did.
struct ManifestNote: Encodable {
    let severity: Diagnostic.Severity
    let path: String
    /// From 1; nil when the file as a whole is meant.
    let line: Int?
    let column: Int?
    let message: String
    let fix: String?
    /// Whether what is missing may be what could not be read.
    var isAboutMissing = false
    /// With the line, which is shown with a caret.
    private let place: SourcePlace?
    private let diagnostic: Diagnostic?

    private enum CodingKeys: CodingKey { case severity, path, line, column, message, fix }

    init(_ diagnostic: Diagnostic) {
        severity = diagnostic.severity
        path = diagnostic.path
        line = diagnostic.line > 0 ? diagnostic.line : nil
        column = diagnostic.line > 0 ? diagnostic.column : nil
        message = diagnostic.message
        fix = diagnostic.fix
        self.diagnostic = diagnostic
        place = nil
    }

    init(_ severity: Diagnostic.Severity, at place: SourcePlace, _ message: String, fix: String?) {
        self.severity = severity
        path = place.path
        line = place.line
        column = place.column
        self.message = message
        self.fix = fix
        self.place = place
        diagnostic = nil
    }

    func rendered(for terminal: Terminal) -> String {
        if let diagnostic { return diagnostic.rendered(colour: terminal.hasColour) }
        let place = place ?? SourcePlace(path: path, line: line ?? 0, column: column ?? 0)
        return place.rendered(
            severity, message.harmlessLines, fix: fix?.harmlessLines, colour: terminal.hasColour)
    }
}
