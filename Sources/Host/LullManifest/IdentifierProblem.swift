import LullModel

/// An identifier that is not valid, or that is taken.
public enum IdentifierProblem: Sendable, Hashable {
    case app(String, Fault)
    case task(String, Fault)
    case duplicateApp(String, first: FirstPlace)
    case duplicateTask(String, first: FirstPlace)
    /// The same task under two apps.
    case taskOfAnotherApp(String, app: String, first: FirstPlace)
    /// A name with a dot in it, to which the app's identifier is not added.
    case notOfApp(String, app: String)
    /// A wildcard for tasks of a kind that is not begun by a person.
    case wildcardOfKind(String, kind: String)

    var isWarning: Bool { if case .notOfApp = self { true } else { false } }

    /// Where an identifier was first seen.
    public struct FirstPlace: Sendable, Hashable {
        /// Nil: the file that the problem is in.
        public var file: String?
        public var line: Int

        var phrase: String { file.map { "in \($0):\(line)" } ?? "on line \(line)" }
    }

    public enum Fault: Sendable, Hashable {
        case empty
        case tooLong
        case character(String)
        case oneLabel
        case emptyLabel
        case labelStart(String)

        var phrase: String {
            switch self {
            case .empty: "is empty"
            case .tooLong: "is longer than \(Limits.identifierBytes) bytes"
            case .character(let character):
                "contains \(quoted(character)); only ASCII letters, digits, '-', '_' and '.' are allowed"
            case .oneLabel: "has no dot"
            case .emptyLabel: "has an empty part before, after or between its dots"
            case .labelStart(let label): "has a part that begins with \(quoted(label))"
            }
        }
    }

    var message: String {
        switch self {
        case .app(let text, let fault): "\(quoted(text)) is not an app identifier: it \(fault.phrase)"
        case .task(let text, let fault): "\(quoted(text)) is not a task identifier: it \(fault.phrase)"
        case .duplicateApp(let text, let first):
            "the app \(quoted(text)) appears twice; the first is \(first.phrase)"
        case .duplicateTask(let text, let first):
            "the task \(quoted(text)) appears twice; the first is \(first.phrase)"
        case .taskOfAnotherApp(let text, let app, let first):
            "the task \(quoted(text)) already belongs to the app \(quoted(app)), \(first.phrase)"
        case .notOfApp(let text, let app):
            "a name with a dot is the whole identifier, so this task is \(quoted(text)), not "
                + "\(quoted("\(app).\(text)"))"
        case .wildcardOfKind(let text, let kind):
            "\(quoted(text)) is a wildcard, but its kind is \(kind): "
                + "only continued tasks may have wildcards"
        }
    }

    var fix: String {
        switch self {
        case .app(let text, .oneLabel): "write it in reverse DNS: `com.example.\(text)`"
        case .app: "write it in reverse DNS, such as `com.example.ColorFeed`"
        case .task(_, .tooLong): "write a shorter name"
        case .task(let text, .character) where Self.slug(text) != nil: "write `\(Self.slug(text) ?? "")`"
        case .task:
            "write a short name such as `refresh`, or reverse DNS such as `com.example.ColorFeed.refresh`"
        case .duplicateApp: "put all tasks under one of the two"
        case .duplicateTask, .taskOfAnotherApp:
            "rename one of the two: an identifier belongs to one task"
        case .notOfApp(let text, let app):
            "write `\(app).\(text)`, or a name without a dot, such as `\(Self.short(text))`"
        case .wildcardOfKind: "write `kind: continued`, or list each identifier without an asterisk"
        }
    }

    /// The name with an `_` in place of each run of characters that are not permitted; nil if too little would be left.
    private static func slug(_ text: String) -> String? {
        let parts = text.unicodeScalars.split { !isPermitted($0) }.map { String($0) }
        let name = parts.joined(separator: "_")
        let isLong = name.utf8.count > 60 || name.utf8.count * 2 < text.utf8.count
        return isLong || fault(in: "a." + name) != nil ? nil : name
    }

    /// Whether a task's name with a dot in it was perhaps meant as a short name in its app.
    ///
    /// Apple's identifiers need not begin with their app's; but they are reverse DNS, and begin as that does.
    static func isPerhapsShort(_ text: String, in app: String) -> Bool {
        let labels = text.split(separator: ".")
        guard let first = labels.first, labels.count > 1, labels[1] != "*", !text.hasPrefix(app + "."),
            text != app,
            first != app.prefix(while: { $0 != "." })
        else { return false }
        let isDomain =
            first.utf8.count == 2
            || ["com", "org", "net", "edu", "gov", "info", "app", "dev"].contains(first)
        return labels.count == 2 || !isDomain
    }

    /// `backup_nightly`, and `backup_nightly.*`.
    private static func short(_ text: String) -> String {
        let stem = text.hasSuffix(".*") ? text.dropLast(2) : text[...]
        return stem.split(separator: ".").joined(separator: "_") + text.dropFirst(stem.count)
    }

    /// Why `text` is not a task's identifier; nil if it is one.
    static func fault(inTask text: String) -> Fault? {
        fault(in: text.hasSuffix(".*") ? String(text.dropLast(2)) : text)
    }

    /// Why `text` is not a reverse-DNS name; nil if it is one.
    static func fault(in text: String) -> Fault? {
        guard !text.isEmpty else { return .empty }
        if let odd = text.unicodeScalars.first(where: { !isPermitted($0) }) { return .character(String(odd)) }
        guard text.utf8.count <= Limits.identifierBytes else { return .tooLong }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2 else { return .oneLabel }
        for label in labels {
            guard let first = label.first else { return .emptyLabel }
            if first == "-" || first == "_" { return .labelStart(String(first)) }
        }
        return nil
    }

    private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
