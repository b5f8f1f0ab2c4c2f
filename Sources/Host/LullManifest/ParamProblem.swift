import LullModel

/// An error in the `params` of a task.
public enum ParamProblem: Sendable, Hashable {
    case name(String)
    case sameVariable(String, String)
    case tooMany(Int)
    case tooLarge(Int)
    case noDefault(String)
    case notOneValue(String)
    case expression(String, ValuePattern.Fault)
    case twoRules
    case noChoices
    case choice(TaskParam.Fault?)
    case choiceTwice(String)
    /// The parameter with its rule; `choice`: the first value of `one_of`.
    case defaultRefused(String, name: String, rule: String, choice: String?)
    case badDefault(name: String, TaskParam.Fault)
    case perhapsSecret(String)
    case unquoted(String)
    case undeclared(String, nearest: String?)

    var isWarning: Bool {
        switch self {
        case .perhapsSecret, .unquoted, .undeclared: true
        default: false
        }
    }

    var message: String {
        switch self {
        case .name(let text): "\(quoted(text)) is no name for a parameter"
        case .sameVariable(let first, let second):
            "the parameters '\(first)' and '\(second)' would be one variable, \(TaskParam.variable(for: first))"
        case .tooMany(let count): "the task has \(count) parameters; it may have \(TaskParam.most)"
        case .tooLarge(let bytes):
            "the defaults have \(bytes) bytes together; they may have \(TaskParam.totalBytes)"
        case .noDefault(let name): "the parameter \(quoted(name)) has no default"
        case .notOneValue(let name): "the parameter \(quoted(name)) takes a default, or keys and values"
        case .expression(let text, let fault): "\(quoted(text)) can't be used as `match`: \(fault.message)"
        case .twoRules: "a parameter has `match` or `one_of`, not both"
        case .noChoices: "`one_of` is empty, so the parameter would have no value"
        case .choice(let fault?): "a value of `one_of` \(fault.message)"
        case .choice(nil): "each value of `one_of` must be text"
        case .choiceTwice(let text): "\(quoted(text)) appears twice in `one_of`"
        case .defaultRefused(let value, let name, let rule, _):
            "the default \(quoted(value)) is no value for the parameter '\(name)', which \(rule)"
        case .badDefault(let name, let fault): "the default of the parameter '\(name)' \(fault.message)"
        case .perhapsSecret(let name):
            "'\(name)' looks like a secret, and parameters are shown in the history, by `lull why` and on the page"
        case .unquoted(let variable):
            "the command uses $\(variable) without quotes, so the shell splits its value at spaces and expands `*`"
        case .undeclared(let variable, _):
            "the command uses $\(variable), and `params` has no parameter of that name"
        }
    }

    var fix: String {
        switch self {
        case .name:
            "begin it with a letter, and go on with letters, digits, `_` and `-`, up to \(TaskParam.nameBytes)"
        case .sameVariable: "rename one of them"
        case .tooMany:
            "take some out, or put what belongs together into a file, and make its path a parameter"
        case .tooLarge: "put long values into a file, and make its path the parameter"
        case .noDefault(let name): "write `\(name): \"\"` for an empty text, or another default"
        case .notOneValue(let name): "write, for example, `\(name): { default: info, one_of: [info, debug] }`"
        case .expression(_, .tooLong): "write a shorter one"
        case .expression:
            "write a POSIX extended regular expression in single quotes, such as `match: '[0-9]+'`"
        case .twoRules: "keep one of the two"
        case .noChoices: "name the values, such as `one_of: [info, debug]`, or leave `one_of` out for any"
        case .choice:
            "write text on one line, up to \(TaskParam.valueBytes) bytes, such as `one_of: [info, debug]`"
        case .choiceTwice: "keep one of the two"
        case .defaultRefused(_, _, _, let choice?): "write `default: \(choice)`, or add the value to `one_of`"
        case .defaultRefused: "write a default that matches: a run without `--param` has it"
        case .badDefault: "write text on one line, up to \(TaskParam.valueBytes) bytes"
        case .perhapsSecret:
            "hand secrets over in a file that only the app can read, as `secrets` of the plugin Command does"
        case .unquoted(let variable): "write \"$\(variable)\", in double quotes"
        case .undeclared(_, let nearest?): "did you mean $\(nearest)?"
        case .undeclared: "declare it in `params`, or take it out"
        }
    }
}

extension TaskParam.Fault {
    /// After "the default of the parameter 'date'".
    fileprivate var message: String {
        switch self {
        case .tooLong(let bytes): "has \(bytes) bytes; a value may have \(TaskParam.valueBytes)"
        case .control(let scalar): "has the control character \(TaskParam.code(scalar))"
        case .notUTF8: "has the character U+FFFD, which stands for bytes that are not UTF-8"
        case .noMatch, .noChoice: "is no value for it"
        }
    }
}

extension ValuePattern.Fault {
    fileprivate var message: String {
        switch self {
        case .empty: "it is empty"
        case .unclosedGroup: "a `(` is not closed"
        case .strayParenthesis: "a `)` closes nothing"
        case .unclosedBracket: "a `[` is not closed"
        case .reversedRange: "a range in brackets ends before it begins"
        case .badClass: "there is no such class of characters"
        case .nothingToRepeat: "`*`, `+`, `?` or `{` stands behind nothing"
        case .badCount: "`{` needs a count, such as {3} or {1,4}"
        case .tooMany: "it is too large: counts are written out, to at most 2000 characters"
        case .backReference: "back references are not supported"
        case .group: "`(?` is not supported, except `(?:`"
        case .anchor:
            "`^` and `$` may stand only at its ends, where they change nothing: all of a value has to match"
        case .unfinishedEscape: "it ends with `\\`"
        case .unknownEscape(let character): "`\\\(character)` is not supported"
        case .tooLong(let bytes): "it has \(bytes) bytes, and may have \(ValuePattern.bytes)"
        }
    }
}
