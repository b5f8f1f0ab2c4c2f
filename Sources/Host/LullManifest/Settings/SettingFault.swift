public import LullModel

/// A value of an app's settings that its plugin's own schema refuses.
public struct SettingFault: Sendable, Equatable {
    public enum Fact: Sendable, Equatable {
        case unknown(String, known: [String])
        case missing(String, example: String?, description: String?)
        case wrongKind(expected: [SettingsShape.Kind], found: JSONValue, example: String?)
        case notAChoice([JSONValue], found: JSONValue)
        case outOfRange(String, found: JSONValue)
        /// "empty", or how long it is and may be.
        case length(String, remedy: String)
        case pattern(String, description: String?)
        case format(SettingsShape.Format, found: String)
        case severalFit
        case name(String, description: String?)
    }

    /// Keys, and the numbers of items: of the value, or of the mapping in which something is missing.
    public let path: [String]
    public let fact: Fact

    /// Whether the place is the key and not its value.
    public var isAboutKey: Bool {
        switch fact {
        case .unknown, .name: true
        default: false
        }
    }

    public var isMissing: Bool {
        if case .missing = fact { true } else { false }
    }

    /// The value as it is named: `run`, `env.PATH`, item 2 of `success`, `path` of item 1 of `databases`.
    private static func name(_ path: some Collection<String>) -> String {
        guard !path.isEmpty else { return "`settings`" }
        let path = Array(path)
        guard let item = path.indices.dropFirst().last(where: { Int(path[$0]) != nil }),
            let number = Int(path[item])
        else { return "`\(path.joined(separator: "."))`" }
        let list = "item \(number + 1) of `\(path[..<item].joined(separator: "."))`"
        let rest = path[(item + 1)...]
        return rest.isEmpty ? list : "`\(rest.joined(separator: "."))` of \(list)"
    }

    private var name: String { Self.name(path) }

    public var message: String {
        switch fact {
        case .unknown(let key, _):
            "unknown setting \(quoted(key))" + (path.count > 1 ? " in \(Self.name(path.dropLast()))" : "")
        case .missing(let key, _, let description):
            "the setting '\(key)' is missing"
                + (path.isEmpty ? "" : " in \(name)") + (description.map { " (\(Self.clause($0)))" } ?? "")
        case .wrongKind(let expected, let found, _):
            "\(name) takes \(Self.words(for: expected)), not \(found.phrase)"
        case .notAChoice(let choices, let found):
            "\(name) must be \(alternatives(choices.map(\.word))), not \(quoted(found.word))"
        case .outOfRange(let range, let found): "\(name) must be \(range), not \(found.word)"
        case .length(let words, _): "\(name) is \(words)"
        case .pattern(let text, _): "\(name) can't be \(quoted(text))"
        case .format(let format, let text):
            text.isEmpty ? "\(name) is empty" : "\(name) takes \(format.phrase), not \(quoted(text))"
        case .severalFit: "\(name) can be understood in several ways"
        case .name(let key, _): "\(quoted(key)) can't be a name in \(Self.name(path.dropLast()))"
        }
    }

    /// The same for a log, which others may read: without the value, which may be a secret.
    public var logged: String {
        let sentence =
            switch fact {
            case .unknown, .missing, .length, .severalFit, .name: message
            case .wrongKind(let expected, _, _): "\(name) has to be \(Self.words(for: expected))"
            case .notAChoice(let choices, _): "\(name) has to be \(alternatives(choices.map(\.word)))"
            case .outOfRange(let range, _): "\(name) has to be \(range)"
            case .pattern: "\(name) has an invalid value"
            case .format(let format, let text):
                text.isEmpty ? "\(name) is empty" : "\(name) has to be \(format.phrase)"
            }
        // A value is found again in these alone.
        let remedy =
            switch fact {
            case .wrongKind, .notAChoice: "`lull check` shows what is there"
            default: fix
            }
        return "\(sentence); \(remedy)"
    }

