/// Something to see, of which nothing is ever made here: it is there so that an app's body may name its content.
///
/// Code that draws belongs between `#if canImport(SwiftUI)` and `#endif`.
///
/// Apple: SwiftUI, `View`.
@MainActor
public protocol View {
    /// What the body is made of.
    associatedtype Body: View

    /// What is to be seen.
    @ViewBuilder var body: Body { get }
}

/// Nothing to see.
///
/// Apple: SwiftUI, `EmptyView`.
public struct EmptyView: View {
    /// Makes nothing to see.
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

/// Puts the content of a view together.
///
/// Apple: SwiftUI, `ViewBuilder`.
@resultBuilder
@MainActor
public enum ViewBuilder {
    /// Content of nothing.
    public static func buildBlock() -> EmptyView { EmptyView() }
    /// Content of one view.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// Content of several views, none of which is made.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> EmptyView {
        EmptyView()
    }
}
