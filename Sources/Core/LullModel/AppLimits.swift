/// What an app's worker, and whatever that starts, may use and reach: `limits` in the manifest.
///
/// How each is kept differs by machine: see `docs/confinement.md`.
public struct AppLimits: Sendable, Equatable, Codable {
    public enum Files: Sendable, Equatable, Codable {
        case all
        /// What lies under these absolute paths, and what every app needs.
        case under([String])
    }

    /// Bytes of its own, of all its processes together; nil: half of the machine's.
    public var memory: Int64?
    /// Of one core, on average over `AppLimits.cpuSpan`; nil: no limit.
    ///
    /// Apple's CPU monitor, with a figure that is for the operator to choose; as there it rests while a task runs that requires
    /// external power.
    public var cpu: Double?
    public var processes = 512
    /// Of each process; nil: as the host's own.
    public var descriptors: Int?
    /// Bytes of its state folder; nil: no limit.
    public var disk: Int64?
    public var read = Files.all
    /// Beside the app's state folder and the folders for temporary files.
    public var write = Files.under([])
    public var network = true
    /// Whether the app may do all that the user may whom it runs as, as under cron: trace and signal others, gain privileges.
    public var keepsPrivileges = false

    public init() {}

    /// Over which the use of the processor is judged.
    public static let cpuSpan: Duration = .seconds(60)
}
