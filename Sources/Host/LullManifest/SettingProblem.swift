import LullModel

/// A value in `settings` that can't be passed to the plugin as JSON, or that is probably a mistake.
public enum SettingProblem: Error, Sendable, Hashable {
    case tooLarge(bytes: Int?)
    case reserved
    case duplicate(String, firstLine: Int)
    case notANumber(String)
    case leadingZero(String, decimal: String)
    case numberTooLarge(String)
    /// A key in braces with nothing after it; with the text before its comma, of which it was perhaps a part.
    case noValue(String, meant: String?)
    /// Text in braces, which YAML reads as keys without values; with the form that was meant.
    case braces(String, meant: String)
    /// A `#` that begins a comment, perhaps by mistake.
    case comment

    var isWarning: Bool { self == .comment }

    var message: String {
        switch self {
        case .tooLarge(let bytes?):
            "these settings are \(bytes) bytes of JSON; at most \(Limits.settingsBytes) are "
                + "handed to a plugin"
        case .tooLarge(nil):
            "these settings are more than \(Limits.settingsBytes) bytes of JSON, the most that "
                + "is handed to a plugin"
        case .reserved: "the key 'lull' in `settings` is lull's own"
        case .duplicate(let key, let line):
            "the key \(quoted(key)) appears twice; the first is on line \(line)"
        case .notANumber(let text): "\(quoted(text)) is a number in YAML that JSON does not have"
        case .leadingZero(let text, _):
            "\(quoted(text)) means different things in different versions of YAML"
        case .noValue(let key, _) where Self.pair(key) != nil: "the key \(quoted(key)) has no value"
        case .noValue(let key, _):
            "the key \(quoted(key)) has no value: in braces a comma ends the text before it"
        case .braces(let key, _):
            "the value of `\(key)` is in braces, so YAML reads it as keys without values"
        case .comment: "` #` begins a comment: what follows it is not part of this command"
        case .numberTooLarge(let text): "the number \(quoted(text)) does not fit 64 bits"
        }
    }

    var fix: String {
        switch self {
        case .tooLarge: "put them into a file, and write its path here"
        case .reserved: "choose another name"
        case .duplicate: "keep one of the two"
        case .noValue(let key, _) where Self.pair(key) != nil: "write `\(Self.pair(key) ?? "")`"
        case .noValue(let key, let meant?):
            "put text with a comma in quotes: `\(meant)`; or write `\(quotable(key)): null`"
        case .noValue(let key, nil): "put text with a comma in quotes, or write `\(quotable(key)): null`"
        case .braces(_, let meant): "put it in quotes if it is text: `\(meant)`"
        case .comment:
            "if the command goes on there, put it in quotes, `'…'`; if this is a comment, put a space after the `#`"
        case .notANumber(let text), .numberTooLarge(let text):
            "put it in quotes to pass it on as text: `\"\(text)\"`"
        case .leadingZero(let text, let decimal):
            "write `\"\(text)\"` for the text, or `\(decimal)` for the number"
        }
    }

    /// `A:b` and `A=b` as a pair.
    private static func pair(_ key: String) -> String? {
        guard let mark = key.firstIndex(where: { $0 == ":" || $0 == "=" }), mark != key.startIndex,
            key[..<mark].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }), key.utf8.count <= 60,
            key.index(after: mark) < key.endIndex, !key.contains("`")
        else { return nil }
        return key[..<mark] + ": " + key[key.index(after: mark)...]
    }

    private func quotable(_ key: String) -> String { String(key.unicodeScalars.prefix(60)) }
}
