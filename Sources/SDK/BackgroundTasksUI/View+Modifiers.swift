import BackgroundTasks

// Modifiers of the content of an app's windows. The content is never made, so none of them is ever called.

extension View {
    /// Apple: SwiftUI, `View.environmentObject(_:)`.
    public func environmentObject(_ object: some ObservableObject) -> some View { self }

    /// Apple: SwiftUI, `View.environment(_:)`.
    public func environment<T: AnyObject>(_ object: T?) -> some View { self }

    /// Apple: SwiftUI, `View.task(priority:_:)`.
    public func task(
        priority: TaskPriority = .userInitiated, _ action: @escaping @Sendable @MainActor () async -> Void
    ) -> some View { self }

    /// Apple: SwiftUI, `View.onAppear(perform:)`.
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Apple: SwiftUI, `View.onDisappear(perform:)`.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Apple: SwiftUI, `View.onOpenURL(perform:)`.
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }

    /// Apple: SwiftUI, `View.onChange(of:initial:_:)`.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View { self }

    /// Apple: SwiftUI, `View.onChange(of:initial:_:)`.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View { self }

    /// Apple: SwiftUI, `View.onChange(of:perform:)`.
    public func onChange<V: Equatable>(
        of value: V, perform action: @escaping (_ newValue: V) -> Void
    ) -> some View { self }
}

/// Several views in one place.
///
/// Apple: SwiftUI, `Group`.
public struct Group<Content: View>: View {
    /// Views that are never made.
    public init(@ViewBuilder content: () -> Content) {}

    public var body: Never { preconditionFailure("a group has no body") }
}

extension ViewBuilder {
    /// Content that may be there.
    public static func buildOptional(_ content: (some View)?) -> EmptyView { EmptyView() }
    /// One of two contents.
    public static func buildEither(first content: some View) -> EmptyView { EmptyView() }
    /// One of two contents.
    public static func buildEither(second content: some View) -> EmptyView { EmptyView() }
}
