import BackgroundTasks
import Synchronization

/// Where a scene is in its life.
///
/// Apple: SwiftUI, `ScenePhase`.
public enum ScenePhase: Comparable, Hashable, Sendable {
    /// Not seen.
    case background
    /// On its way: while the app launches.
    case inactive
    /// In use; no scene here ever is.
    case active
}

/// What an app may read of its surroundings.
///
/// Apple: SwiftUI, `EnvironmentValues`.
public struct EnvironmentValues: Sendable {
    /// `.inactive` while the app launches, then `.background`.
    public internal(set) var scenePhase = ScenePhase.inactive

    fileprivate static let current = Mutex(EnvironmentValues())

    static func enterBackground() {
        current.withLock { $0.scenePhase = .background }
    }
}

/// A value of the surroundings, such as `@Environment(\.scenePhase)`.
///
/// Apple: SwiftUI, `Environment`.
@propertyWrapper
public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>

    /// Reads one value.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
    }

    /// What it is now.
    public var wrappedValue: Value {
        EnvironmentValues.current.withLock { $0 }[keyPath: keyPath]
    }
}

/// Makes the app's delegate, and has it told of the app's life.
///
/// Apple: SwiftUI, `UIApplicationDelegateAdaptor`.
@MainActor
@propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    /// The delegate.
    public let wrappedValue: DelegateType

    /// Makes a delegate with its `init()`.
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        wrappedValue = AppLaunch.make(delegateType)
        UIApplication.shared.delegate = wrappedValue
    }
}
