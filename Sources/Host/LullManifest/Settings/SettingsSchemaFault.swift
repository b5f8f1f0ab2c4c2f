import LullModel

/// An error in the schema that a plugin declares for its settings: its author has to correct it, and the host is not harmed.
public struct SettingsSchemaFault: Error, Sendable, Equatable {
    public enum Fact: Sendable, Equatable {
        /// Longer than is read, or without an end.
        case tooLong(limit: Int)
        /// Several of them in one file.
        case several
        case notJSON
        case version
        case notAnObject
        case tooDeep(Int)
        case unknownKeyword(String, known: [String])
        /// With the right form.
        case wrongKeyword(String)
        case unknownFormat(String)
        case badPattern(String)
        case both(String, String)
        case requiredIsUnknown(String)
    }

    /// The path in the document.
    public let path: [String]
    public let fact: Fact

    public init(_ path: [String], _ fact: Fact) {
        self.path = path
        self.fact = fact
    }

    private var place: String { path.isEmpty ? "it" : "`/\(path.joined(separator: "/"))`" }

    /// As a clause about the schema.
    public var message: String {
        switch fact {
        case .tooLong(let limit): "it is longer than \(limit >> 10) KiB, or has no end"
        case .several: "the plugin holds several that differ"
        case .notJSON: "it is not JSON"
        case .version: "it is not of version 1, which this lull reads"
        case .notAnObject: "\(place) is not an object"
        case .tooDeep(let depth): "\(place) is deeper than \(depth) levels"
        case .unknownKeyword(let word, _): "\(place) has the unknown keyword '\(word)'"
        case .wrongKeyword(let right): "\(place) is not \(right)"
        case .unknownFormat(let format): "\(place) is the unknown format '\(format)'"
        case .badPattern(let words): "\(place) is not a POSIX extended regular expression: \(words)"
        case .both(let one, let other): "\(place) has both `\(one)` and `\(other)`"
        case .requiredIsUnknown(let name): "\(place) names '\(name)', which `properties` does not have"
        }
    }

    public var fix: String {
        switch fact {
        case .tooLong: "shorten it: write descriptions of one line"
        case .several: "declare one"
        case .notJSON: "write JSON: names and texts in double quotes, no comma after the last one"
        case .version: "begin it with `\"lull_settings\": 1`, and use a lull that reads it"
        case .notAnObject: "write `{ \"type\": \"object\", \"properties\": { … } }`"
        case .tooDeep: "flatten the settings"
        case .unknownKeyword(let word, let known):
            Spelling.nearest(to: word, among: known).map { "did you mean `\($0)`?" }
                ?? "take it out: lull could not check it. docs/plugins.md lists the known keywords"
        case .wrongKeyword(let right): "write \(right) there"
        case .unknownFormat:
            "write \(alternatives(SettingsShape.Format.allCases.map(\.rawValue))), or take it out"
        case .badPattern: "correct it, or take it out and describe the text in `description`"
        case .both: "write one of the two"
        case .requiredIsUnknown: "correct the name"
        }
    }
}
