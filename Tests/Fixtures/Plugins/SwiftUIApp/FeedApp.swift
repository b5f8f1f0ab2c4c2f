import BackgroundTasksUI

// As it stands in an app for iOS, in Swift 6, but for `import SwiftUI`.

@main
struct FeedApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    @Environment(\.scenePhase) private var phase

    init() {
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: "com.example.FeedApp.cleaning", using: nil
        ) { task in
            handle(task)
        }
    }

    var body: some Scene {
        WindowGroup {
            ContentView()
        }
        .onChange(of: phase) { _, newPhase in
            switch newPhase {
            case .background: scheduleAppRefresh()
            default: break
            }
        }
        .backgroundTask(.appRefresh("com.example.FeedApp.refresh")) {
            scheduleAppRefresh()
            let feed = await Feed.shared.load()
            print("loaded \(feed)")
        }
        .backgroundTask(.processingTask("com.example.FeedApp.waiting")) {
            print("waiting")
            await withTaskCancellationHandler {
                await Feed.shared.end()
            } onCancel: {
                Task { await Feed.shared.cancel() }
            }
        }
    }
}

func scheduleAppRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: "com.example.FeedApp.refresh")
    request.earliestBeginDate = .now.addingTimeInterval(15 * 60)
    try? BGTaskScheduler.shared.submit(request)
}

func handle(_ task: BGTask) {
    print("cleaned in the background")
    task.setTaskCompleted(success: true)
}

class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        print("launched")
        return true
    }
}

struct ContentView: View {
    var body: some View {
        Text("Nobody sees this.")
    }
}

actor Feed {
    static let shared = Feed()
    private var waiting: CheckedContinuation<Void, Never>?
    private var isCancelled = false

    func load() -> String { "the feed" }

    /// Returns when it is cancelled.
    func end() async {
        guard !isCancelled else { return }
        await withCheckedContinuation { waiting = $0 }
    }

    func cancel() {
        isCancelled = true
        waiting?.resume()
        waiting = nil
    }
}
