import LullModel

extension SettingsShape {
    /// The greatest depth of a schema.
    private static let depth = 16

    private static let known = [
        "type", "properties", "required", "additionalProperties", "propertyNames", "items", "enum", "const",
        "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format", "anyOf",
        "oneOf", "title", "description", "default", "examples", "$comment",
    ]

    /// `path`: its path in the document.
    init(_ value: JSONValue, at path: [String]) throws(SettingsSchemaFault) {
        guard path.count <= Self.depth else { throw SettingsSchemaFault(path, .tooDeep(Self.depth)) }
        guard case .object(let members) = value else { throw SettingsSchemaFault(path, .notAnObject) }
        for keyword in members.keys.sorted() {
            guard let value = members[keyword] else { continue }
            try take(keyword, value, at: path)
        }
        if !alternatives.isEmpty, members["anyOf"] != nil, members["oneOf"] != nil {
            throw SettingsSchemaFault(path, .both("anyOf", "oneOf"))
        }
        if !kinds.isEmpty, let stray = required.first(where: { properties[$0] == nil }), others == .none {
            throw SettingsSchemaFault(path + ["required"], .requiredIsUnknown(stray))
        }
    }

    private mutating func take(_ keyword: String, _ value: JSONValue, at path: [String])
        throws(SettingsSchemaFault)
    {
        let place = path + [keyword]
        switch keyword {
        case "type": kinds = try Self.kinds(value, place)
        case "properties": properties = try Self.shapes(value, place)
        case "required": required = try Self.texts(value, place)
        case "additionalProperties":
            switch value {
            case .bool(let isOpen): others = isOpen ? .anything : .none
            default: others = .of(try SettingsShape(value, at: place))
            }
        case "propertyNames": names = [try SettingsShape(value, at: place)]
        case "items": items = [try SettingsShape(value, at: place)]
        case "enum":
            guard case .array(let values) = value, !values.isEmpty else {
                throw SettingsSchemaFault(place, .wrongKeyword("a list of values"))
            }
            choices = values
        case "const": choices = [value]
        case "minimum": least = try Self.number(value, place)
        case "maximum": most = try Self.number(value, place)
        case "minLength": leastLength = try Self.count(value, place)
        case "maxLength": mostLength = try Self.count(value, place)
        case "minItems": leastItems = try Self.count(value, place)
        case "maxItems": mostItems = try Self.count(value, place)
        case "pattern": pattern = try Self.pattern(value, place)
        case "format":
            let text = try Self.text(value, place)
            guard let format = Format(rawValue: text) else {
                throw SettingsSchemaFault(place, .unknownFormat(text))
            }
            self.format = format
        case "anyOf", "oneOf":
            guard case .array(let values) = value, !values.isEmpty else {
                throw SettingsSchemaFault(place, .wrongKeyword("a list of schemas"))
            }
            isExclusive = keyword == "oneOf"
            alternatives = []
            for (number, value) in values.enumerated() {
                alternatives.append(try SettingsShape(value, at: place + [String(number)]))
            }
        case "description": description = try Self.text(value, place)
        case "default": example = example ?? value
        case "examples":
            guard case .array(let values) = value else {
                throw SettingsSchemaFault(place, .wrongKeyword("a list of values"))
            }
            example = values.first ?? example
        case "title", "$comment": break
        default: throw SettingsSchemaFault(path, .unknownKeyword(keyword, known: Self.known))
        }
    }

    private static func kinds(_ value: JSONValue, _ place: [String]) throws(SettingsSchemaFault) -> [Kind] {
        var names: [String] = []
        if case .string(let name) = value { names = [name] } else { names = try texts(value, place) }
        var kinds: [Kind] = []
        for name in names {
            guard let kind = Kind(rawValue: name) else {
                throw SettingsSchemaFault(
                    place, .wrongKeyword(alternatives(Kind.allCases.map(\.rawValue)) + ", or a list of them"))
            }
            kinds.append(kind)
        }
        return kinds
    }

    private static func alternatives(_ words: [String]) -> String { LullManifest.alternatives(words) }

    private static func shapes(_ value: JSONValue, _ place: [String]) throws(SettingsSchemaFault)
        -> [String: SettingsShape]
    {
        guard case .object(let members) = value else { throw SettingsSchemaFault(place, .notAnObject) }
        var shapes: [String: SettingsShape] = [:]
        for name in members.keys.sorted() {
            guard let member = members[name] else { continue }
            shapes[name] = try SettingsShape(member, at: place + [name])
        }
        return shapes
    }

    private static func texts(_ value: JSONValue, _ place: [String]) throws(SettingsSchemaFault) -> [String] {
        guard case .array(let values) = value else {
            throw SettingsSchemaFault(place, .wrongKeyword("a list of texts"))
        }
        var texts: [String] = []
        for value in values { texts.append(try text(value, place)) }
        return texts
    }

    private static func text(_ value: JSONValue, _ place: [String]) throws(SettingsSchemaFault) -> String {
        guard case .string(let text) = value else {
            throw SettingsSchemaFault(place, .wrongKeyword("a text"))
        }
        return text
    }

    private static func number(_ value: JSONValue, _ place: [String]) throws(SettingsSchemaFault) -> Double {
        switch value {
        case .integer(let number): return Double(number)
        case .number(let number): return number
        default: throw SettingsSchemaFault(place, .wrongKeyword("a number"))
        }
    }

    private static func count(_ value: JSONValue, _ place: [String]) throws(SettingsSchemaFault) -> Int {
        guard case .integer(let number) = value, 0...1_000_000 ~= number else {
            throw SettingsSchemaFault(place, .wrongKeyword("a whole number from 0"))
        }
        return Int(number)
    }

    private static func pattern(_ value: JSONValue, _ place: [String]) throws(SettingsSchemaFault) -> String {
        let text = try text(value, place)
        if let problem = ExpressionCheck.problem(with: text) {
            throw SettingsSchemaFault(place, .badPattern(problem.message))
        }
        return text
    }
}
