import Foundation
import Testing

@testable import BackgroundTasks

/// The life of an app with a delegate, in the test process, which has one app for all of these tests.
@MainActor @Suite(.serialized) struct AppLaunchTests {
    /// The calls of the delegates, in order.
    static var told: [String] = []

    class Responder: UIResponder, UIApplicationDelegate {
        let colours = ["red"]
        var window: UIWindow?

        func application(
            _ application: UIApplication,
            willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            AppLaunchTests.told.append("will finish \(application.applicationState)")
            return true
        }

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            AppLaunchTests.told.append("did finish \(colours) \(launchOptions == nil)")
            return false
        }

        func applicationDidEnterBackground(_ application: UIApplication) {
            AppLaunchTests.told.append("background \(application.applicationState)")
        }
    }

    final class Plain: NSObject, UIApplicationDelegate {
        private let number: Int

        override init() {
            number = 7
            super.init()
        }

        func applicationDidFinishLaunching(_ application: UIApplication) {
            AppLaunchTests.told.append("plain \(number) \(application.delegate === self)")
        }
    }

    @Test func `a delegate is told of its app's life in order, and so is who observes it`() {
        Self.told = []
        UIApplication.shared.applicationState = .inactive
        let names = [
            UIApplication.didFinishLaunchingNotification, UIApplication.didEnterBackgroundNotification,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { Self.told.append(name.rawValue) }
            }
        }
        Responder.main()
        observers.forEach(NotificationCenter.default.removeObserver)
        #expect(
            Self.told == [
                "will finish inactive", #"did finish ["red"] true"#,
                "UIApplicationDidFinishLaunchingNotification", "background background",
                "UIApplicationDidEnterBackgroundNotification",
            ])
        #expect(UIApplication.shared.delegate is Responder)
    }

    @Test func `a delegate that is no responder is made with its own init`() {
        Self.told = []
        Plain.main()
        #expect(Self.told == ["plain 7 true"])
    }
}
