import Foundation
import Synchronization

/// A run that somebody asked for and watches: it begins at once, shows how far it is, and can be cancelled.
///
/// Set ``progress`` as the work goes on: a run whose progress stands still for the manifest's `stall` time is
/// expired, however long it may take otherwise. Cancelling it and expiring it both call `expirationHandler`.
///
/// Apple: BackgroundTasks, `BGContinuedProcessingTask` (iOS 26).
open class BGContinuedProcessingTask: BGTask, ProgressReporting {
    /// How far the work is; what is set here is shown by `lull status`.
    ///
    /// Children may be added, and a `totalUnitCount` of 0 or less says that the end can't be told.
    public let progress: Progress

    private let words: Mutex<(title: String, subtitle: String)>

    override init(_ run: Run) {
        words = Mutex((run.launch.title, run.launch.subtitle))
        let progress = TaskProgress { run.show($0) }
        self.progress = progress
        super.init(run)
        progress.follow { !run.isCompleted }
    }

    /// What people see as the name of the work.
    public var title: String { words.withLock { $0.title } }

    /// What people see beneath the title.
    public var subtitle: String { words.withLock { $0.subtitle } }

    /// Changes what people see of the run.
    ///
    /// Apple: BackgroundTasks, `BGContinuedProcessingTask.updateTitle(_:subtitle:)`.
    public func updateTitle(_ title: String, subtitle: String) {
        words.withLock { $0 = (title, subtitle) }
        run.show(title: title, subtitle: subtitle)
    }
}
