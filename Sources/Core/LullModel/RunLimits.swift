/// What one run of a task may use: `limits` of a task in the manifest; nil: what its app may.
///
/// Each holds only if the plugin gives each run a worker of its own.
public struct RunLimits: Sendable, Equatable, Codable {
    /// Bytes of private memory, of all its processes together.
    public var memory: Int64?
    /// Processor time as a share of one core, on average over `AppLimits.cpuSpan`.
    public var cpu: Double?
    public var processes: Int?

    public init() {}

    public init(_ limits: AppLimits) {
        (memory, cpu, processes) = (limits.memory, limits.cpu, limits.processes)
    }
}

/// The urgency of a run's reads and writes: `ionice` in the manifest.
public enum IOUrgency: String, Sendable, Codable, CaseIterable {
    /// That of the host.
    case normal
    /// Only when nobody else uses the disk, as `ionice -c 3`.
    case idle
}

extension AppLimits {
    /// Those of a run with limits of its own.
    public func narrowed(to run: RunLimits?) -> AppLimits {
        var limits = self
        limits.memory = run?.memory ?? memory
        limits.cpu = run?.cpu ?? cpu
        limits.processes = run?.processes ?? processes
        return limits
    }
}
