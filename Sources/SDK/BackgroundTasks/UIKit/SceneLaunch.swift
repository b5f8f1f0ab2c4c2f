import Foundation

/// Launches the scene of an app that has scenes: finds the class of its delegate and calls its methods.
///
/// An app has scenes if `application(_:configurationForConnecting:options:)` of its delegate or its `Info.plist` names the
/// class of a scene's delegate, or if the module of its delegate has a class `SceneDelegate`, as Xcode names it.
@MainActor
enum SceneLaunch {
    /// Makes the app's scene and tells its delegate that it is connected; nil where the app has none.
    static func connect(_ app: UIApplication, manifest: [String: Any]? = Bundle.main.infoDictionary)
        -> UIScene?
    {
        guard let delegate = app.delegate else { return nil }
        let session = UISceneSession()
        let options = UIScene.ConnectionOptions()
        let configuration = delegate.application(app, configurationForConnecting: session, options: options)
        session.configuration = configuration
        let type: AnyClass? =
            configuration.delegateClass ?? delegateClass(configuration.name, in: manifest, beside: delegate)
        guard let type, let object = LullObjectMaker.make(type) as? any UISceneDelegate else {
            return nil
        }
        let scene = UIWindowScene(session: session, connectionOptions: options)
        session.scene = scene
        scene.delegate = object
        object.scene(scene, willConnectTo: session, options: options)
        NotificationCenter.default.post(name: UIScene.willConnectNotification, object: scene)
        return scene
    }

    static func enterBackground(_ scene: UIScene) {
        scene.activationState = .background
        scene.delegate?.sceneDidEnterBackground(scene)
        NotificationCenter.default.post(name: UIScene.didEnterBackgroundNotification, object: scene)
    }

    /// The class that `Info.plist` names, or else the one that Xcode would have named in it.
    private static func delegateClass(
        _ name: String?, in manifest: [String: Any]?, beside delegate: any UIApplicationDelegate
    ) -> AnyClass? {
        let module = String(reflecting: type(of: delegate)).prefix { $0 != "." }
        for name in classNames(name, in: manifest) + ["\(module).SceneDelegate"] {
            let name = name.replacing("$(PRODUCT_MODULE_NAME)", with: module)
            let whole = name.contains(".") ? name : "\(module).\(name)"
            if let type = NSClassFromString(whole), type is any UISceneDelegate.Type { return type }
        }
        return nil
    }

    /// The names of delegate classes, those of the configuration with this name first.
    static func classNames(_ name: String?, in manifest: [String: Any]?) -> [String] {
        let scenes = manifest?["UIApplicationSceneManifest"] as? [String: Any]
        let roles = scenes?["UISceneConfigurations"] as? [String: Any]
        let all = roles?[UISceneSession.Role.windowApplication.rawValue] as? [[String: Any]] ?? []
        let fitting = all.filter { name != nil && $0["UISceneConfigurationName"] as? String == name }
        return (fitting + all).compactMap { $0["UISceneDelegateClassName"] as? String }
    }
}
