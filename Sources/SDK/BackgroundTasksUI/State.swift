/// An object that views would observe. There are no views here, so changes are announced to nobody.
///
/// There is no Combine on Linux, so this is the name alone, without `objectWillChange`.
///
/// Apple: Combine, `ObservableObject`.
public protocol ObservableObject: AnyObject {}

/// A property of an observable object; a plain value here.
///
/// Apple: Combine, `Published`.
@propertyWrapper
public struct Published<Value> {
    /// The current value.
    public var wrappedValue: Value

    /// Sets the first value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// Sets the first value.
    public init(initialValue: Value) { wrappedValue = initialValue }
}

extension Published: Sendable where Value: Sendable {}

/// A value that an app or a view owns.
///
/// Apple: SwiftUI, `State`.
@propertyWrapper
public struct State<Value> {
    private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box: Box

    /// Sets the first value.
    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    /// Sets the first value.
    public init(initialValue: Value) { box = Box(initialValue) }

    /// The current value.
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Starts with nil.
    public init() { self.init(wrappedValue: nil) }
}

/// An object that an app or a view owns. It is made at once, where SwiftUI makes it for the first body.
///
/// Apple: SwiftUI, `StateObject`.
@MainActor
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
    /// The object.
    public let wrappedValue: ObjectType

    /// Owns an object.
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { wrappedValue = thunk() }
}

/// An object that has another owner.
///
/// Apple: SwiftUI, `ObservedObject`.
@MainActor
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject> {
    /// The object.
    public var wrappedValue: ObjectType

    /// Holds an object.
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
    /// Holds an object.
    public init(initialValue: ObjectType) { wrappedValue = initialValue }
}
