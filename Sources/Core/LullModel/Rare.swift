/// A property that most values of a type do not have: it takes the room of a pointer, whatever its size.
///
/// Events, requests and definitions are copied for each decision; an absent property makes no copy larger.
@propertyWrapper @frozen
public enum Rare<Value> {
    case none
    indirect case some(Value)

    @inlinable public init(wrappedValue: Value?) {
        self = wrappedValue.map { .some($0) } ?? .none
    }

    @inlinable public var wrappedValue: Value? {
        get { if case .some(let value) = self { value } else { nil } }
        set { self = Self(wrappedValue: newValue) }
    }
}

extension Rare: Sendable where Value: Sendable {}
extension Rare: Equatable where Value: Equatable {}
extension Rare: Hashable where Value: Hashable {}

extension Rare: CustomReflectable {
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue as Any) }
}

/// Coded like an optional property: absent, or the bare value.
extension Rare: Codable where Value: Codable {
    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value?(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    public func decode<Value: Codable>(_: Rare<Value>.Type, forKey key: Key) throws -> Rare<Value> {
        Rare(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value: Codable>(_ rare: Rare<Value>, forKey key: Key) throws {
        try encodeIfPresent(rare.wrappedValue, forKey: key)
    }
}
