import LullModel

/// The shapes that keys have in the schema.
extension ManifestSchema {
    typealias Shape = [String: JSONValue]

    /// Any word that YAML might take for a number or a boolean is text here as well.
    static var text: Shape { reference("text") }
    static var boolean: Shape { ["type": "boolean"] }

    static func reference(_ name: String) -> Shape { ["$ref": .string("#/definitions/" + name)] }

    /// Text with a pattern; a number or a boolean in its place is text that does not match.
    static func matching(_ pattern: String) -> Shape { ["type": "string", "pattern": .string(pattern)] }

    static func integer(_ range: ClosedRange<Int>) -> Shape {
        [
            "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
            "maximum": .integer(Int64(range.upperBound)),
        ]
    }

    static func choices<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) -> Shape {
        ["enum": .array(type.allCases.map { .string($0.rawValue) })]
    }

    static var labels: Shape {
        [
            "type": "object", "propertyNames": ["pattern": .string(FleetDefinition.labelPattern)],
            "additionalProperties": .object(text),
        ]
    }

    /// `manual`, or sources, each with the keys of its kind.
    static var usage: Shape {
        let fleet = JSONValue.string(ManifestDecoder.usesOfFleet)
        let sources = alternatives(.usage, ManifestDecoder.sourceKeys) { kind in
            kind == .log ? (needs: [.time], lacks: []) : (needs: [], lacks: [.match, .time])
        }
        return [
            "anyOf": [
                ["enum": ["manual", fleet]],
                ["type": "array", "minItems": 1, "items": ["anyOf": .array(sources + [["enum": [fleet]]])]],
            ]
        ]
    }

    /// One event or a list of them, each a word or a mapping with the keys of its kind.
    static var events: Shape {
        let words: JSONValue = ["enum": .array(ManifestDecoder.eventWords.map { .string($0) })]
        let mappings = alternatives(.event, ManifestDecoder.eventKeys) { kind in
            kind == .path ? (needs: [], lacks: []) : (needs: [], lacks: [.settle])
        }
        return oneOrList([words] + mappings)
    }

    /// One of these, or a list of them.
    static func oneOrList(_ forms: [JSONValue]) -> Shape {
        ["anyOf": .array(forms + [["type": "array", "minItems": 1, "items": ["anyOf": .array(forms)]]])]
    }

    /// Mappings of one place of which each has one of `kinds`, and not the others.
    static func alternatives(
        _ place: Place, _ kinds: [Key], _ more: (Key) -> (needs: [Key], lacks: [Key]) = { _ in ([], []) }
    ) -> [JSONValue] {
        kinds.map { kind in
            let (needs, lacks) = more(kind)
            var alternative = object(of: place)
            if case .object(var properties)? = alternative["properties"] {
                for other in kinds.filter({ $0 != kind }) + lacks { properties[other.rawValue] = nil }
                alternative["properties"] = .object(properties)
            }
            alternative["required"] = .array(([kind] + needs).map { .string($0.rawValue) })
            return .object(alternative)
        }
    }

    private static let label = "[A-Za-z0-9][-A-Za-z0-9_]*"
    static let appPattern = "^\(label)(\\.\(label))+$"
    /// A short name or a whole one; an asterisk at its end permits many.
    static let taskPattern = "^(\(label)(\\.\(label))*(\\.\\*)?|\\*)$"
}
