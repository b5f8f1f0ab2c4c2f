import LullModel

/// The values that a setting may have, as a plugin's schema says it: a subset of JSON Schema.
public struct SettingsShape: Sendable, Equatable {
    /// The types of JSON, in the words of its schemas.
    public enum Kind: String, Sendable, CaseIterable {
        case object, array, string, integer, number, boolean, null
    }

    /// The purpose of a text.
    public enum Format: String, Sendable, CaseIterable {
        case duration, size
        /// A file or folder that has to exist; a folder that has to exist.
        case path, folder
        /// A program, by its path or its name; in a list the first item.
        case program
        /// A line for a shell.
        case command
    }

    /// The shape of members that are not in `properties`.
    indirect enum Others: Sendable, Equatable {
        case anything, none
        case of(SettingsShape)
    }

    /// Empty for any kind.
    var kinds: [Kind] = []
    var properties: [String: SettingsShape] = [:]
    var required: [String] = []
    var others = Others.anything
    /// The shape of the members' names: none or one.
    var names: [SettingsShape] = []
    /// The shape of a list's items: none or one.
    var items: [SettingsShape] = []
    var choices: [JSONValue] = []
    var least: Double?
    var most: Double?
    /// The length of a text in characters, and of a list in items.
    var leastLength: Int?
    var mostLength: Int?
    var leastItems: Int?
    var mostItems: Int?
    var pattern: String?
    var format: Format?
    /// The value has to fit one of these, if there are any; `isExclusive`: exactly one.
    var alternatives: [SettingsShape] = []
    var isExclusive = false
    var description: String?
    var example: JSONValue?

    init() {}

    /// Whether the shape takes this kind of value, whatever other faults the value has.
    func takesKind(of value: JSONValue) -> Bool {
        guard kinds.isEmpty || kinds.contains(where: value.isOf) else { return false }
        return alternatives.isEmpty || alternatives.contains { $0.takesKind(of: value) }
    }

    /// All kinds that it takes, those of its alternatives included.
    var allKinds: [Kind] {
        if !kinds.isEmpty { return kinds }
        if !alternatives.isEmpty {
            return Kind.allCases.filter { kind in alternatives.contains { $0.allKinds.contains(kind) } }
        }
        return choices.isEmpty ? [] : Kind.allCases.filter { kind in choices.contains { $0.isOf(kind) } }
    }

    /// The shape without required members, for settings that others complete.
    var withoutRequired: SettingsShape {
        var shape = self
        shape.required = []
        return shape
    }
}

extension JSONValue {
    func isOf(_ kind: SettingsShape.Kind) -> Bool {
        switch (self, kind) {
        case (.object, .object), (.array, .array), (.string, .string), (.bool, .boolean), (.null, .null),
            (.integer, .integer), (.integer, .number), (.number, .number):
            true
        case (.number(let number), .integer): number == number.rounded()
        default: false
        }
    }
}
