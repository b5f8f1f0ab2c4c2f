import BackgroundTasks
import SwiftUI
import os

// An app of SwiftUI as its main file is written for iOS: the delegate and the notifications come with SwiftUI's own import. It is
// only type-checked, as Swift 5 and as Swift 6, and no warning is let pass.

@main
struct FeedApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    @StateObject private var store = Store.shared
    @ObservedObject var settings = Store.shared
    @State private var model = Model()
    @State private var name: String?
    @Environment(\.scenePhase) private var scenePhase

    init() {
        UNUserNotificationCenter.current().delegate = NotificationDelegate.shared
        UNUserNotificationCenter.current().removeAllDeliveredNotifications()
    }

    var body: some Scene {
        WindowGroup {
            Group {
                if store.isLoaded {
                    RootView()
                } else {
                    Text("Loading")
                }
            }
            .environmentObject(store)
            .environment(model)
            .onAppear { model.count += 1 }
            .onDisappear {}
            .onOpenURL { url in print(url) }
            .onChange(of: scenePhase) { _, phase in print(phase) }
            .onChange(of: model.count) { store.isLoaded = true }
            .task {
                await Refresh.askForPermission()
                Refresh.schedule()
            }
        }
        .onChange(of: scenePhase) { _, phase in
            switch phase {
            case .background: Refresh.schedule()
            case .active, .inactive: break
            }
        }
        .backgroundTask(.appRefresh(Refresh.identifier)) {
            await Refresh.run()
        }
    }
}

struct RootView: View {
    var body: some View { Text("Feeds") }
}

final class Store: ObservableObject {
    @MainActor static let shared = Store()
    @Published var isLoaded = false
    @Published private(set) var feeds: [String] = []
}

@Observable
final class Model {
    var count = 0
}

final class AppDelegate: NSObject, UIApplicationDelegate, ObservableObject {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.Feed.tidy", using: .main) {
            task in
            guard let processing = task as? BGProcessingTask else { return }
            processing.setTaskCompleted(success: true)
        }
        return true
    }
}

final class NotificationDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    static let shared = NotificationDelegate()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.list, .banner, .badge, .sound])
    }

    @MainActor
    func scene(of response: UNNotificationResponse) -> UISceneDelegate? {
        response.targetScene?.delegate
    }
}

enum Refresh {
    static let identifier = "com.example.Feed.refresh"
    private static let logger = Logger(subsystem: "com.example.Feed", category: "refresh")

    static func schedule() {
        let request = BGAppRefreshTaskRequest(identifier: identifier)
        request.earliestBeginDate = .now.addingTimeInterval(15 * 60)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch let error as BGTaskScheduler.Error where error.code == .unavailable {
            logger.notice("Background App Refresh is off")
        } catch {
            logger.error("not scheduled: \(error.localizedDescription)")
        }
    }

    static func askForPermission() async {
        let center = UNUserNotificationCenter.current()
        let isGranted = try? await center.requestAuthorization(options: [.alert, .badge, .sound])
        logger.info("notifications: \(isGranted ?? false)")
    }

    static func run() async {
        schedule()
        let content = UNMutableNotificationContent()
        content.title = "News"
        content.sound = .default
        try? await UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil))
    }
}
