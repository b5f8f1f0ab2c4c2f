/// The resources that an app's worker and its child processes use at a moment.
public struct WorkerLoad: Sendable, Equatable, Codable {
    public var app: AppIdentifier
    public var pid: Int32
    public var processes: Int
    /// Bytes of private memory.
    public var memory: Int64
    /// Processor time since the worker was started.
    public var cpuMilliseconds: Int64

    public init(app: AppIdentifier, pid: Int32, processes: Int, memory: Int64, cpuMilliseconds: Int64) {
        self.app = app
        self.pid = pid
        self.processes = processes
        self.memory = memory
        self.cpuMilliseconds = cpuMilliseconds
    }
}
