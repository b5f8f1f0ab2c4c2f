/// A problem of a manifest, as facts; `message` and `fix` make the sentences.
public enum ManifestProblem: Sendable, Hashable {
    case file(FileProblem)
    case include(IncludeProblem)
    case text(TextProblem)
    case syntax(SyntaxProblem)
    case structure(StructureProblem)
    case value(ValueProblem)
    case setting(SettingProblem)
    case identifier(IdentifierProblem)
    case plugin(PluginProblem)
    case usage(UsageProblem)
    case sense(SenseProblem)
    case rhythm(RhythmProblem)
    case lookalike(LookalikeProblem)
    case notice(NoticeProblem)
    case event(EventProblem)
    case fleet(FleetProblem)
    case param(ParamProblem)
    case calendar(CalendarProblem)

    /// The problem, without a full stop.
    public var message: String { shown(facts.message) }
    /// The remedy.
    public var fix: String { shown(facts.fix) }

    private var facts: (message: String, fix: String) {
        switch self {
        case .file(let problem): (problem.message, problem.fix)
        case .include(let problem): (problem.message, problem.fix)
        case .text(let problem): (problem.message, problem.fix)
        case .syntax(let problem): (problem.message, problem.fix)
        case .structure(let problem): (problem.message, problem.fix)
        case .value(let problem): (problem.message, problem.fix)
        case .setting(let problem): (problem.message, problem.fix)
        case .identifier(let problem): (problem.message, problem.fix)
        case .plugin(let problem): (problem.message, problem.fix)
        case .usage(let problem): (problem.message, problem.fix)
        case .sense(let problem): (problem.message, problem.fix)
        case .rhythm(let problem): (problem.message, problem.fix)
        case .lookalike(let problem): (problem.message, problem.fix)
        case .notice(let problem): (problem.message, problem.fix)
        case .event(let problem): (problem.message, problem.fix)
        case .fleet(let problem): (problem.message, problem.fix)
        case .param(let problem): (problem.message, problem.fix)
        case .calendar(let problem): (problem.message, problem.fix)
        }
    }

    public var severity: Diagnostic.Severity {
        switch self {
        case .usage(let problem) where problem.isWarning: .warning
        case .include(let problem) where problem.isWarning: .warning
        case .sense(let problem) where problem.isWarning: .warning
        case .notice(let problem) where problem.isWarning: .warning
        case .setting(let problem) where problem.isWarning: .warning
        case .identifier(let problem) where problem.isWarning: .warning
        case .event(let problem) where problem.isWarning: .warning
        case .fleet(let problem) where problem.isWarning: .warning
        case .param(let problem) where problem.isWarning: .warning
        case .rhythm: .warning
        default: .error
        }
    }

    /// Whether it may pass without an edit: a link, a share, a folder or an account that is away for a while.
    public var mayPass: Bool {
        switch self {
        case .file(.empty), .file(.tooLarge), .include(.noName), .include(.patternInFolder),
            .include(.tooMany):
            false
        case .file, .include, .plugin, .calendar(.file): true
        default: false
        }
    }

    /// Whether an app's settings are not known as a whole because of it.
    public var isAboutSettings: Bool {
        switch self {
        case .setting, .value(.wrongType(.settings, _, _, _)), .structure(.notDeeper(_, than: "settings")):
            true
        default: false
        }
    }

    /// Whether the sentences may hold a piece of an app's settings.
    var mayQuoteSettings: Bool {
        switch self {
        case .setting, .syntax, .text, .value(.wrongType(.settings, _, _, _)): true
        case .structure(.entryIsNotAMapping), .structure(.tag), .structure(.unknownAlias): true
        default: false
        }
    }

    /// Whether a character that only looks like the right one may be all that is wrong with the text, and whether the text
    /// may be shown.
    func isPerhapsLookalike(_ text: String) -> (isOne: Bool, showsText: Bool) {
        switch self {
        case .value(.wrongType(.settings, _, _, _)): (false, false)
        case .value, .structure(.unknownKey), .identifier(.app(_, .character)),
            .identifier(.task(_, .character)), .notice(.expectation):
            (true, true)
        case .structure(.entryIsNotAMapping), .notice(.address), .notice(.webAddress): (true, false)
        // A file's name may hold any; that one begins with a quote is not likely.
        case .plugin(.notFound), .plugin(.noPluginPath):
            (LookalikeProblem.first(in: String(text.prefix(1)), showsText: false) != nil, true)
        default: (false, false)
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

/// Text from the manifest in a sentence: in quotes, and not too long.
func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    return scalars.count <= 60 ? "'\(text)'" : "'\(String(scalars.prefix(60)))…'"
}

/// A terminal-safe sentence: on one line, of limited length, and without characters that a terminal
/// obeys.
private func shown(_ sentence: String) -> String {
    var out = ""
    for (count, scalar) in sentence.unicodeScalars.enumerated() {
        guard count < 2000 else { return out + "…" }
        switch scalar {
        case "\n": out += "\\n"
        case "\r": out += "\\r"
        case "\t": out += "\\t"
        case _ where ShownLine.isInvisible(scalar): out += ShownLine.name(of: scalar)
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out
}

/// "a", "a or b", "a, b or c".
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}