    public var fix: String {
        switch fact {
        case .unknown(let key, let known):
            if path.count == 1, let setting = UsualGuess.setting(key), known.contains(setting) {
                "did you mean `\(setting)`?"
            } else if let nearest = Spelling.nearest(to: key, among: known) {
                "did you mean `\(nearest)`?"
            } else if path.count == 1, let way = Self.way(of: key, known) {
                way
            } else if known.isEmpty {
                "take it out: there are no settings here"
            } else {
                "take it out; there are \(known.map { "`\($0)`" }.joined(separator: ", "))"
            }
        case .missing(let key, let example?, _): "write, for example, `\(key): \(example)`"
        case .missing(let key, nil, _): "add `\(key)`"
        case .wrongKind(let expected, let found, let example):
            if expected.contains(.string), !expected.contains(where: found.isOf), let text = found.scalar {
                "put it in quotes if it is meant as text: `\(key)\"\(text)\"`"
                    + (example.map { "; or write, for example, `\(key)\($0)`" } ?? "")
            } else if let example, !key.isEmpty {
                "write, for example, `\(key)\(example)`"
            } else {
                "write \(Self.words(for: expected))"
            }
        case .notAChoice(let choices, let found):
            choices.contains { $0.word == found.word }
                ? "write `\(found.word)` without quotes"
                : Spelling.nearest(to: found.word, among: choices.map(\.word)).map { "did you mean `\($0)`?" }
                    ?? "write \(alternatives(choices.map { "`\($0.word)`" }))"
        case .outOfRange(let range, _): "write a number \(range)"
        case .length(_, let remedy): remedy
        case .pattern(_, let description):
            description.map { "correct it: it is \(Self.clause($0))" } ?? "see the plugin's documentation"
        case .name(_, let description):
            description.map { "write \(Self.clause($0))" } ?? "see the plugin's documentation"
        case .format(let format, _): "write, for example, `\(key)\(format.example)`"
        case .severalFit: "write it so that it fits only one"
        }
    }

    /// The remedy for a key that does not belong in settings; nil if there is none.
    private static func way(of key: String, _ known: [String]) -> String? {
        let meaning = Key(rawValue: key).map { .key($0) } ?? UsualGuess.nearMeaning(key)
        switch meaning {
        case .key(let meant)? where Place.task.keys.contains(meant):
            return "write `\(meant.rawValue)` in the task, outside its `settings`: `\(meant.example)`"
        case .key(let meant)? where Place.app.keys.contains(meant):
            return "write `\(meant.rawValue)` in the app, outside its `settings`: `\(meant.example)`"
        case .setting(let setting)? where known.contains(setting): return "did you mean `\(setting)`?"
        case .way(let way)?: return way
        default: break
        }
        let isVariable = key.allSatisfy { $0.isUppercase || $0 == "_" } && known.contains("env")
        return isVariable ? "variables belong in `env`: `env: { \(key): … }`" : nil
    }

    /// `keep: `, before a value that is to be written; an item of a list has none.
    private var key: String {
        guard let last = path.last, Int(last) == nil else { return "" }
        return last + ": "
    }

    /// A description as a part of a sentence.
    private static func clause(_ text: String) -> String {
        let first = text.split(separator: "\n").first.map(String.init) ?? ""
        let words = first.hasSuffix(".") ? first.dropLast() : first[...]
        // A capital begins a sentence; two begin an abbreviation.
        guard words.dropFirst().first?.isUppercase != true else { return String(words) }
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// `null` beside other kinds is not mentioned.
    private static func words(for kinds: [SettingsShape.Kind]) -> String {
        let kinds = kinds.count > 1 ? kinds.filter { $0 != .null } : kinds
        return alternatives(kinds.map(\.phrase))
    }
}

extension SettingsShape.Kind {
    var phrase: String {
        switch self {
        case .object: "keys and values"
        case .array: "a list"
        case .string: "text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .null: "nothing"
        }
    }
}

extension SettingsShape.Format {
    var phrase: String {
        switch self {
        case .duration: "a duration"
        case .size: "a size"
        case .path: "a path"
        case .folder: "a folder"
        case .program: "a program"
        case .command: "a command"
        }
    }

    var example: String {
        switch self {
        case .duration: "15m"
        case .size: "64KiB"
        case .path: "/var/lib/app/data"
        case .folder: "/var/lib/app"
        case .program: "/usr/bin/rsync"
        case .command: "backup --all"
        }
    }
}

extension JSONValue {
    /// A number or boolean as it is written; nil for other values.
    var scalar: String? {
        switch self {
        case .integer, .number, .bool: text
        default: nil
        }
    }

    /// As a word in a sentence: a text without its quotes.
    var word: String {
        if case .string(let text) = self { text } else { text }
    }

    var phrase: String {
        switch self {
        case .null: "nothing"
        case .bool, .integer, .number: text
        case .string(let text): "the text \(quoted(text))"
        case .array: "a list"
        case .object: "keys and values"
        }
    }
}
