import Foundation

/// One run of a task, handed to its handler.
///
/// The handler begins its work, on any thread, and calls ``setTaskCompleted(success:)`` when it is done. It has
/// to keep the object until then: a task that nothing refers to any more can't be completed, so its run fails,
/// and the log says so. Only the system makes tasks; one that a test makes as a stand-in belongs to no run.
///
/// As on Apple's systems a task is not `Sendable`. A handler may pass its task on to a Swift task; an app that needs more
/// writes once: `extension BGTask: @unchecked @retroactive Sendable {}`.
///
/// Apple: BackgroundTasks, `BGTask`.
open class BGTask: NSObject, BGExpiringTask {
    /// The state of the run; it outlives this object when that is dropped.
    let run: Run

    init(_ run: Run) {
        self.run = run
        super.init()
    }

    /// A stand-in, for a subclass in an author's tests: it belongs to no run, and nobody launches it.
    public override init() {
        run = .standIn
        super.init()
    }

    deinit { run.drop() }

    /// The identifier that the request asked for; `com.example.App.export.42` where a wildcard is registered.
    open var identifier: String { run.launch.identifier }

    /// Called when the run has to end soon: stop, save what is worth saving, and complete the task.
    ///
    /// It is called at most once, some seconds before the time limit, when the run's conditions are gone, or
    /// when somebody cancels it; cleared before it is called and by ``setTaskCompleted(success:)``. Without one
    /// the run is completed as failed in its place. After it was called, the process has the `grace` of
    /// `jobs.yaml` (5 seconds unless said) to complete the task before it is killed.
    ///
    /// It runs on a global queue, never on the queue of the launch handler. In the Swift 6 mode a handler written in an
    /// actor's code runs on that actor: see ``BGExpiringTask``.
    ///
    /// Apple: BackgroundTasks, `BGTask.expirationHandler`.
    @_disfavoredOverload
    open var expirationHandler: (() -> Void)? {
        get { run.expirationHandler.map { handler in { handler.call() } } }
        set { run.setExpirationHandler(newValue.map { handler in ExpirationHandler { handler() } }) }
    }

    /// Ends the run.
    ///
    /// Needed after an expiration too. Only the first call counts. A further one changes nothing; it is
    /// recorded as a violation, so that `lull plugin check` can name it. Failure is not retried unless a new
    /// request is submitted, or the manifest's `repeat` and `retry` say so.
    ///
    /// Apple: BackgroundTasks, `BGTask.setTaskCompleted(success:)`.
    /// - Parameter success: Whether the work was done.
    open func setTaskCompleted(success: Bool) {
        run.complete(success: success)
    }

    /// The class and the identifier, as `<BGAppRefreshTask: com.example.Feed.refresh>`.
    open override var description: String { "<\(type(of: self)): \(identifier)>" }
}

/// A short run that fetches what is new, shortly before the app is likely to be used: 30 seconds unless
/// `time_limit` says otherwise.
///
/// Apple: BackgroundTasks, `BGAppRefreshTask`.
open class BGAppRefreshTask: BGTask {}

/// A run that may take minutes, in a lull of the host: 10 minutes unless `time_limit` says otherwise.
///
/// Apple: BackgroundTasks, `BGProcessingTask`.
open class BGProcessingTask: BGTask {}

/// A processing run for a health research study, launched by a ``BGHealthResearchTaskRequest``.
///
/// Lull treats it as any processing run; on iOS it needs an entitlement.
///
/// Apple: BackgroundTasks, `BGHealthResearchTask`.
open class BGHealthResearchTask: BGProcessingTask {}

// Lull's own: Apple has no name for these.
extension BGTask {
    /// The task's settings from `jobs.yaml`, as JSON; `{}` when it has none.
    public var settingsJSON: String { run.launch.settings }

    /// The task's settings, decoded; `snake_case` keys fit `camelCase` properties.
    /// - Throws: ``LullSettingsError``, which names the place that does not fit.
    public func settings<T: Decodable>(as type: T.Type) throws -> T {
        try LullSettingsError.decode(type, from: settingsJSON, of: "task \(identifier)")
    }

    /// Writes a line to the log of this run.
    public func log(_ message: String, level: LullLogLevel = .info) {
        run.log(message, level: level)
    }
}
