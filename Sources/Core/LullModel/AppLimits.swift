/// The resources, files and network that an app's worker and its child processes may use: `limits` in the manifest.
///
/// How each limit is enforced depends on the machine: see `docs/confinement.md`.
public struct AppLimits: Sendable, Equatable, Codable {
    public enum Files: Sendable, Equatable, Codable {
        case all
        /// The files under these absolute paths, and those that every app needs.
        case under([String])
    }

    /// Bytes of private memory, of all its processes together; nil: half of the machine's memory.
    public var memory: Int64?
    /// Processor time as a share of one core, on average over `AppLimits.cpuSpan`; nil: no limit.
    ///
    /// Like Apple's CPU monitor, with a limit that the operator chooses. It does not apply while a task runs that requires
    /// external power.
    public var cpu: Double?
    public var processes = 512
    /// Open file descriptors of each process; nil: the host's own limit.
    public var descriptors: Int?
    /// Bytes of its state folder; nil: no limit.
    public var disk: Int64?
    public var read = Files.all
    /// In addition to the app's state folder and the folders for temporary files.
    public var write = Files.under([])
    public var network = true
    /// Whether the app may do everything that its user may, as under cron: trace and signal other processes, gain privileges.
    public var keepsPrivileges = false

    public init() {}

    /// The span over which processor time is averaged.
    public static let cpuSpan: Duration = .seconds(60)
}
