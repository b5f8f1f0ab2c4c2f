/// Messages for a log that others may read: without any piece of the manifest's text.
extension ManifestProblem {
    /// Nil if there is no such sentence.
    var unquoted: String? {
        switch self {
        case .syntax(let problem): problem.unquoted
        case .text(let problem): problem.message
        case .setting(let problem): problem.unquoted
        case .value(.wrongType(.settings, _, _, _)): "`settings` must be keys and values"
        case .structure(.entryIsNotAMapping(let place, _)): "\(place.phrase) must be keys and values"
        case .structure(.tag): "a tag of YAML is not part of a manifest"
        case .structure(.unknownAlias): "no anchor above has the name of this alias"
        default: nil
        }
    }
}

extension SyntaxProblem {
    fileprivate var unquoted: String {
        switch self {
        case .spaceAfterColon: "the space after a colon is missing"
        case .noColon: "a key is without its colon"
        case .escape(.some): "text in double quotes has an escape that YAML does not know"
        case .behindValue: "more text follows what closes a value"
        case .firstCharacter: "text without quotes can't begin with this character"
        case .lookalike: "a character only looks like the one that belongs here"
        default: message
        }
    }
}

extension SettingProblem {
    fileprivate var unquoted: String {
        switch self {
        case .duplicate(_, let line):
            "a key of `settings` appears twice; the first is on line \(line)"
        case .notANumber: "a number in `settings` is one that JSON does not have"
        case .leadingZero:
            "a value in `settings` means different things in different versions of YAML"
        case .noValue: "a key of `settings` has no value: in braces a comma ends the text before it"
        case .braces: "a text in `settings` is in braces without quotes, so YAML reads it as keys"
        case .numberTooLarge: "a number in `settings` does not fit 64 bits"
        case .tooLarge, .reserved, .comment: message
        }
    }
}
