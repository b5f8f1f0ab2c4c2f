import LullHost
import LullManifest

/// Something to say of a manifest, with its place and remedy: what its reader found, or what starting its plugins did.
struct ManifestNote: Encodable {
    let severity: Diagnostic.Severity
    let path: String
    /// From 1; nil when the file as a whole is meant.
    let line: Int?
    let column: Int?
    let message: String
    let fix: String?
    /// As the reader shows it, with the line and a caret.
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
    }

    init(_ severity: Diagnostic.Severity, _ path: String, line: Int, _ message: String, fix: String?) {
        self.severity = severity
        self.path = path
        self.line = line
        column = 1
        self.message = message
        self.fix = fix
        diagnostic = nil
    }

    func rendered(for terminal: Terminal) -> String {
        if let diagnostic { return diagnostic.rendered(colour: terminal.hasColour) }
        let label = terminal.styled(severity.rawValue + ":", severity == .error ? .red : .yellow)
        let place = terminal.styled("\(path):\(line ?? 1):\(column ?? 1):", .bold)
        return "\(place) \(label) \(message.harmlessLines)"
            + (fix.map { "\nhelp: " + $0.harmlessLines } ?? "")
    }
}
