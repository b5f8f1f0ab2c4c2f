/// Decodes a type from a packed value.
struct PackedDecoder: Decoder, SingleValueDecodingContainer {
    let value: PackedValue
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .record(let parts) = value else { throw Packed.damage("this is not a record") }
        return .init(PackedRecordDecoder(parts: parts))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let parts) = value else { throw Packed.damage("this is not a list") }
        return PackedListDecoder(parts: parts)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { if case .null = value { true } else { false } }
    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let value) = value else { throw Packed.damage("this is neither true nor false") }
        return value
    }
    func decode(_ type: String.Type) throws -> String {
        guard case .text(let text) = value else { throw Packed.damage("this is not a text") }
        return text
    }
    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .double(let number): return number
        case .positive(let number): return Double(number)
        case .negative(let number): return Double(number)
        default: throw Packed.damage("this is not a number")
        }
    }
    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        let number: Number? =
            switch value {
            case .positive(let number): Number(exactly: number)
            case .negative(let number): Number(exactly: number)
            default: nil
            }
        guard let number else { throw Packed.damage("this number does not fit its type") }
        return number
    }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

private struct PackedRecordDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let parts: PackedParts
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { parts.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { parts.value(of: key.stringValue) != nil }

    private func decoder(_ key: Key) throws -> PackedDecoder {
        guard let value = parts.value(of: key.stringValue) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: [], debugDescription: "there is no \(key.stringValue)"))
        }
        return PackedDecoder(value: value)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: try decoder(key))
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = parts.value(of: key.stringValue) else { return nil }
        if case .null = value { return nil }
        return try Value(from: PackedDecoder(value: value))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { PackedDecoder(value: .record(parts)) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct PackedListDecoder: UnkeyedDecodingContainer {
    let parts: PackedParts
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { parts.values.count }
    var isAtEnd: Bool { currentIndex >= parts.values.count }

    init(parts: PackedParts) { self.parts = parts }

    private mutating func next() throws -> PackedDecoder {
        guard !isAtEnd else { throw Packed.damage("the list has no more") }
        defer { currentIndex += 1 }
        return PackedDecoder(value: parts.values[currentIndex])
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, case .null = parts.values[currentIndex] else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: try next()) }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try next() }
}
