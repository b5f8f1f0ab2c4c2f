public import LullModel

/// The manifest's shape as a JSON Schema (draft 7), for editors.
///
/// Made from the tables that the reader uses, so that both know the same keys. The schema accepts everything that the reader
/// accepts; both refuse errors of shape (a key, its place, its type, a missing one). Only the reader checks facts of the
/// machine (plugins, zones, files), and keys in combination.
public enum ManifestSchema {
    public static var json: JSONValue {
        var schema = object(of: .top, description: "Which tasks lull may run on this host, and when.")
        // Apps may be in the files that are included or followed.
        schema["required"] = ["version"]
        schema["anyOf"] = [
            ["required": ["apps"]], ["required": ["include"]],
            ["required": ["fleet"], "properties": ["fleet": ["required": ["follow"]]]],
        ]
        schema["$schema"] = "http://json-schema.org/draft-07/schema#"
        schema["title"] = "jobs.yaml, the manifest of lull"
        schema["definitions"] = .object([
            "text": ["type": ["string", "number", "boolean"]],
            "duration": [
                "type": "string", "pattern": "^[0-9]{1,15}[smhdw]$",
                "description": "A whole number and one unit: 90s, 15m, 4h, 7d, 1w.",
            ],
            "size": [
                "type": "string", "pattern": "^[0-9]{1,15}(B|KiB|MiB|GiB|TiB)$",
                "description": "A whole number and B, KiB, MiB, GiB or TiB: 64KiB.",
            ],
            "share": [
                "type": "string", "pattern": "^(\\+?0*(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)|-0+(\\.0+)?)%$",
                "description": "Per cent, from 0% to 100%: 20%, 12.5%.",
            ],
            "cores": [
                "type": "string", "pattern": "^\\+?[0-9]{1,7}(\\.[0-9]+)?%$",
                "description": "Per cent of a processor: 80%, 200%.",
            ],
            "paths": [
                "anyOf": [["enum": ["all"]], ["type": "array", "items": ["$ref": "#/definitions/text"]]]
            ],
            "app": .object(object(of: .app, description: "An app: its plugin, and the tasks it may run.")),
            "task": .object(object(of: .task, description: "A task that the app may run.")),
        ])
        return .object(schema)
    }

    /// A mapping with the keys of a place and no others.
    static func object(of place: Place, description: String? = nil) -> [String: JSONValue] {
        var properties: [String: JSONValue] = [:]
        for key in place.keys { properties[key.rawValue] = property(key, in: place) }
        var object: [String: JSONValue] = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        let required = place.keys.filter { $0.isRequired(in: place) }
        if !required.isEmpty { object["required"] = .array(required.map { .string($0.rawValue) }) }
        if let description { object["description"] = .string(description) }
        return object
    }

    private static func property(_ key: Key, in place: Place) -> JSONValue {
        var shape = shape(of: key, in: place)
        // Keywords beside a reference are ignored.
        if let reference = shape["$ref"] { shape = ["allOf": [["$ref": reference]]] }
        shape["description"] = .string(key.meaning(in: place))
        guard key.mayBeEmpty else { return .object(shape) }
        let description = shape.removeValue(forKey: "description") ?? ""
        shape = ["anyOf": [.object(shape), ["type": "null"]], "description": description]
        return .object(shape)
    }

    static func names(_ pattern: String, of reference: String) -> [String: JSONValue] {
        [
            "type": "object", "propertyNames": ["pattern": .string(pattern), "maxLength": 255],
            "additionalProperties": ["$ref": .string(reference)],
        ]
    }
}

extension Key {
    /// Whether the place needs the key; a source of uses, a recipient and an event have one of several keys.
    public func isRequired(in place: Place) -> Bool {
        switch place {
        case .usage, .notify, .event: false
        default: isRequired
        }
    }
}
