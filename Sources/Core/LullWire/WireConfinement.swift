/// What a worker is to give up before it loads its plugin; as many `place` frames follow as `places` says.
public struct WireConfinement: Sendable, Equatable {
    /// As whom it goes on; empty: as it is, or as `account`.
    public var user: String
    /// The number of an account without a name, as which it goes on; 0: none.
    public var account: UInt32
    /// Of files open at once; 0: as it is.
    public var descriptors: UInt32
    /// Bytes of memory that may be written, as a brake until the host looks; 0: none.
    public var data: UInt64
    /// Of the user it becomes; 0: no limit.
    public var processes: UInt32
    /// False: it keeps all that its user may.
    public var isConfined: Bool
    /// Whether only places may be read, and written.
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

/// What a path means to a worker that is to be confined.
public enum WireAccess: UInt8, Sendable, CaseIterable {
    /// It may be read, with all that lies below.
    case read
    /// It may be written, too.
    case write
    /// The same, but it is many people's: only what lies below is the app's to change.
    case writeBelow
    /// Where all else may be read, it may not.
    case hidden
}
