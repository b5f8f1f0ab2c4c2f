public import LullModel

/// Where the host's conditions come from: its sensors, or a fixed twin.
public protocol ConditionSource: AnyObject {
    /// Reads everything now.
    func current() -> Conditions
    /// Calls `onChange` with all conditions whenever one of them has changed; never from within a call to the
    /// source.
    func start(onChange: @escaping (Conditions) -> Void)
    /// Also looks, coarsely, at sensors that Linux sends no events for; none: stops looking.
    func sample(_ sensors: Set<Conditions.Sensor>)
    func stop()
}
