/// Encodes a value as a packed value.
final class PackedEncoder: Encoder, SingleValueEncodingContainer {
    fileprivate var value = PackedValue.null
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .record(let parts) = value { return .init(PackedRecordEncoder(parts: parts)) }
        let parts = PackedParts()
        value = .record(parts)
        return .init(PackedRecordEncoder(parts: parts))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        let parts = PackedParts()
        value = .list(parts)
        return PackedListEncoder(parts: parts)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { value = .null }
    func encode(_ value: Bool) { self.value = .bool(value) }
    func encode(_ value: String) { self.value = .text(value) }
    func encode(_ value: Double) { self.value = .double(value) }
    func encode(_ value: Float) { self.value = .double(Double(value)) }
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) {
        self.value = value < 0 ? .negative(Int64(value)) : .positive(UInt64(value))
    }
    func encode<Value: Encodable>(_ value: Value) throws { self.value = try PackedValue(encoding: value) }
}

extension PackedValue {
    init(encoding value: some Encodable) throws {
        let encoder = PackedEncoder()
        try value.encode(to: encoder)
        self = encoder.value
    }
}

private struct PackedRecordEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let parts: PackedParts
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { parts.put(.null, key.stringValue) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        parts.put(try PackedValue(encoding: value), key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        let nested = PackedParts()
        parts.put(.record(nested), key.stringValue)
        return .init(PackedRecordEncoder<Nested>(parts: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = PackedParts()
        parts.put(.list(nested), key.stringValue)
        return PackedListEncoder(parts: nested)
    }

    // Lull encodes no classes.
    func superEncoder() -> any Encoder { PackedEncoder() }
    func superEncoder(forKey key: Key) -> any Encoder { PackedEncoder() }
}

private struct PackedListEncoder: UnkeyedEncodingContainer {
    let parts: PackedParts
    var codingPath: [any CodingKey] { [] }
    var count: Int { parts.values.count }

    func encodeNil() { parts.values.append(.null) }
    func encode<Value: Encodable>(_ value: Value) throws {
        parts.values.append(try PackedValue(encoding: value))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let nested = PackedParts()
        parts.values.append(.record(nested))
        return .init(PackedRecordEncoder<Nested>(parts: nested))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let nested = PackedParts()
        parts.values.append(.list(nested))
        return PackedListEncoder(parts: nested)
    }

    func superEncoder() -> any Encoder { PackedEncoder() }
}
