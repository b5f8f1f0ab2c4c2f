import LullModel

/// Submits of an app that is being started: the due request that it is started for is launched first.
///
/// Apps submit their next request whenever they are started, as on iOS on entering the background. On iOS the request
/// that an app is launched for has left the queue by then. Here the due request keeps its place until it is launched,
/// and the new one waits behind it (`TaskRecord.following`). So nothing is lost when the host is cut off in between.
extension SchedulerState {
    /// Whether a request waited when the app's worker was started, and no run has ended in that worker since; or was
    /// not made by the app while the worker starts.
    private func waitedAtStart(_ request: TaskRequest) -> Bool {
        guard request.kind != .continued, let known = apps[request.app]?.current,
            let first = known.foundRequestsBefore
        else { return false }
        return request.id < first || known.foundRequestsAgain.contains(request.id)
            || request.origin != .plugin && isStarting(request.app)
    }

    /// Request `id` replaces an old one that the host ended: the app may withdraw it if it might withdraw the old one,
    /// and it counts as waiting at the app's start if the old one did.
    mutating func takePlace(of old: TaskRequest, by id: RequestID) {
        // The plugin's token now withdraws the new request.
        if let token = recent.submits.key(where: { $0.request == old.id }) {
            recent.submits[token]?.request = id
        }
        guard waitedAtStart(old), let known = apps[old.app]?.current else { return }
        change(known.id) { $0.foundRequestsAgain.insert(id) }
    }

    /// Whether the app was started with this request due: for the app it has left the queue.
    func isTakenOut(_ request: TaskRequest) -> Bool {
        waitedAtStart(request) && gateInput(for: request.task).earliestBegin().isOpen
            && !Mutation.replacesDue.isOn
    }

    /// Whether a plugin's submit waits behind the pending request, and does not replace it.
    ///
    /// A start never moves a request to a later time: an app that is started often would never run it.
    func standsBehind(_ submission: Submission) -> Bool {
        guard submission.app != nil, !isContinued(submission),
            let pending = ledger.tasks[submission.task]?.pending
        else { return false }
        // An operator's request for a run with other parameters is not the plugin's to replace.
        if pending.params != nil { return true }
        guard waitedAtStart(pending) else { return false }
        if isTakenOut(pending) { return true }
        guard let due = gateInput(for: submission.task).earliestBegin().until else { return false }
        return submission.earliestBegin.map { $0 > due } ?? false && !Mutation.replacesDue.isOn
    }

    /// Whether it is the task's pending request, and does not wait behind another.
    package func isFirst(_ request: TaskRequest) -> Bool {
        ledger.tasks[request.task]?.pending?.id == request.id
    }

    package func isStarting(_ app: AppIdentifier) -> Bool { apps[app]?.worker == .starting }

    @discardableResult
    mutating func endFollowing(
        of task: TaskIdentifier, _ name: HistoryEvent.Name, _ reason: String
    ) -> TaskRequest? {
        guard let request = ledger.tasks[task]?.following else { return nil }
        record(
            HistoryEvent(
                name, at: now.wall, app: request.app, task: task, request: request.id, reason: reason))
        return request
    }

    /// The requests that an app sees as pending, in order of submission.
    public func queuedRequests(of app: AppIdentifier) -> [TaskRequest] {
        ledger.tasks.values.filter { $0.app == app }.compactMap { record in
            (record.following ?? record.pending.flatMap { isTakenOut($0) ? nil : $0 })?.shown
        }.sorted { $0.id < $1.id }
    }
}
