/// What views would follow. Nobody looks at views here, so changes are told to nobody.
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
    /// What it is now.
    public var wrappedValue: Value

    /// Begins with a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    /// Begins with a value.
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

    /// Begins with a value.
    public init(wrappedValue: Value) { box = Box(wrappedValue) }
    /// Begins with a value.
    public init(initialValue: Value) { box = Box(initialValue) }

    /// What it is now.
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Begins with nil.
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

/// An object that somebody else owns.
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
