/// What an app's worker, with all that it has started, uses of the machine at a moment.
public struct WorkerLoad: Sendable, Equatable, Codable {
    public var app: AppIdentifier
    public var pid: Int32
    public var processes: Int
    /// Bytes that nobody else shares.
    public var memory: Int64
    /// Of the processors, since the worker was started.
    public var cpuMilliseconds: Int64

    public init(app: AppIdentifier, pid: Int32, processes: Int, memory: Int64, cpuMilliseconds: Int64) {
        self.app = app
        self.pid = pid
        self.processes = processes
        self.memory = memory
        self.cpuMilliseconds = cpuMilliseconds
    }
}
