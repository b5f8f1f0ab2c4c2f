import Foundation
import Synchronization

/// A run that a user asked for and watches: it begins at once, shows its progress, and can be cancelled.
///
/// Set ``progress`` as the work goes on: a run whose progress stands still for the manifest's `stall` time is
/// expired, however long it may take otherwise. Cancelling it and expiring it both call `expirationHandler`.
///
/// Apple: BackgroundTasks, `BGContinuedProcessingTask` (iOS 26).
open class BGContinuedProcessingTask: BGTask, ProgressReporting {
    /// The progress of the work, which `lull status` shows.
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

    /// The name of the work, as people see it.
    public var title: String { words.withLock { $0.title } }

    /// The line beneath the title.
    public var subtitle: String { words.withLock { $0.subtitle } }

    /// Changes the title and subtitle that people see.
    ///
    /// Apple: BackgroundTasks, `BGContinuedProcessingTask.updateTitle(_:subtitle:)`.
    public func updateTitle(_ title: String, subtitle: String) {
        words.withLock { $0 = (title, subtitle) }
        run.show(title: title, subtitle: subtitle)
    }
}
