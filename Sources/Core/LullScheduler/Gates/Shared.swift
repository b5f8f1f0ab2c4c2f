/// A large value that many look at, a part at a time: nobody copies it to see one.
@dynamicMemberLookup
struct Shared<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value { box.value }

    subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part { box.value[keyPath: part] }

    /// Whoever else looks at it does not see the change.
    subscript<Part>(dynamicMember part: WritableKeyPath<Value, Part>) -> Part {
        get { box.value[keyPath: part] }
        set {
            var value = box.value
            value[keyPath: part] = newValue
            box = Box(value)
        }
    }
}
