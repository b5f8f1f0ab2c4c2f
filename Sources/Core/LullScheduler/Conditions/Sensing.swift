import LullModel

/// The sensed conditions of the host, and the sensors that it samples.
struct Sensing: Sendable {
    /// Nil: not sensed yet.
    var conditions: Conditions?
    /// When the value of a sensor last changed, as far as this host has seen.
    private(set) var changed: [SensorSet: WallTime] = [:]
    /// The sensors that are sampled.
    private(set) var sampling: Set<Conditions.Sensor> = []
    var recorder = ConditionRecorder()
    /// In a pass: the sets that have not been observed yet.
    private var passSets: [ConditionSet] = []

    /// Stores the sensed conditions; returns the sensors whose value has changed.
    mutating func take(_ new: Conditions, at now: WallTime) -> SensorSet {
        let changes = SensorSet.changed(from: conditions, to: new)
        if conditions != nil {
            for sensor in [SensorSet.power, .network] where changes.contains(sensor) { changed[sensor] = now }
        }
        conditions = new
        return changes
    }

    /// Sets the sensors to sample; returns whether they have changed.
    mutating func sample(_ sensors: Set<Conditions.Sensor>) -> Bool {
        defer { sampling = sensors }
        return sensors != sampling
    }

    mutating func watchInPass(_ sets: [ConditionSet]) { passSets = sets }

    /// Each set is looked at once in a pass.
    mutating func takePassSets() -> [ConditionSet] {
        defer { passSets = [] }
        return conditions == nil ? [] : passSets
    }

    /// For a copy that learns nothing.
    mutating func forgetLearning() {
        recorder = ConditionRecorder()
        passSets = []
    }
}
