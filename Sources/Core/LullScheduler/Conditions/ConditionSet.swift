import LullModel

/// Conditions that a task requires together, as one thing that holds or does not: the subject of a strand of the
/// history of conditions.
///
/// It judges the same `Condition`s as the gates do.
struct ConditionSet: Sendable, Hashable {
    /// In the order of the gates.
    let conditions: [Condition]

    var name: String { conditions.map(\.name).joined(separator: "+") }

    /// Nil: a change of it would not be noticed.
    func holds(_ now: Conditions, at time: WallTime, sampling: Set<Conditions.Sensor>) -> Bool? {
        var isUnwatched = false
        for condition in conditions {
            if !condition.isWatched(now, sampling: sampling) {
                isUnwatched = true
            } else if !condition.judged(now, at: time).isSatisfied {
                return false
            }
        }
        return isUnwatched ? nil : true
    }

    func holds(_ now: Conditions, at time: WallTime) -> Bool {
        conditions.allSatisfy { $0.judged(now, at: time).isSatisfied }
    }

    func adding(_ condition: Condition) -> ConditionSet {
        conditions.contains(condition) ? self : ConditionSet(conditions: conditions + [condition])
    }
}

extension Manifest {
    /// The sets of conditions to learn: each condition that some task requires, and each set of them.
    var conditionSets: [ConditionSet] {
        var sets: [ConditionSet] = []
        var names: Set<String> = []
        func add(_ set: ConditionSet) {
            guard !set.conditions.isEmpty, sets.count < ConditionHistory.limit,
                names.insert(set.name).inserted
            else { return }
            sets.append(set)
        }
        for task in tasks {
            let required = task.requires.conditions
            for condition in required.conditions { add(ConditionSet(conditions: [condition])) }
            add(required)
            guard let quiet = task.requires.quiet(of: task.kind) else { continue }
            add(ConditionSet(conditions: [.idle]))
            add(quiet)
        }
        return sets
    }
}
