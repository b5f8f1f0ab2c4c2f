import BackgroundTasks

// What apps for iOS write around BackgroundTasks. It is only type-checked, as Swift 5 and as Swift 6, and no warning is
// let pass.

extension BGTask: @unchecked @retroactive Sendable {}

// Protocols of the app's own, so that its tests can put stand-ins in their places.

protocol TaskScheduling {
    @discardableResult
    func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool
    func submit(_ taskRequest: BGTaskRequest) throws
    func submitTaskRequest(
        _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws
    func cancel(taskRequestWithIdentifier identifier: String)
    func cancelAllTaskRequests()
    func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void)
    func pendingTaskRequests() async -> [BGTaskRequest]
}

extension BGTaskScheduler: TaskScheduling {}

protocol CompletableTask: AnyObject {
    var identifier: String { get }
    var expirationHandler: (() -> Void)? { get set }
    func setTaskCompleted(success: Bool)
}

extension BGTask: CompletableTask {}

protocol BackgroundTaskRunning {
    func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier
    func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier)
}

extension UIApplication: BackgroundTaskRunning {}

// Errors.

func look(at error: any Error) -> String {
    switch error {
    case BGTaskScheduler.Error.unavailable: return "unavailable"
    case BGTaskScheduler.Error.tooManyPendingTaskRequests: return "too many"
    case BGTaskScheduler.Error.notPermitted: return "not permitted"
    case BGTaskScheduler.Error.immediateRunIneligible: return "not now"
    default: break
    }
    if let error = error as? BGTaskScheduler.Error {
        switch error.code {
        case .notPermitted: return "not permitted"
        case .tooManyPendingTaskRequests: return "too many"
        case .unavailable: return "unavailable"
        case .immediateRunIneligible: return "not now"
        }
    }
    let number = (error as NSError).code
    if BGTaskScheduler.Error.Code(rawValue: number) == .notPermitted { return (error as NSError).domain }
    return (error as? BGTaskScheduler.Error).map { "\($0.errorCode)" } ?? error.localizedDescription
}

func submit(_ request: BGTaskRequest) {
    do {
        try BGTaskScheduler.shared.submit(request)
    } catch BGTaskScheduler.Error.notPermitted {
        print("not permitted")
    } catch let error as BGTaskScheduler.Error where error.code == .tooManyPendingTaskRequests {
        print("too many in \(BGTaskScheduler.errorDomain), \(BGTaskScheduler.Error.errorDomain)")
    } catch {
        print(look(at: error))
    }
}

// Handlers.

final class Sync {
    let scheduler: TaskScheduling = BGTaskScheduler.shared

    func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "a", using: nil) { task in
            switch task {
            case let task as BGAppRefreshTask: Self.refresh(task)
            case let task as BGProcessingTask: Self.clean(task)
            default: task.setTaskCompleted(success: false)
            }
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "b", using: .main, launchHandler: Self.base)
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: "c", using: DispatchQueue.global(qos: .background)
        ) { [weak self] task in
            guard self != nil, let task = task as? BGProcessingTask else { return }
            let work = Task {
                task.setTaskCompleted(success: !Task.isCancelled)
            }
            task.expirationHandler = { [weak task] in
                work.cancel()
                task?.setTaskCompleted(success: false)
            }
        }
        guard BGTaskScheduler.shared.register(forTaskWithIdentifier: "d", using: nil, launchHandler: { _ in })
        else { return }
        let isRegistered = scheduler.register(forTaskWithIdentifier: "e", using: nil) {
            $0.expirationHandler = nil
        }
        print(isRegistered)
    }

    static func base(_ task: BGTask) { task.setTaskCompleted(success: true) }
    static func refresh(_ task: BGAppRefreshTask) { task.setTaskCompleted(success: true) }
    static func clean(_ task: BGProcessingTask) { task.setTaskCompleted(success: true) }

    func schedule() async throws {
        let request = BGHealthResearchTaskRequest(identifier: "a")
        request.protectionTypeOfRequiredData = NSString(string: FileProtectionType.complete.rawValue)
        request.earliestBeginDate = Date(timeIntervalSinceNow: 60)
        try await BGTaskScheduler.shared.submitTaskRequest(request)
        let pending = await BGTaskScheduler.shared.pendingTaskRequests()
        print(pending.map(\.identifier))
        BGTaskScheduler.shared.getPendingTaskRequests { print($0.count) }
        BGTaskScheduler.shared.submitTaskRequest(request) { error in print(error.map(look) ?? "submitted") }
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: "a")
    }
}

// A request of the app's own class, which knows what it is for.

final class SyncRequest: BGProcessingTaskRequest {
    convenience init() {
        self.init(identifier: "com.example.App.sync")
        requiresNetworkConnectivity = true
    }
}

// Continued work.

@MainActor
final class Exporter {
    func start() throws {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.App.export.*", using: .main) {
            task in
            guard let task = task as? BGContinuedProcessingTask else { return }
            self.export(task)
        }
        let request = BGContinuedProcessingTaskRequest(
            identifier: "com.example.App.export.\(UUID().uuidString)", title: "Export", subtitle: "Beginning")
        request.strategy = .fail
        if BGTaskScheduler.supportedResources.contains(.gpu) { request.requiredResources = .gpu }
        try BGTaskScheduler.shared.submit(request)
    }

    private func export(_ task: BGContinuedProcessingTask) {
        var wasExpired = false
        task.expirationHandler = { wasExpired = true }
        task.progress.totalUnitCount = 100
        for step in 1...100 where !wasExpired {
            task.progress.completedUnitCount = Int64(step)
            task.updateTitle(task.title, subtitle: "\(Int(task.progress.fractionCompleted * 100)) %")
        }
        let reporting: any ProgressReporting = task
        task.setTaskCompleted(success: reporting.progress.isFinished)
    }
}

// The neighbours.

@MainActor
final class Uploads {
    private var identifier = UIBackgroundTaskIdentifier.invalid
    private var observers: [any NSObjectProtocol] = []

    func upload() {
        identifier = UIApplication.shared.beginBackgroundTask { self.end() }
        identifier = UIApplication.shared.beginBackgroundTask(withName: "upload", expirationHandler: nil)
        identifier = UIApplication.shared.beginBackgroundTask(expirationHandler: { self.end() })
        identifier = UIApplication.shared.beginBackgroundTask(withName: "upload")
        let names: [NSNotification.Name] = [
            UIApplication.didEnterBackgroundNotification, .NSProcessInfoPowerStateDidChange,
        ]
        for name in names {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                    print(ProcessInfo.processInfo.isLowPowerModeEnabled)
                })
        }
        switch UIApplication.shared.backgroundRefreshStatus {
        case .available: print(UIApplication.shared.backgroundTimeRemaining)
        case .denied, .restricted: break
        @unknown default: break
        }
        if UIApplication.shared.applicationState == .background { end() }
        UIApplication.shared.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalNever)
    }

    private func end() {
        UIApplication.shared.endBackgroundTask(identifier)
        identifier = .invalid
    }
}
