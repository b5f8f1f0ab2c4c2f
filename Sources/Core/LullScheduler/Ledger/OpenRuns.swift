import LullModel

/// The runs under way, how many each task has, and the sensors that they need.
///
/// These are read at each event and each review, so they are kept up to date and not counted each time: a thousand runs
/// may be under way.
struct OpenRuns: Sendable {
    private var runs: [RunID: Run] = [:]
    private var counts: [TaskIdentifier: Int] = [:]
    /// The runs of each group of tasks, in the order of their launches.
    private var ofGroups: [String: [RunID]] = [:]
    /// How many runs need each sensor.
    private var needing: [SensorSet: Int] = [:]

    var count: Int { runs.count }
    var isEmpty: Bool { runs.isEmpty }
    var keys: Dictionary<RunID, Run>.Keys { runs.keys }
    var values: Dictionary<RunID, Run>.Values { runs.values }

    func count(of task: TaskIdentifier) -> Int { counts[task] ?? 0 }
    func ofGroup(_ name: String) -> [RunID] { ofGroups[name] ?? [] }

    /// The sensors to sample, so that runs can be expired when their conditions end.
    var sensed: SensorSet {
        var sensed: SensorSet = []
        for (sensor, runs) in needing where runs > 0 { sensed.formUnion(sensor) }
        return sensed
    }

    subscript(_ id: RunID) -> Run? {
        get { runs[id] }
        set {
            guard let run = newValue else {
                removeValue(forKey: id)
                return
            }
            // A run keeps its task and what it requires.
            if runs.updateValue(run, forKey: id) == nil { count(run, by: 1) }
        }
    }

    @discardableResult
    mutating func removeValue(forKey id: RunID) -> Run? {
        guard let run = runs.removeValue(forKey: id) else { return nil }
        count(run, by: -1)
        return run
    }

    private mutating func count(_ run: Run, by step: Int) {
        let left = count(of: run.task) + step
        counts[run.task] = left > 0 ? left : nil
        if let group = run.group {
            var members = ofGroup(group)
            if step > 0 { members.append(run.id) } else { members.removeAll { $0 == run.id } }
            ofGroups[group] = members.isEmpty ? nil : members
        }
        for condition in run.requires.conditions.conditions {
            if let sensor = condition.sampledForRuns { needing[sensor, default: 0] += step }
        }
    }
}
