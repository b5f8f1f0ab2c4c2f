import BackgroundTasks

// Apple's whole API, declaration by declaration, each with the type that it has there: what is missing, or of another
// type, does not compile. How apps use it is in Compiles.swift, what is unavailable in Refused.swift.

// BGTaskScheduler.

func scheduler(_ scheduler: BGTaskScheduler, _ request: BGTaskRequest) async throws {
    let _: NSObject = scheduler
    let _: BGTaskScheduler = BGTaskScheduler.shared
    let _: BGContinuedProcessingTaskRequest.Resources = BGTaskScheduler.supportedResources
    let _: String = BGTaskScheduler.errorDomain
    let _: (String, DispatchQueue?, @escaping (BGTask) -> Void) -> Bool =
        scheduler.register(forTaskWithIdentifier:using:launchHandler:)
    let _: (BGTaskRequest) throws -> Void = scheduler.submit(_:)
    let _: (BGTaskRequest, @escaping @Sendable ((any Error)?) -> Void) -> Void =
        scheduler.submitTaskRequest(_:completionHandler:)
    try await scheduler.submitTaskRequest(request)
    let _: (String) -> Void = scheduler.cancel(taskRequestWithIdentifier:)
    let _: () -> Void = scheduler.cancelAllTaskRequests
    let _: (@escaping @Sendable ([BGTaskRequest]) -> Void) -> Void =
        scheduler.getPendingTaskRequests(completionHandler:)
    let _: [BGTaskRequest] = await scheduler.pendingTaskRequests()
}

// BGTaskScheduler.Error.

func errors(_ error: BGTaskScheduler.Error) {
    let _: any Error & Hashable & CustomNSError & Sendable = error
    let _: BGTaskScheduler.Error = .init(_nsError: NSError(domain: BGTaskScheduler.errorDomain, code: 1))
    let _: BGTaskScheduler.Error = .init(.notPermitted)
    let _: BGTaskScheduler.Error = .init(.notPermitted, userInfo: [NSLocalizedDescriptionKey: "no"])
    let _: String = BGTaskScheduler.Error.errorDomain
    let codes: [BGTaskScheduler.Error.Code] = [
        BGTaskScheduler.Error.unavailable, BGTaskScheduler.Error.tooManyPendingTaskRequests,
        BGTaskScheduler.Error.notPermitted, BGTaskScheduler.Error.immediateRunIneligible,
    ]
    let _: [Int] = codes.map(\.rawValue)
    let _: BGTaskScheduler.Error.Code? = BGTaskScheduler.Error.Code(rawValue: 4)
    let _: BGTaskScheduler.Error.Code = error.code
    let _: Int = error.errorCode
    let _: [String: Any] = error.errorUserInfo
    let _: [String: Any] = error.userInfo
    let _: String = error.localizedDescription
}

// The requests.

func requests(_ any: BGTaskRequest) {
    let _: NSObject & NSCopying = any
    let _: String = any.identifier
    let _: ReferenceWritableKeyPath<BGTaskRequest, Date?> = \.earliestBeginDate
    let _: BGTaskRequest = BGAppRefreshTaskRequest(identifier: "a")
    let _: BGTaskRequest = BGProcessingTaskRequest(identifier: "a")
    let _: ReferenceWritableKeyPath<BGProcessingTaskRequest, Bool> = \.requiresNetworkConnectivity
    let _: ReferenceWritableKeyPath<BGProcessingTaskRequest, Bool> = \.requiresExternalPower
    let _: BGProcessingTaskRequest = BGHealthResearchTaskRequest(identifier: "a")
    let _: ReferenceWritableKeyPath<BGHealthResearchTaskRequest, NSString> = \.protectionTypeOfRequiredData
    typealias Continued = BGContinuedProcessingTaskRequest
    let _: BGTaskRequest = Continued(identifier: "a", title: "b", subtitle: "c")
    let _: ReferenceWritableKeyPath<Continued, String> = \.title
    let _: ReferenceWritableKeyPath<Continued, String> = \.subtitle
    let _: ReferenceWritableKeyPath<Continued, Continued.SubmissionStrategy> = \.strategy
    let _: ReferenceWritableKeyPath<Continued, Continued.Resources> = \.requiredResources
    let _: [Continued.SubmissionStrategy] = [.fail, .queue]
    let _: Int = Continued.SubmissionStrategy.queue.rawValue
    let _: any OptionSet & Sendable = Continued.Resources.gpu
    let _: Int = ([] as Continued.Resources).rawValue
}

// The tasks.

func tasks(_ task: BGTask, _ continued: BGContinuedProcessingTask, _ health: BGHealthResearchTask) {
    let _: NSObject = task
    let _: String = task.identifier
    // Reading it gives a function that knows its actor: the one difference.
    let handler: () -> Void = {}
    task.expirationHandler = handler
    let _: Bool = task.expirationHandler == nil
    task.expirationHandler = nil
    let _: (Bool) -> Void = task.setTaskCompleted(success:)
    let _: (BGTask.Type, BGTask.Type) = (BGAppRefreshTask.self, BGProcessingTask.self)
    let _: BGProcessingTask = health
    let _: BGTask & ProgressReporting = continued
    let _: Progress = continued.progress
    let _: (String, String) = (continued.title, continued.subtitle)
    let _: (String, String) -> Void = continued.updateTitle(_:subtitle:)
}

// The neighbours in UIKit and Foundation.

@MainActor
func neighbours(_ application: UIApplication, _ delegate: any UIApplicationDelegate) {
    let _: (String?, (@MainActor @Sendable () -> Void)?) -> UIBackgroundTaskIdentifier =
        application.beginBackgroundTask(withName:expirationHandler:)
    let _: ((@MainActor @Sendable () -> Void)?) -> UIBackgroundTaskIdentifier =
        application.beginBackgroundTask(expirationHandler:)
    let _: (UIBackgroundTaskIdentifier) -> Void = application.endBackgroundTask(_:)
    let _: TimeInterval = application.backgroundTimeRemaining
    let _: any RawRepresentable & Hashable & Sendable = UIBackgroundTaskIdentifier.invalid
    let _: Int = UIBackgroundTaskIdentifier(rawValue: 1).rawValue
    let _: (TimeInterval) -> Void = application.setMinimumBackgroundFetchInterval(_:)
    let _: [TimeInterval] = [
        UIApplication.backgroundFetchIntervalMinimum, UIApplication.backgroundFetchIntervalNever,
    ]
    let _: [UIBackgroundRefreshStatus] = [
        .restricted, .denied, .available, application.backgroundRefreshStatus,
    ]
    let _: [NSNotification.Name] = [
        UIApplication.backgroundRefreshStatusDidChangeNotification,
        UIApplication.didFinishLaunchingNotification,
        UIApplication.didEnterBackgroundNotification, .NSProcessInfoPowerStateDidChange,
    ]
    delegate.application(application, performFetchWithCompletionHandler: { (_: UIBackgroundFetchResult) in })
    delegate.application(application, handleEventsForBackgroundURLSession: "a", completionHandler: {})
    delegate.applicationDidEnterBackground(application)
    let _: Bool = delegate.application(application, didFinishLaunchingWithOptions: nil)
    let _: (String, @escaping @Sendable (Bool) -> Void) -> Void =
        ProcessInfo.processInfo.performExpiringActivity(withReason:using:)
    let _: Bool = ProcessInfo.processInfo.isLowPowerModeEnabled
}

nonisolated func fromAnywhere(_ application: UIApplication) {
    let task = application.beginBackgroundTask(withName: "a") {}
    if application.backgroundTimeRemaining > 0 { application.endBackgroundTask(task) }
}
