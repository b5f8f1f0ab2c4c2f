import BackgroundTasks

// Stand-ins as unit tests of apps write them, and a class of tasks that is never made. It is only type-checked, as Swift 5 and as
// Swift 6, and no warning is let pass.

final class RecordingTask: BGAppRefreshTask, @unchecked Sendable {
    private let name: String
    private var handler: (() -> Void)?
    private(set) var outcomes: [Bool] = []

    init(identifier: String) {
        name = identifier
    }

    override var identifier: String { name }
    override var expirationHandler: (() -> Void)? {
        get { handler }
        set { handler = newValue }
    }
    override func setTaskCompleted(success: Bool) { outcomes.append(success) }
    func expire() { expirationHandler?() }
}

final class PlainTask: BGProcessingTask, @unchecked Sendable {
    private(set) var outcome: Bool?

    override func setTaskCompleted(success: Bool) {
        outcome = success
    }
}

class RecordingScheduler: BGTaskScheduler, @unchecked Sendable {
    var handlers: [String: (BGTask) -> Void] = [:]
    var requests: [BGTaskRequest] = []

    override func register(
        forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        handlers[identifier] = launchHandler
        return true
    }
    override func submit(_ taskRequest: BGTaskRequest) throws { requests.append(taskRequest) }
    override func submitTaskRequest(
        _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) { completionHandler(nil) }
    override func cancel(taskRequestWithIdentifier identifier: String) {}
    override func cancelAllTaskRequests() { requests = [] }
    override func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
        completionHandler([])
    }
    override func pendingTaskRequests() async -> [BGTaskRequest] { [] }
}

/// Shared under a name of its own.
class UpdateTask: BGAppRefreshTask, @unchecked Sendable {
    static let identifier = "com.example.App.update"

    static func setUp(_ scheduler: BGTaskScheduler = .shared) -> Bool {
        scheduler.register(forTaskWithIdentifier: identifier, using: nil) { task in
            task.setTaskCompleted(success: true)
        }
    }
}

func test() {
    let scheduler = RecordingScheduler()
    print(UpdateTask.setUp(scheduler))
    let task = RecordingTask(identifier: UpdateTask.identifier)
    scheduler.handlers[UpdateTask.identifier]?(task)
    task.expire()
    let plain = PlainTask()
    plain.setTaskCompleted(success: true)
    print(task.outcomes, plain.outcome ?? false, BGTask(), BGTaskScheduler())
}
