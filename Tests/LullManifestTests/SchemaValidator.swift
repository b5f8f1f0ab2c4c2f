import Foundation
import LullModel

/// As much of JSON Schema, draft 7, as the manifest's schema uses; a word that it does not know is a fault of the test's.
struct SchemaValidator {
    struct Unknown: Error {
        let word: String
    }

    let root: JSONValue

    func accepts(_ value: JSONValue) throws -> Bool { try accepts(value, root) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        guard case .object(let schema) = schema else { return schema != .bool(false) }
        return try schema.allSatisfy { try holds($0.key, $0.value, value, schema) }
    }

    private func holds(
        _ word: String, _ rule: JSONValue, _ value: JSONValue, _ schema: [String: JSONValue]
    ) throws -> Bool {
        switch (word, rule) {
        case ("$schema", _), ("title", _), ("description", _), ("definitions", _): return true
        case ("$ref", .string(let name)):
            guard case .object(let top) = root, case .object(let all)? = top["definitions"],
                let target = all[String(name.dropFirst("#/definitions/".count))]
            else { throw Unknown(word: name) }
            return try accepts(value, target)
        case ("type", .string(let type)): return isOf(type, value)
        case ("type", .array(let types)):
            return types.contains { if case .string(let type) = $0 { isOf(type, value) } else { false } }
        case ("enum", .array(let values)): return values.contains(value)
        case ("const", _): return value == rule
        case ("not", _): return try !accepts(value, rule)
        case ("anyOf", .array(let schemas)): return try schemas.contains { try accepts(value, $0) }
        case ("allOf", .array(let schemas)): return try schemas.allSatisfy { try accepts(value, $0) }
        case ("pattern", .string(let pattern)):
            guard case .string(let text) = value else { return true }
            return text.range(of: pattern, options: .regularExpression) != nil
        case ("maxLength", .integer(let most)):
            guard case .string(let text) = value else { return true }
            return text.unicodeScalars.count <= most
        case ("minimum", _): return try compare(value, rule) { $0 >= $1 }
        case ("maximum", _): return try compare(value, rule) { $0 <= $1 }
        case ("exclusiveMinimum", _): return try compare(value, rule) { $0 > $1 }
        case ("minItems", .integer(let least)):
            guard case .array(let items) = value else { return true }
            return items.count >= least
        case ("items", _):
            guard case .array(let items) = value else { return true }
            return try items.allSatisfy { try accepts($0, rule) }
        case ("required", .array(let names)):
            guard case .object(let members) = value else { return true }
            return names.allSatisfy { if case .string(let name) = $0 { members[name] != nil } else { false } }
        case ("propertyNames", _):
            guard case .object(let members) = value else { return true }
            return try members.keys.allSatisfy { try accepts(.string($0), rule) }
        case ("properties", .object(let known)):
            guard case .object(let members) = value else { return true }
            return try members.allSatisfy { name, member in
                guard let rule = known[name] else { return true }
                return try accepts(member, rule)
            }
        case ("additionalProperties", _):
            guard case .object(let members) = value else { return true }
            var known: [String: JSONValue] = [:]
            if case .object(let names)? = schema["properties"] { known = names }
            return try members.allSatisfy { try known[$0.key] != nil || accepts($0.value, rule) }
        default: throw Unknown(word: word)
        }
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        default: false
        }
    }

    private func compare(_ value: JSONValue, _ rule: JSONValue, _ holds: (Double, Double) -> Bool) throws
        -> Bool
    {
        func number(_ value: JSONValue) -> Double? {
            switch value {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        }
        guard let bound = number(rule) else { throw Unknown(word: rule.text) }
        return number(value).map { holds($0, bound) } ?? true
    }
}
