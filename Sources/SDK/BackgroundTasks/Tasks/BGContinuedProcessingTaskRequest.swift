/// Asks that work which somebody has just asked for be begun now and carried on in the background.
///
/// Its identifier may be one of many that fit a wildcard in `jobs.yaml`, such as `com.example.App.export.*`.
///
/// Apple: BackgroundTasks, `BGContinuedProcessingTaskRequest` (iOS 26).
open class BGContinuedProcessingTaskRequest: BGTaskRequest {
    /// What people see as the name of the work.
    public var title: String

    /// What people see beneath the title.
    public var subtitle: String

    /// What becomes of the request when it can't begin at once; ``SubmissionStrategy/queue`` unless set.
    public var strategy = SubmissionStrategy.queue

    /// What the work needs beside the processor; nothing unless set. See `BGTaskScheduler.supportedResources`.
    public var requiredResources: Resources = []

    /// Makes a request that waits for its turn and needs no further resources.
    public init(identifier: String, title: String, subtitle: String) {
        self.title = title
        self.subtitle = subtitle
        super.init(taskIdentifier: identifier)
    }

    /// What becomes of a request that can't begin at once.
    ///
    /// Apple: BackgroundTasks, `BGContinuedProcessingTaskRequest.SubmissionStrategy`.
    public enum SubmissionStrategy: Int, Sendable {
        /// It is refused with `BGTaskScheduler.Error.immediateRunIneligible`.
        case fail = 0
        /// It waits.
        case queue = 1
    }

    /// What a continued run needs beside the processor.
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
