import LullHistory
import LullHost
import LullModel
import LullScheduler
import LullSystem

/// What the history tells of how often a task's constraints held together.
package struct PastConditions {
    private let events: [HistoryEvent]
    private let zones: Zones
    private let now: WallTime

    /// Of a history that is not there or can't be read: nothing.
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

    /// What is expected in the manifest, and could not have been met lately.
    package func obstacles(of manifest: Manifest) -> [(task: TaskDefinition, sentence: String)] {
        manifest.tasks.compactMap { task in
            guard task.enabled, let expectation = task.expect,
                let sentence = feasibility(of: task)?.obstacle(to: expectation)
            else { return nil }
            return (task, sentence)
        }
    }
}
