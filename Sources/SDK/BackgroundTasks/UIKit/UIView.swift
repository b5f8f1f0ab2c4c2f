import Foundation

// The classes that a delegate uses to make its own window, so that it compiles. Nothing is ever drawn: code that draws does
// not belong into a plugin.

/// A part of a window; nothing is drawn.
///
/// Apple: UIKit, `UIView`.
@preconcurrency @MainActor
open class UIView: UIResponder {
    /// The place and size that it would have.
    public var frame: CGRect
    /// Whether it would be hidden.
    public var isHidden = false

    /// Makes one of a size.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// Makes one without a size.
    public override init() {
        frame = .zero
        super.init()
    }

    /// Its own size.
    public var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

    /// Does nothing: nothing moves.
    public class func setAnimationsEnabled(_ enabled: Bool) {}
}

/// A window; there is nothing to see in it.
///
/// Apple: UIKit, `UIWindow`.
open class UIWindow: UIView {
    /// Kept, and never asked for its view.
    public var rootViewController: UIViewController?
    /// The scene that it belongs to.
    public weak var windowScene: UIWindowScene?

    /// Makes a window of a size, which nobody sees.
    public override init(frame: CGRect) { super.init(frame: frame) }

    /// Makes a window of a scene.
    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init(frame: .zero)
    }

    /// Makes a window without a size.
    public override init() { super.init() }

    /// Always false: no window receives key events.
    public var isKeyWindow: Bool { false }

    /// Shows nothing.
    public func makeKeyAndVisible() { isHidden = false }

    /// Shows nothing.
    public func makeKey() {}
}

/// The controller of a window's content; its view is never loaded.
///
/// Apple: UIKit, `UIViewController`.
@preconcurrency @MainActor
open class UIViewController: UIResponder {
    /// Empty, and never loaded by itself.
    public var view: UIView! = UIView()

    /// Makes a controller whose view is never loaded.
    public override init() { super.init() }

    /// Makes a controller of a nib that is never read.
    public init(nibName: String?, bundle: Bundle?) { super.init() }

    /// Never called.
    open func viewDidLoad() {}

    /// Shows nothing, and is done at once.
    open func present(
        _ viewControllerToPresent: UIViewController, animated: Bool, completion: (() -> Void)? = nil
    ) { completion?() }

    /// Shows nothing, and is done at once.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) { completion?() }
}

/// The screen, of which there is none: it has no size.
///
/// Apple: UIKit, `UIScreen`.
@preconcurrency @MainActor
open class UIScreen: NSObject {
    private static let screen = UIScreen()

    /// A screen without a size.
    public class var main: UIScreen { screen }

    /// None.
    public class var screens: [UIScreen] { [] }

    /// Empty.
    public var bounds: CGRect { .zero }
    /// Empty.
    public var nativeBounds: CGRect { .zero }
    /// 1.
    public var scale: CGFloat { 1 }
    /// 1.
    public var nativeScale: CGFloat { 1 }
    /// Stored without effect.
    public var brightness: CGFloat = 0
}
