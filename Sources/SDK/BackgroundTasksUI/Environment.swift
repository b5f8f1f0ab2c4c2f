import BackgroundTasks
import Synchronization

/// The phase of a scene.
///
/// Apple: SwiftUI, `ScenePhase`.
public enum ScenePhase: Comparable, Hashable, Sendable {
    /// Not seen.
    case background
    /// The app launches.
    case inactive
    /// In use; no scene here ever is.
    case active
}

/// The values of the environment that an app may read.
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

/// A value of the environment, such as `@Environment(\.scenePhase)`.
///
/// Apple: SwiftUI, `Environment`.
@propertyWrapper
public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>

    /// Reads one value.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
    }

    /// The current value.
    public var wrappedValue: Value {
        EnvironmentValues.current.withLock { $0 }[keyPath: keyPath]
    }
}

/// Makes the app's delegate, which is then told of the app's life cycle.
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
