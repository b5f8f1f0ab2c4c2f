import BackgroundTasks

// The async form of the method.

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        await Task.yield()
        print("waited for \(userInfo["new"] ?? "nothing")")
        return userInfo["new"] == nil ? .failed : .newData
    }
}
