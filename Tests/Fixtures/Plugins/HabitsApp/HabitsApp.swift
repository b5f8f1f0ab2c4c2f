import BackgroundTasksUI

// How apps of SwiftUI keep their tasks going, in Swift 6, but for `import SwiftUI`.

@main
struct HabitsApp: App {
    @Environment(\.scenePhase) private var phase

    init() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Habit.id("registered"), using: nil) {
            @Sendable task in
            guard let task = task as? BGProcessingTask else { return task.setTaskCompleted(success: false) }
            Habit.schedule(BGProcessingTaskRequest(identifier: task.identifier))
            task.setTaskCompleted(success: true)
        }
        // From a task, while the app still launches.
        Task {
            let request = BGProcessingTaskRequest(identifier: Habit.id("registered"))
            request.earliestBeginDate = .now.addingTimeInterval(Habit.wait)
            try? await BGTaskScheduler.shared.submitTaskRequest(request)
        }
    }

    var body: some Scene {
        WindowGroup {
            Text("Nobody sees this.")
        }
        .onChange(of: phase) { _, phase in
            guard phase == .background else { return }
            Habit.schedule(BGAppRefreshTaskRequest(identifier: Habit.id("refresh")))
            Habit.schedule(BGProcessingTaskRequest(identifier: Habit.id("grouped")))
        }
        .backgroundTask(.appRefresh(Habit.id("refresh"))) {
            Habit.schedule(BGAppRefreshTaskRequest(identifier: Habit.id("refresh")))
            await Feed.shared.load()
        }
        .backgroundTask(.processingTask(Habit.id("grouped"))) {
            defer { Habit.schedule(BGProcessingTaskRequest(identifier: Habit.id("grouped"))) }
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { await Feed.shared.load() } }
            }
        }
    }
}

enum Habit {
    private struct Settings: Decodable { var wait: Double }

    static let wait = (try? LullApp.settings(as: Settings.self))?.wait ?? 15 * 60

    static func id(_ name: String) -> String { "com.example.Habits." + name }

    static func schedule(_ request: BGTaskRequest) {
        request.earliestBeginDate = .now.addingTimeInterval(wait)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            LullApp.log("\(request.identifier): \(error.localizedDescription)", level: .error)
        }
    }
}

actor Feed {
    static let shared = Feed()
    private var loads = 0

    func load() { loads += 1 }
}
