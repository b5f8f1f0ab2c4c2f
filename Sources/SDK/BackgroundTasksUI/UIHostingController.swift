import BackgroundTasks

/// A controller around a view; the view is kept, and never asked for its body.
///
/// Apple: SwiftUI, `UIHostingController`.
open class UIHostingController<Content: View>: UIViewController {
    /// The view.
    public var rootView: Content

    /// Makes a controller of a view that nobody sees.
    public init(rootView: Content) {
        self.rootView = rootView
        super.init()
    }
}
