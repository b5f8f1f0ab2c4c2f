import LullModel
import LullScheduler

/// Checks that an operator's launch, submit or cancel never moves a rhythm's next time, unless that was asked for.
extension Invariants {
    /// The records from here on were decided in this frame.
    mutating func beginRhythm(_ frame: Frame) {
        rhythms = rhythm
        rhythmsBy = latestManifest
        latestManifest = frame.manifest
    }

    /// Whether the manifest itself changes the task's rhythm: then the edit moves the time, whatever else happens in that frame.
    private func hasNewRhythm(_ task: TaskIdentifier, in manifest: Manifest) -> Bool {
        let old = rhythmsBy?.tasks.first { $0.identifier == task }
        let new = manifest.tasks.first { $0.identifier == task }
        return old?.at != new?.at || old?.repeat != new?.repeat || old?.kind != new?.kind
    }

    /// When `repeat` and `at` are due, by the pending requests.
    private var rhythm: [TaskIdentifier: WallTime] {
        var rhythms: [TaskIdentifier: WallTime] = [:]
        for request in pending.values {
            switch request.origin {
            case .repeat: rhythms[request.task] = request.earliestBegin ?? request.submitted
            case .at: rhythms[request.task] = request.earliestBegin
            case .operator: rhythms[request.task] = request.occurrence?.repeat
            case .plugin, .event, .push, .transfers: break
            }
        }
        return rhythms
    }

    /// After the records of a frame.
    mutating func checkRhythm(_ frame: Frame) {
        let forced = frame.forced
        // Of two launches of a task at once, one may take the place of its next time.
        let replaced = Set(forced.filter { insteads.contains($0.value) }.compactMap { running[$0.key]?.task })
        // After a launch for an event, `repeat` counts as from a launch of its own, whoever requested it.
        let own = Set(
            frame.effects.compactMap { effect -> TaskIdentifier? in
                guard case .launch(let launch) = effect, forced[launch.run] == nil || launch.origin != nil
                else { return nil }
                return launch.task
            })
        let byHand = Set(forced.filter { !insteads.contains($0.value) }.compactMap { running[$0.key]?.task })
            .subtracting(replaced)
        // If another run of the task fails as well, which is no operator's, the task may be requested again at once.
        let failed = Set(unfinished.filter(\.run.isExtra).map(\.run.task))
            .subtracting(unfinished.filter { !$0.run.isExtra }.map(\.run.task))
        guard frame.about.isByHand || !byHand.isEmpty || !failed.isEmpty else { return }
        let after = rhythm
        for (task, due) in rhythms.sorted(by: { $0.key < $1.key }) {
            // A time that is past may have been launched, as may a request without a time or from before the clock was set back.
            // A plugin's request or an event takes the place of a time.
            guard due > frame.now.wall,
                frame.about.isByHand || byHand.contains(task) || failed.contains(task),
                !own.contains(task),
                !pending.values.contains(where: {
                    $0.task == task && ($0.origin == .plugin || $0.origin == .event)
                })
            else { continue }
            // A task with `at` is launched at its times, whoever requests it.
            let isAt = frame.manifest.tasks.first { $0.identifier == task }?.at != nil
            if isAt, pending.values.contains(where: { $0.task == task && $0.origin == .operator }) {
                continue
            }
            guard after[task] != due, !hasNewRhythm(task, in: frame.manifest) else { continue }
            fault(
                "the next time of \(task), \(due.milliseconds) ms, is moved to "
                    + (after[task].map { "\($0.milliseconds) ms" } ?? "never") + " by an operator's hand")
        }
    }

    func isPaused(_ task: TaskIdentifier, of app: AppIdentifier, at now: WallTime) -> Bool {
        [Pause.Scope.all, .app(app), .task(task)].contains { scope in pauses[scope].map { now < $0 } ?? false
        }
    }

    mutating func notePause(_ event: HistoryEvent) {
        let scope: Pause.Scope =
            event.task.map { .task($0) } ?? (event.app == .host ? .all : .app(event.app))
        pauses[scope] = event.event == .paused ? event.earliestBegin ?? .distantFuture : nil
    }
}
