import Foundation
import Testing

@testable import BackgroundTasks

/// The scene of an app with scenes, in the test process.
@MainActor @Suite(.serialized) struct SceneLaunchTests {
    static var told: [String] = []

    final class Told: UIResponder, UIWindowSceneDelegate {
        var window: UIWindow?

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            SceneLaunchTests.told.append("connected \(scene.activationState) \(session.scene === scene)")
            window = (scene as? UIWindowScene).map(UIWindow.init(windowScene:))
        }

        func sceneDidEnterBackground(_ scene: UIScene) {
            SceneLaunchTests.told.append("background \(scene.activationState) \(window != nil)")
        }
    }

    final class Naming: UIResponder, UIApplicationDelegate {
        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            SceneLaunchTests.told.append("launched")
            return true
        }

        func applicationDidEnterBackground(_ application: UIApplication) {
            SceneLaunchTests.told.append("app in background, of \(application.connectedScenes.count) scene")
        }

        func application(
            _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
            options: UIScene.ConnectionOptions
        ) -> UISceneConfiguration {
            let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
            configuration.delegateClass = Told.self
            return configuration
        }
    }

    final class Plain: UIResponder, UIApplicationDelegate {}

    @Test func `a scene is connected after the launch, and enters the background after its app`() {
        Self.told = []
        Naming.main()
        #expect(
            Self.told == [
                "launched", "connected unattached true", "app in background, of 1 scene",
                "background background true",
            ])
        #expect(UIApplication.shared.connectedScenes.count == 1)
        #expect(UIApplication.shared.openSessions.first?.configuration.delegateClass is Told.Type)
    }

    @Test func `an app whose scene nobody names has none`() {
        Plain.main()
        #expect(UIApplication.shared.connectedScenes.isEmpty)
    }

    @Test func `the class that Info-plist names is made, with the module in place of Xcode's word for it`() {
        let manifest: [String: Any] = [
            "UIApplicationSceneManifest": [
                "UISceneConfigurations": [
                    "UIWindowSceneSessionRoleApplication": [
                        ["UISceneDelegateClassName": "Other.Nobody"],
                        [
                            "UISceneConfigurationName": "Default Configuration",
                            "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).NamedSceneDelegate",
                        ],
                    ]
                ]
            ]
        ]
        #expect(
            SceneLaunch.classNames("Default Configuration", in: manifest).first
                == "$(PRODUCT_MODULE_NAME).NamedSceneDelegate")
        let app = UIApplication.shared
        app.delegate = AppLaunch.make(Plain.self)
        #expect(SceneLaunch.connect(app, manifest: manifest)?.delegate is NamedSceneDelegate)
        #expect(SceneLaunch.connect(app, manifest: nil) == nil)
    }
}

/// The app finds this class by its name.
class NamedSceneDelegate: UIResponder, UIWindowSceneDelegate {}
