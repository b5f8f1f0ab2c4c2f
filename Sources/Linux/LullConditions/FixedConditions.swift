public import LullModel

/// Conditions that the caller sets: the sensors' twin for simulations and tests.
public final class FixedConditions: ConditionSource {
    public private(set) var conditions: Conditions
    /// The sensors that are being sampled.
    public private(set) var sampled: Set<Conditions.Sensor> = []
    private var announced: Conditions
    private var onChange: ((Conditions) -> Void)?

    public init(_ conditions: Conditions = Conditions()) {
        self.conditions = conditions
        announced = conditions
    }

    public func current() -> Conditions {
        announced = conditions
        return conditions
    }

    public func start(onChange: @escaping (Conditions) -> Void) { self.onChange = onChange }
    public func sample(_ sensors: Set<Conditions.Sensor>) { sampled = sensors }

    public func stop() {
        onChange = nil
        sampled = []
    }

    /// The world changes, and the change is announced as an event would be.
    public func set(_ conditions: Conditions) {
        self.conditions = conditions
        announce()
    }

    /// The world changes in silence, as load does: it shows at the next look.
    public func setQuietly(_ conditions: Conditions) { self.conditions = conditions }

    /// A sampling's moment: announces the sampled conditions that have changed.
    public func takeSample() {
        guard !sampled.isEmpty else { return }
        var seen = announced
        for sensor in sampled { seen.copy(sensor, from: conditions) }
        announce(seen)
    }

    private func announce(_ seen: Conditions? = nil) {
        let seen = seen ?? conditions
        guard seen != announced else { return }
        announced = seen
        onChange?(seen)
    }
}
