private import LullModel

/// The parts of the protocol between host and worker that are not frames; `docs/workers.md` has the whole format.
///
/// One frame is one datagram on a `SOCK_SEQPACKET` socket: anything that a plugin writes there by mistake is
/// one bad frame, and can't change the meaning of the next.
public enum Wire {
    /// Changes with any frame. Both sides come from one build, so it is compared for equality.
    public static let version: UInt32 = 12
    /// The worker's end of the socket.
    public static let descriptor: Int32 = 3
    /// The exit status of a worker whose plugin can't be loaded or refuses to start; it sends a `failed` frame first.
    public static let refusedStatus: Int32 = 78
    /// The exit status of a worker whose plugin has closed its socket.
    public static let closedSocketStatus: Int32 = 79
    /// How many bytes of settings go into one `settings` frame.
    public static let settingsPart = 64 << 10
    /// How many bytes of output go into one `printed` frame.
    public static let printedPart = 16 << 10
    /// How many bytes of output a run may send before the host asks for more; more than is kept of a run's beginning.
    public static let outputCredit = 256 << 10
    /// How many of the newest bytes are held until then: as many as are kept of a run's end.
    public static let heldOutput = 32 << 10
    /// The limit of identifiers, names, `sdk`, and the build ID in hexadecimal.
    public static let nameBytes = 255
    /// The limit of a launch's trigger events and parameters as JSON: each byte of `Limits.eventPathBytes` may take six, and of
    /// `TaskParam.totalBytes` two.
    public static let originBytes = 96 << 10
    /// The limit of a packed value: the rest of its frame is a few numbers.
    public static let packedBytes = Limits.frameBytes - 64
    /// The limit of a path.
    public static let pathBytes = 4096
}

/// A `lull_request` on the wire: nothing in it has been checked yet.
public struct WireRequest: Sendable, Equatable {
    public static let network: UInt32 = 1
    public static let externalPower: UInt32 = 2

    public var kind: WireKind
    public var identifier: String
    /// Nanoseconds since 1970; 0: no earlier bound.
    public var earliestBegin: Int64
    /// `LULL_REQUIRES_…`; unknown bits are ignored.
    public var requirements: UInt32
    /// Of a continued request: `LULL_RESOURCE_…`, and whether it is launched at once or not at all.
    public var resources: UInt32
    public var isImmediate: Bool
    public var label: WireLabel

    public init(
        kind: WireKind, identifier: String, earliestBegin: Int64 = 0, requirements: UInt32 = 0,
        resources: UInt32 = 0, isImmediate: Bool = false, label: WireLabel = WireLabel()
    ) {
        self.kind = kind
        self.identifier = identifier
        self.earliestBegin = earliestBegin
        self.requirements = requirements
        self.resources = resources
        self.isImmediate = isImmediate
        self.label = label
    }
}

/// The label of a request, for people or for its own handler; nil parts are absent.
public struct WireLabel: Sendable, Equatable {
    public var title: String?
    public var subtitle: String?
    public var protection: String?

    public init(title: String? = nil, subtitle: String? = nil, protection: String? = nil) {
        self.title = title
        self.subtitle = subtitle
        self.protection = protection
    }
}

/// The content of a push for the run that it launches.
public struct WirePush: Sendable, Equatable {
    /// JSON.
    public var payload: String
    /// The number of earlier pushes that were merged into it.
    public var merged: UInt32
    public var isUrgent: Bool

    public init(payload: String, merged: UInt32 = 0, isUrgent: Bool = false) {
        self.payload = payload
        self.merged = merged
        self.isUrgent = isUrgent
    }
}

/// `lull_kind`.
public enum WireKind: UInt8, Sendable, CaseIterable {
    case refresh = 1
    case processing = 2
    case continued = 3
    case push = 4
    case transfers = 5
}

/// `lull_level`, from the least to the most severe.
public enum LogLevel: UInt8, Sendable, CaseIterable, Comparable {
    case trace, debug, info, notice, warning, error, critical

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// `lull_stream`.
public enum PrintedStream: UInt8, Sendable, CaseIterable {
    case output = 1
    case error = 2
}

/// The phase in which the start of a worker failed.
public enum StartPhase: UInt8, Sendable, CaseIterable {
    /// The library can't be loaded.
    case load
    /// The library is loaded, but is no plugin that this worker can run.
    case entry
    /// `start` refused.
    case start
    /// Worker and host do not understand each other.
    case wire
    /// The worker can't be confined as the host demands.
    case confinement
    /// The machine has no process or memory left for it now: the host tries again.
    case room
}
