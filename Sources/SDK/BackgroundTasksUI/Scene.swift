/// A part of an app's user interface, of which only the work in the background is done here.
///
/// Apple: SwiftUI, `Scene`.
@MainActor
public protocol Scene {
    /// The type of the body.
    associatedtype Body: Scene

    /// The scenes that this one is made of.
    @SceneBuilder var body: Body { get }
}

extension Never {
    /// Never called: there is no value of this type.
    public var body: Never {
        switch self {}
    }
}
extension Never: Scene, View {}

/// A scene of this module's own, which adds its background work to the content.
@MainActor
protocol PrimitiveScene {
    func add(to content: inout SceneContent)
}

extension PrimitiveScene {
    /// Nobody asks a scene of this module for its body.
    public var body: Never { preconditionFailure("a primitive scene has no body") }
}

/// A window; there is nothing to see in it, and its content is never made.
///
/// Apple: SwiftUI, `WindowGroup`.
public struct WindowGroup<Content: View>: Scene, PrimitiveScene {
    /// A window whose content is never made.
    public init(@ViewBuilder content: @escaping () -> Content) {}

    /// A window of a name, whose content is never made.
    public init(id: String, @ViewBuilder content: @escaping () -> Content) {}

    /// A window with a title, whose content is never made.
    public init(_ title: String, @ViewBuilder content: @escaping () -> Content) {}

    func add(to content: inout SceneContent) {}
}

/// Builds a body from its scenes.
///
/// Apple: SwiftUI, `SceneBuilder`.
@resultBuilder
@MainActor
public enum SceneBuilder {
    /// A body of one scene.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }

    /// A body of several scenes.
    public static func buildBlock<each Content: Scene>(_ content: repeat each Content) -> some Scene {
        SceneGroup { scenes in repeat scenes.add(each content) }
    }
}

/// Several scenes, one after the other.
struct SceneGroup: Scene, PrimitiveScene {
    let adding: (inout SceneContent) -> Void

    init(adding: @escaping (inout SceneContent) -> Void) {
        self.adding = adding
    }

    func add(to content: inout SceneContent) { adding(&content) }
}
