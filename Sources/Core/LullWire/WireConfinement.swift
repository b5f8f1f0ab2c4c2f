/// The privileges that a worker drops before it loads its plugin; `places` `place` frames follow.
public struct WireConfinement: Sendable, Equatable {
    /// The user that it becomes; empty: unchanged, or `account`.
    public var user: String
    /// The number of an account without a name that it becomes; 0: none.
    public var account: UInt32
    /// The limit of files open at once; 0: unchanged.
    public var descriptors: UInt32
    /// The limit of writable memory in bytes, which holds until the host measures; 0: none.
    public var data: UInt64
    /// The limit of processes of the user that it becomes; 0: none.
    public var processes: UInt32
    /// False: it keeps all privileges of its user.
    public var isConfined: Bool
    /// Whether only places may be read; whether only places may be written.
    public var limitsReading: Bool
    public var limitsWriting: Bool
    public var hasNetwork: Bool
    public var places: UInt16

    public init(
        user: String = "", account: UInt32 = 0, descriptors: UInt32 = 0, data: UInt64 = 0,
        processes: UInt32 = 0,
        isConfined: Bool = true, limitsReading: Bool = false, limitsWriting: Bool = false,
        hasNetwork: Bool = true, places: UInt16 = 0
    ) {
        self.user = user
        self.account = account
        self.descriptors = descriptors
        self.data = data
        self.processes = processes
        self.isConfined = isConfined
        self.limitsReading = limitsReading
        self.limitsWriting = limitsWriting
        self.hasNetwork = hasNetwork
        self.places = places
    }
}

extension WireConfinement {
    func write(to writer: inout FrameWriter) {
        writer.text(user, atMost: Wire.nameBytes)
        writer.integer(account)
        writer.integer(descriptors)
        writer.integer(data)
        writer.integer(processes)
        for flag in [isConfined, limitsReading, limitsWriting, hasNetwork] { writer.flag(flag) }
        writer.integer(places)
    }

    init(from reader: inout FrameReader) throws(WireError) {
        self.init(
            user: try reader.text(atMost: Wire.nameBytes), account: try reader.integer(),
            descriptors: try reader.integer(),
            data: try reader.integer(), processes: try reader.integer(), isConfined: try reader.flag(),
            limitsReading: try reader.flag(), limitsWriting: try reader.flag(),
            hasNetwork: try reader.flag(), places: try reader.integer())
    }
}

/// The access of a confined worker to a path.
public enum WireAccess: UInt8, Sendable, CaseIterable {
    /// The path and everything below it may be read.
    case read
    /// It may also be written.
    case write
    /// As `write`, but the folder is shared: the app may only change entries below it.
    case writeBelow
    /// It may not be read, although everything else may.
    case hidden
}
