import LullModel

/// What an app submits while it is being started: the host starts it for what is due, and that is launched first.
///
/// Apps submit their next request whenever they are started, as on iOS on entering the background. There the request that
/// an app is launched for has left the queue by then, and the new one waits for itself. Here the due request keeps its place
/// until it is launched, and the new one stands behind it (`TaskRecord.following`). So nothing is lost when the host is cut
/// off in between.
extension SchedulerState {
    /// Whether a request waited when the app's worker was started, in which no run has ended since; or was made by others
    /// than the app while it starts.
    private func waitedAtStart(_ request: TaskRequest) -> Bool {
        guard request.kind != .continued, let known = apps[request.app]?.current,
            let first = known.foundRequestsBefore
        else { return false }
        return request.id < first || known.foundRequestsAgain.contains(request.id)
            || request.origin != .plugin && isStarting(request.app)
    }

    /// What the host asks for again in the place of another is the app's to withdraw as that was, and waited at its start if
    /// that did.
    mutating func takePlace(of old: TaskRequest, by id: RequestID) {
        // What was asked for again is what its plugin may withdraw.
        if let token = submits.key(where: { $0.request == old.id }) { submits[token]?.request = id }
        guard waitedAtStart(old), let known = apps[old.app]?.current else { return }
        change(known.id) { $0.foundRequestsAgain.insert(id) }
    }

    /// Whether the app was started with this request due: for the app it has left the queue.
    func isTakenOut(_ request: TaskRequest) -> Bool {
        waitedAtStart(request) && gateInput(for: request.task).earliestBegin().isOpen
            && !Mutation.replacesDue.isOn
    }

    /// Whether a plugin's submit stands behind the request that waits, and does not replace it.
    ///
    /// A start never moves a request to a later time: an app that is started often would never come to it.
    func standsBehind(_ submission: Submission) -> Bool {
        guard submission.app != nil, !isContinued(submission),
            let pending = ledger.tasks[submission.task]?.pending, waitedAtStart(pending)
        else { return false }
        if isTakenOut(pending) { return true }
        guard let due = gateInput(for: submission.task).earliestBegin().until else { return false }
        return submission.earliestBegin.map { $0 > due } ?? false && !Mutation.replacesDue.isOn
    }

    /// Whether it waits for itself, and not behind another.
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

    /// What an app is told of its requests that wait, in order of submission.
    public func queuedRequests(of app: AppIdentifier) -> [TaskRequest] {
        ledger.tasks.values.filter { $0.app == app }.compactMap { record in
            (record.following ?? record.pending.flatMap { isTakenOut($0) ? nil : $0 })?.shown
        }.sorted { $0.id < $1.id }
    }
}
