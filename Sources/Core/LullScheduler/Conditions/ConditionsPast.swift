package import LullModel

/// The past conditions of a host, as far as its history tells: for replays.
///
/// A launch was recorded with all that was sensed, and a wait with the conditions that held the task back. Between
/// them the events `conditions` say for which share of a span each condition held and how that ended: it is taken to
/// have changed once.
package struct ConditionsPast: Sendable {
    package struct Change: Sendable, Equatable {
        package let time: WallTime
        package let conditions: Conditions
    }

    /// In order.
    package private(set) var changes: [Change] = []

    private enum Word {
        case all(Conditions)
        case one(Condition, holds: Bool)
    }

    /// - Parameter events: in order; waits and spans tell only of conditions that the manifest requires.
    package init(_ events: [HistoryEvent], _ manifest: Manifest) {
        let sets = manifest.conditionSets.filter { $0.conditions.count == 1 }
        let tasks = Dictionary(manifest.tasks.map { ($0.identifier, $0) }) { first, _ in first }
        var words: [(time: WallTime, word: Word)] = []
        for event in events {
            switch event.event {
            case .launched:
                if let sensed = event.provenance?.conditions { words.append((event.time, .all(sensed))) }
            case .deferred:
                guard let task = event.task.flatMap({ tasks[$0] }), let gates = event.gates,
                    // If another gate was closed, the conditions were not judged.
                    gates.allSatisfy({ GateName(rawValue: $0)?.opener == .condition })
                else { continue }
                for condition in task.requires.conditions.conditions {
                    words.append(
                        (event.time, .one(condition, holds: !gates.contains(condition.gate.rawValue))))
                }
            case .conditions:
                for set in sets { words += Self.words(of: event, about: set) }
            default: break
            }
        }
        var conditions = Conditions()
        for (time, word) in words.enumerated().sorted(by: {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }).map(\.element) {
            let before = conditions
            switch word {
            case .all(let sensed): conditions = sensed
            case .one(let condition, let holds):
                guard condition.judged(conditions, at: time).isSatisfied != holds else { continue }
                condition.impose(holds, on: &conditions, at: time)
            }
            if conditions != before { changes.append(Change(time: time, conditions: conditions)) }
        }
    }

    private static func words(
        of event: HistoryEvent, about set: ConditionSet
    ) -> [(time: WallTime, word: Word)] {
        guard let condition = set.conditions.first, let share = event.shares?[set.name],
            let length = event.milliseconds, length > 0
        else { return [] }
        let (start, isOpen) = (
            event.time - .milliseconds(length), event.gates?.contains(set.name) != true
        )
        let held = Int64(Double(length) * share)
        let change = isOpen ? event.time - .milliseconds(held) : start + .milliseconds(held)
        return [
            (start, .one(condition, holds: isOpen ? share >= 1 : share > 0)),
            (change, .one(condition, holds: isOpen)),
        ]
    }
}
