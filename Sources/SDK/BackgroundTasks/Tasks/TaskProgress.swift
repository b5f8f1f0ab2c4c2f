import Foundation
import Synchronization

/// The progress of a continued run, which reports its changes to the host.
///
/// Foundation on Linux announces no change of a progress. Counts that are set here are reported at once; those of its
/// children are read every half second while the run lasts.
// Sendable: Foundation declares `Progress` so, and keeps its state behind a lock of its own. What this class adds is a constant
// function that is Sendable, and a Mutex; a subclass has to say `@unchecked` because Foundation's class does.
final class TaskProgress: Progress, @unchecked Sendable {
    /// The values for the host; `total` is 0 if it is unknown.
    struct Reading: Sendable, Equatable {
        var completed: Int64
        var total: Int64
    }

    private let tell: @Sendable (Reading) -> Void
    private let last = Mutex(Reading(completed: 0, total: 0))

    init(tell: @escaping @Sendable (Reading) -> Void) {
        self.tell = tell
        super.init(parent: nil, userInfo: nil)
        isCancellable = true
    }

    override var completedUnitCount: Int64 {
        didSet { report() }
    }

    override var totalUnitCount: Int64 {
        didSet { report() }
    }

    /// Reports the progress if it has changed since the last report.
    func report() {
        let now = reading
        let isNew = last.withLock { last in
            defer { last = now }
            return last != now
        }
        if isNew { tell(now) }
    }

    /// Reads the children's progress while the run lasts.
    func follow(while isRunning: @escaping @Sendable () -> Bool) {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
        // The timer holds itself until it is cancelled.
        timer.setEventHandler { [weak self] in
            guard let self, isRunning() else { return timer.cancel() }
            self.report()
        }
        timer.activate()
    }

    /// The author's own counts or, if children change the fraction, ten-thousandths of the whole.
    var reading: Reading {
        let (completed, total) = (completedUnitCount, totalUnitCount)
        guard total > 0 else { return Reading(completed: max(completed, 0), total: 0) }
        let share = min(max(fractionCompleted, 0), 1)
        guard abs(share - Double(completed) / Double(total)) > 1e-9, completed < total else {
            return Reading(completed: min(max(completed, 0), total), total: total)
        }
        return Reading(completed: Int64(share * 10_000), total: 10_000)
    }
}
