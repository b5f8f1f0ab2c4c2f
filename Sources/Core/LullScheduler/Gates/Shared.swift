/// A large value that is read a part at a time, without a copy of the whole.
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

    /// Other holders of the value do not see the change.
    subscript<Part>(dynamicMember part: WritableKeyPath<Value, Part>) -> Part {
        get { box.value[keyPath: part] }
        set {
            var value = box.value
            value[keyPath: part] = newValue
            box = Box(value)
        }
    }
}
