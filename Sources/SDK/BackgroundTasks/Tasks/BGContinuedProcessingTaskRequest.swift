/// Asks to begin work now that a user has just requested, and to carry it on in the background.
///
/// Its identifier may be one of many that fit a wildcard in `jobs.yaml`, such as `com.example.App.export.*`.
///
/// Apple: BackgroundTasks, `BGContinuedProcessingTaskRequest` (iOS 26).
open class BGContinuedProcessingTaskRequest: BGTaskRequest {
    /// The name of the work, as people see it.
    public var title: String

    /// The line beneath the title.
    public var subtitle: String

    /// How the request is treated if it can't begin at once; ``SubmissionStrategy/queue`` unless set.
    public var strategy = SubmissionStrategy.queue

    /// The resources that the work needs besides the processor; none unless set. See `BGTaskScheduler.supportedResources`.
    public var requiredResources: Resources = []

    /// Makes a request that waits for its turn and needs no further resources.
    public init(identifier: String, title: String, subtitle: String) {
        self.title = title
        self.subtitle = subtitle
        super.init(taskIdentifier: identifier)
    }

    /// How a request is treated that can't begin at once.
    ///
    /// Apple: BackgroundTasks, `BGContinuedProcessingTaskRequest.SubmissionStrategy`.
    public enum SubmissionStrategy: Int, Sendable {
        /// It is refused with `BGTaskScheduler.Error.immediateRunIneligible`.
        case fail = 0
        /// It waits.
        case queue = 1
    }

    /// The resources that a continued run needs besides the processor.
    ///
    /// Apple: BackgroundTasks, `BGContinuedProcessingTaskRequest.Resources`.
    public struct Resources: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// A graphics processor that the worker can use.
        public static var gpu: Resources { Resources(rawValue: 1 << 0) }
    }
}
