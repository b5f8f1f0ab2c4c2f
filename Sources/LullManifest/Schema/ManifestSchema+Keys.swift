import LullModel

/// What stands behind each key. There is no default: who adds a key says here what it takes.
extension ManifestSchema {
    typealias Shape = [String: JSONValue]

    static func shape(of key: Key, in place: Place) -> Shape {
        switch key {
        case .version: ["const": 1]
        case .include: ["type": "array", "items": .object(text)]
        case .defaults: object(of: .defaults)
        case .apps: names(appPattern, of: "#/definitions/app")
        case .tasks: names(taskPattern, of: "#/definitions/task")
        case .plugin, .description, .user, .log, .login, .access, .unit, .match, .time, .timezone,
            .mail, .webhook, .url, .atLeast:
            text
        case .enabled, .externalPower, .idle, .fail: boolean
        case .settings: ["type": "object", "propertyNames": ["not": ["const": "lull"]]]
        case .usage: usage
        case .limits: object(of: .limits)
        case .sha256: ["type": ["string", "number"], "pattern": "^[0-9a-f]{64}$"]
        case .idleAfter: ["anyOf": [["enum": ["never"]], ["$ref": "#/definitions/duration"]]]
        case .idleClock: choices(App.IdleClock.self)
        case .kind: choices(Kind.self)
        case .objective: choices(Objective.self)
        case .missed: choices(MissedTimes.self)
        case .privileges: choices(ManifestDecoder.Privileges.self)
        case .at: ["anyOf": [.object(text), ["type": "array", "minItems": 1, "items": .object(text)]]]
        case .requires: object(of: .requires)
        case .retry: object(of: .retry)
        case .retention: object(of: .retention)
        case .journal where place == .notify: ["const": true]
        case .journal: object(of: .journal)
        case .notify:
            ["type": "array", "items": ["anyOf": .array(alternatives(.notify, ManifestDecoder.sinkKeys))]]
        case .on:
            [
                "anyOf": [
                    .object(choices(NoticeKind.self)),
                    ["type": "array", "minItems": 1, "items": .object(choices(NoticeKind.self))],
                ]
            ]
        case .command: ["type": "array", "minItems": 1, "items": .object(text)]
        case .heartbeat:
            [
                "anyOf": [
                    .object(text), .object(object(of: place == .task ? .taskHeartbeat : .heartbeat)),
                ]
            ]
        case .expect: object(of: .expect)
        case .windows, .quiet:
            ["type": "array", "items": ["type": "string", "pattern": "[0-9]{1,2}:[0-9]{2} *$"]]
        case .grace: ["anyOf": [["$ref": "#/definitions/duration"], .object(object(of: .grace))]]
        case .budget:
            [
                "anyOf": [
                    ["type": "number", "exclusiveMinimum": 0, "maximum": 1440],
                    .object(object(of: .budget)),
                ]
            ]
        case .concurrency where place == .defaults:
            ["anyOf": [.object(integer(1...1000)), .object(object(of: .concurrency))]]
        case .concurrency, .host, .app: integer(1...1000)
        case .priority: integer(-100...100)
        case .nice: integer(-20...19)
        case .processes: integer(1...100_000)
        case .descriptors: integer(32...1 << 20)
        case .network where place == .limits: boolean
        case .network: choices(Requirements.Network.self)
        case .batteryAbove, .fresh, .cpu: reference("share")
        case .loadBelow: ["type": "number", "exclusiveMinimum": 0, "maximum": 100]
        case .diskFree, .memory, .disk, .outputSize: reference("size")
        case .read, .write: reference("paths")
        case .keepWarm, .repeat, .latest, .timeLimit, .minGap, .first, .max, .warning, .kill, .within,
            .events,
            .output, .spread, .tolerance, .every:
            reference("duration")
        }
    }

    /// Any word that YAML might take for a number or a boolean is text here as well.
    private static var text: Shape { reference("text") }
    private static var boolean: Shape { ["type": "boolean"] }

    private static func reference(_ name: String) -> Shape { ["$ref": .string("#/definitions/" + name)] }

    private static func integer(_ range: ClosedRange<Int>) -> Shape {
        [
            "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
            "maximum": .integer(Int64(range.upperBound)),
        ]
    }

    private static func choices<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) -> Shape
    {
        ["enum": .array(type.allCases.map { .string($0.rawValue) })]
    }

    /// `manual`, or sources, each with the keys of its kind.
    private static var usage: Shape {
        let sources = alternatives(.usage, ManifestDecoder.sourceKeys) { kind in
            kind == .log ? (needs: [.time], lacks: []) : (needs: [], lacks: [.match, .time])
        }
        return [
            "anyOf": [
                ["enum": ["manual"]],
                ["type": "array", "minItems": 1, "items": ["anyOf": .array(sources)]],
            ]
        ]
    }

    /// Mappings of one place of which each has one of `kinds`, and not the others.
    private static func alternatives(
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
