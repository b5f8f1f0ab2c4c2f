import UIKit
import os.log

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = (scene as? UIWindowScene) else { return }
        window = UIWindow(windowScene: windowScene)
        os_log("connected %{public}@", log: .default, type: .info, session.role.rawValue)
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        BackgroundTaskManager.shared.schedule()
    }
}
