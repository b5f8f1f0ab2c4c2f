import BackgroundTasks
import Synchronization

/// The host that a test made last.
let currentHost = Mutex<TestHost?>(nil)

/// The functions that a debugger calls on iOS, for tests that have a ``TestHost``.
extension BGTaskScheduler {
    /// Launches a task now; see ``TestHost/launch(_:settings:)``.
    ///
    /// Returns at once, before the handler is called: `await` the ``TestRun/outcome`` of the last of
    /// ``TestHost/launches(of:)``.
    public func _simulateLaunchForTaskWithIdentifier(_ identifier: String) {
        currentHost.withLock { $0 }?.launch(identifier)
    }

    /// Has the runs of a task expire now; see ``TestRun/expire()``. Returns before their handlers have been called.
    public func _simulateExpirationForTaskWithIdentifier(_ identifier: String) {
        let runs = currentHost.withLock { $0 }?.launches(of: identifier) ?? []
        for run in runs { run.expire() }
    }
}

extension TestHost {
    /// The runs of a task, in the order in which they were launched.
    public func launches(of identifier: String) -> [TestRun] {
        state.withLock { state in
            state.runs.values.filter { $0.identifier == identifier }.sorted { $0.number < $1.number }
        }
    }
}
