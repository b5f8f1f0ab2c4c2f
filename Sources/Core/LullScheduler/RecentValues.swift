/// The newest values by their keys, as many as there is room for.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var limit: Int { 1024 }
    private var values: [Key: Value] = [:]
    /// In a ring, once it is full.
    private var keys: [Key] = []
    private var oldest = 0

    mutating func note(_ value: Value, _ key: Key) {
        guard values.updateValue(value, forKey: key) == nil else { return }
        guard keys.count == Self.limit else { return keys.append(key) }
        values[keys[oldest]] = nil
        keys[oldest] = key
        oldest = (oldest + 1) % Self.limit
    }

    mutating func take(_ key: Key) -> Value? { values.removeValue(forKey: key) }

    func key(where holds: (Value) -> Bool) -> Key? { values.first { holds($0.value) }?.key }

    /// Set only to change one that is there.
    subscript(key: Key) -> Value? {
        get { values[key] }
        set { values[key] = newValue }
    }
}
