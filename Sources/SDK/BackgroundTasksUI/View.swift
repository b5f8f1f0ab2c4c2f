/// A part of the user interface. None is ever made here: the type lets an app's body name its content.
///
/// Code that draws belongs between `#if canImport(SwiftUI)` and `#endif`.
///
/// Apple: SwiftUI, `View`.
@MainActor
public protocol View {
    /// The type of the body.
    associatedtype Body: View

    /// The content of the view.
    @ViewBuilder var body: Body { get }
}

/// A view without content.
///
/// Apple: SwiftUI, `EmptyView`.
public struct EmptyView: View {
    /// Makes a view without content.
    public init() {}

    public var body: Never { preconditionFailure("an empty view has no body") }
}

/// A text that nobody sees.
///
/// Apple: SwiftUI, `Text`.
public struct Text: View {
    /// Makes a text.
    public init(_ content: String) {}

    public var body: Never { preconditionFailure("a text has no body") }
}

/// Builds the content of a view.
///
/// Apple: SwiftUI, `ViewBuilder`.
@resultBuilder
@MainActor
public enum ViewBuilder {
    /// No content.
    public static func buildBlock() -> EmptyView { EmptyView() }
    /// Content of one view.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// Content of several views, none of which is made.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> EmptyView {
        EmptyView()
    }
}
