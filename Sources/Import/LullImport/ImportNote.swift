/// A note about an imported line: that it can't be carried over or will behave otherwise, and what to do.
///
/// The same text is a comment in the manifest, where the line's task is, or would be.
public struct ImportNote: Error, Sendable, Equatable {
    public enum Severity: String, Sendable {
        /// The line is not in the manifest.
        case error
        /// The line is in the manifest, but a part of it is not.
        case warning
        /// The line, file or timer is not in the manifest, because nothing on that machine runs it either.
        case note
    }

    public var severity: Severity
    /// The file, and from 1 the line.
    public var path: String
    public var line: Int
    public var message: String
    public var fix: String

    public init(_ severity: Severity, _ path: String, line: Int, _ message: String, fix: String) {
        self.severity = severity
        self.path = path
        self.line = line
        self.message = message
        self.fix = fix
    }

    /// Whether the import made the comment.
    static func isOurs(_ comment: String) -> Bool {
        ["not carried over: ", "lull: ", "left out: "].contains(where: comment.hasPrefix)
    }

    /// The comment in the manifest.
    var comment: String {
        let label =
            switch severity {
            case .error: "not carried over: "
            case .warning: "lull: "
            case .note: "left out: "
            }
        return label + message + "; " + fix
    }
}
