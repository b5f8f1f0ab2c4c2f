import BackgroundTasks
import ColorFeedKit

/// Keeps the colours of the day in a database: fetches them before they are looked at, cleans up in a lull.
///
/// Everything a plugin does on iOS is here as it is there: handlers are registered at launch, a handler asks
/// for the next run before it begins this one, and stops when it expires.
@main
struct ColorFeedApp: BackgroundTasksApp {
    private static let refresh = "com.example.ColorFeed.refresh"
    private static let cleaning = "com.example.ColorFeed.db_cleaning"

    func didFinishLaunching() {
        LullApp.declareSettings(ColorFeedSettings.schema)
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.refresh, using: .main) { task in
            scheduleRefresh(notBefore: Date(timeIntervalSinceNow: FeedStore.fetchGap))
            run(task) { store, settings in
                let feed = try await FeedSource(settings.feed).fetch()
                let now = Date.now
                return "added \(try await store.add(feed.entries(at: now), fetchedAt: now)) entries"
            }
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.cleaning, using: .main) { task in
            run(task) { store, _ in
                let deleted = try await store.clean(at: .now)
                await scheduleCleaning(of: store)
                return "deleted \(deleted) entries"
            }
        }
    }

    func didEnterBackground() {
        do {
            let store = try Self.open().store
            scheduleRefresh(notBefore: try store.nextFetch())
            scheduleCleaning(of: store)
        } catch {
            LullApp.log("\(error)", level: .error)
        }
    }

    private func scheduleRefresh(notBefore earliest: Date?) {
        let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
        request.earliestBeginDate = earliest
        submit(request)
    }

    /// Asks for a cleaning a week after the last one; for the first one as soon as there is power.
    private func scheduleCleaning(of store: FeedStore) {
        do {
            let request = BGProcessingTaskRequest(identifier: Self.cleaning)
            request.earliestBeginDate = try store.nextCleaning()
            request.requiresExternalPower = true
            submit(request)
        } catch {
            LullApp.log("\(error)", level: .error)
        }
    }

    private func submit(_ request: BGTaskRequest) {
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            LullApp.log("\(request.identifier) can't be scheduled: \(error)", level: .warning)
        }
    }

    /// Does the work of one run: cancels it when the run expires, logs the result, completes the run.
    private func run(
        _ task: BGTask, _ work: @escaping @Sendable (FeedStore, ColorFeedSettings) async throws -> String
    ) {
        let running = Task {
            do {
                let (store, settings) = try Self.open()
                task.log(try await work(store, settings))
                task.setTaskCompleted(success: true)
            } catch  where Task.isCancelled {
                task.log("stopped, because the run expired", level: .notice)
                task.setTaskCompleted(success: false)
            } catch {
                task.log("\(error)", level: .error)
                task.setTaskCompleted(success: false)
            }
        }
        task.expirationHandler = { running.cancel() }
    }

    private static func open() throws -> (store: FeedStore, settings: ColorFeedSettings) {
        let settings = try ColorFeedSettings(
            json: LullApp.settingsJSON, stateDirectory: LullApp.stateDirectory
        )
        return (try FeedStore(path: settings.database), settings)
    }
}
