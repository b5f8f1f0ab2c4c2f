import LullHistory
import LullHost
import LullModel
import LullScheduler
import LullSystem

/// How often a task's constraints held together, from the history.
package struct PastConditions {
    private let events: [HistoryEvent]
    private let zones: Zones
    private let now: WallTime

    /// Empty where there is no history or it can't be read.
    package init(_ folder: String, _ manifest: Manifest) {
        now = Clock.wall
        zones = ZoneLoader.load(manifest.zoneNames, around: now)
        let query = HistoryQuery(names: [.conditions], since: now - .days(Feasibility.span + 1))
        events =
            (try? SQLiteHistory.open(folder: folder, mode: .readOnly))
            .flatMap { history in try? history.events(matching: query) } ?? []
    }

    package func feasibility(of task: TaskDefinition) -> Feasibility? {
        guard !events.isEmpty else { return nil }
        return Feasibility(of: task, in: events, at: now, zones: zones)
    }

    /// The expectations of the manifest that could not have been met lately.
    package func obstacles(of manifest: Manifest) -> [(task: TaskDefinition, sentence: String)] {
        manifest.tasks.compactMap { task in
            guard task.enabled, let expectation = task.expect,
                let sentence = feasibility(of: task)?.obstacle(to: expectation)
            else { return nil }
            return (task, sentence)
        }
    }
}
