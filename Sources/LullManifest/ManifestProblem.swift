/// What can be wrong with a manifest, as facts; `message` and `fix` make the sentences.
public enum ManifestProblem: Sendable, Hashable {
    case file(FileProblem)
    case text(TextProblem)
    case syntax(SyntaxProblem)
    case structure(StructureProblem)
    case value(ValueProblem)
    case setting(SettingProblem)
    case identifier(IdentifierProblem)
    case plugin(PluginProblem)
    case usage(UsageProblem)
    case sense(SenseProblem)

    /// What is wrong, without a full stop.
    public var message: String {
        switch self {
        case .file(let problem): problem.message
        case .text(let problem): problem.message
        case .syntax(let problem): problem.message
        case .structure(let problem): problem.message
        case .value(let problem): problem.message
        case .setting(let problem): problem.message
        case .identifier(let problem): problem.message
        case .plugin(let problem): problem.message
        case .usage(let problem): problem.message
        case .sense(let problem): problem.message
        }
    }

    /// What to do about it.
    public var fix: String {
        switch self {
        case .file(let problem): problem.fix
        case .text(let problem): problem.fix
        case .syntax(let problem): problem.fix
        case .structure(let problem): problem.fix
        case .value(let problem): problem.fix
        case .setting(let problem): problem.fix
        case .identifier(let problem): problem.fix
        case .plugin(let problem): problem.fix
        case .usage(let problem): problem.fix
        case .sense(let problem): problem.fix
        }
    }

    public var severity: Diagnostic.Severity {
        switch self {
        case .usage(.logMissing), .usage(.logUnreadable): .warning
        case .sense(let problem) where problem.isWarning: .warning
        default: .error
        }
    }

    /// Whether nothing after it was read.
    var stopsReading: Bool {
        switch self {
        case .file, .text, .syntax: true
        case .structure(let problem): problem.stopsReading
        default: false
        }
    }
}

/// Text from the manifest as it may stand in a sentence: on one line, not too long, no control characters.
func quoted(_ text: String) -> String {
    var out = ""
    var count = 0
    for scalar in text.unicodeScalars {
        guard count < 60 else {
            out += "…"
            break
        }
        count += 1
        switch scalar {
        case "\n": out += "\\n"
        case "\r": out += "\\r"
        case "\t": out += "\\t"
        default:
            if ShownLine.isInvisible(scalar) { out += ShownLine.name(of: scalar) } else { out.unicodeScalars.append(scalar) }
        }
    }
    return "'\(out)'"
}

/// "a", "a or b", "a, b or c".
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}
