/// Starts an app from its `main.swift` on iOS; a plugin has no such file.
///
/// Apple: UIKit, `UIApplicationMain(_:_:_:_:)`.
@available(
    *, unavailable,
    message:
        "Delete main.swift, and write @main before the delegate's class: @main class AppDelegate: UIResponder, …"
)
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    _ principalClassName: String?, _ delegateClassName: String?
) -> Int32 {
    // Never called: the compiler refuses each call.
    preconditionFailure("A plugin is begun by @main.")
}
