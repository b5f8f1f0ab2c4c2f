public import LullModel

/// A frame from the host to a worker.
///
/// A worker's first frames are one `welcome`, one `confine` with its places, then `settings` until all of the app's settings
/// are there, then one `permit` for each task. Before the worker's `hello` only replies may follow.
public enum HostFrame: Sendable, Equatable {
    case welcome(Welcome)
    case confine(WireConfinement)
    /// A file or folder, with its content, and the access to it.
    case place(path: String, access: WireAccess)
    /// The next part of the app's settings, as JSON in UTF-8.
    case settings(part: [UInt8])
    /// A task that the app may register, with the manifest's kind and its settings as JSON.
    case permit(identifier: String, kind: WireKind, settings: String)
    /// `deadline` in nanoseconds on the monotonic clock; 0: none. `origin`: the trigger events of the launch, as JSON;
    /// empty: none.
    case launch(
        run: UInt64, kind: WireKind, identifier: String, deadline: Int64, label: WireLabel,
        origin: String = "", push: WirePush? = nil)
    case expire(run: UInt64, reason: String)
    /// A new output credit for the run (`Wire.outputCredit`): the worker sends the output that it held.
    case printOn(run: UInt64)
    /// The time of the app's activities is nearly up.
    case expireActivities
    case powerMode(isLow: Bool)
    case terminate
    /// `status` is `lull_status`; `sentence` says why it is not 0.
    case submitReply(sequence: UInt64, status: Int32, sentence: String)
    case cancelReply(sequence: UInt64)
    /// A part of the answer; the caller goes on when the last one has come.
    case pendingReply(sequence: UInt64, requests: [WireRequest], isLast: Bool)
    /// A part of the answer; the caller goes on when the last one has come.
    case notificationsReply(sequence: UInt64, [WireNotification], isLast: Bool)

    /// `transfer` 0: none, and `sentence` says why.
    case transferReply(sequence: UInt64, status: Int32, sentence: String, transfer: UInt64)
    /// A packed list of `TransferState`; unless `isLast`, the caller asks for those after the last of them. `next`: an ordinal
    /// that the session has not used.
    case transfersReply(sequence: UInt64, next: UInt64, states: [UInt8], isLast: Bool)
    /// Transfers of this session may have changed.
    case transferNews(session: String)

    /// How many notifications go into one part of a `notificationsReply`.
    public static let notificationsInPart = 6

    public struct Welcome: Sendable, Equatable {
        public var version: UInt32 = Wire.version
        public var app: String
        public var plugin: String
        /// The identity of the plugin's file when the host examined it; nil: any.
        public var identity: FileIdentity?
        /// The SHA-256 that the file must have; empty: any.
        public var sha256: String
        public var stateFolder: String
        public var nice: Int8
        public var isLowPower: Bool
        /// How many bytes of settings follow.
        public var settingsBytes: UInt32
        /// How many `permit` frames follow.
        public var permits: UInt32

        public init(
            app: String, plugin: String, identity: FileIdentity? = nil, sha256: String = "",
            stateFolder: String, nice: Int8, isLowPower: Bool = false,
            settingsBytes: UInt32,
            permits: UInt32
        ) {
            self.app = app
            self.plugin = plugin
            self.identity = identity
            self.sha256 = sha256
            self.stateFolder = stateFolder
            self.nice = nice
            self.isLowPower = isLowPower
            self.settingsBytes = settingsBytes
            self.permits = permits
        }
    }

    private enum Code: UInt8 {
        case welcome = 1, settings, permit, launch, expire, terminate, submitReply, cancelReply, pendingReply,
            expireActivities, powerMode, confine, place, printOn, notificationsReply,
            transferReply, transfersReply, transferNews
    }

    /// How many requests go into one part of a `pendingReply`.
    public static let requestsInPart = 64

    /// The frame's bytes, in the memory of `buffer`.
    public func encoded(reusing buffer: consuming [UInt8] = []) -> [UInt8] {
        var writer = FrameWriter(reusing: buffer)
        switch self {
        case .welcome(let welcome):
            writer.byte(Code.welcome.rawValue)
            writer.integer(welcome.version)
            writer.text(welcome.app, atMost: Wire.nameBytes)
            writer.text(welcome.plugin, atMost: Wire.pathBytes)
            writer.identity(welcome.identity)
            writer.text(welcome.sha256, atMost: Wire.nameBytes)
            writer.text(welcome.stateFolder, atMost: Wire.pathBytes)
            writer.integer(welcome.nice)
            writer.flag(welcome.isLowPower)
            writer.integer(welcome.settingsBytes)
            writer.integer(welcome.permits)
        case .confine(let confinement):
            writer.byte(Code.confine.rawValue)
            confinement.write(to: &writer)
        case .place(let path, let access):
            writer.byte(Code.place.rawValue)
            writer.text(path, atMost: Wire.pathBytes)
            writer.byte(access.rawValue)
        case .settings(let part):
            writer.byte(Code.settings.rawValue)
            writer.part(part)
        case .permit(let identifier, let kind, let settings):
            writer.byte(Code.permit.rawValue)
            writer.text(identifier, atMost: Wire.nameBytes)
            writer.byte(kind.rawValue)
            writer.text(settings, atMost: Limits.settingsBytes)
        case .launch(let run, let kind, let identifier, let deadline, let label, let origin, let push):
            writer.byte(Code.launch.rawValue)
            writer.integer(run)
            writer.byte(kind.rawValue)
            writer.text(identifier, atMost: Wire.nameBytes)
            writer.integer(deadline)
            writer.label(label)
            writer.text(origin, atMost: Wire.originBytes)
            writer.push(push)
        case .printOn(let run):
            writer.byte(Code.printOn.rawValue)
            writer.integer(run)
        case .expireActivities: writer.byte(Code.expireActivities.rawValue)
        case .powerMode(let isLow):
            writer.byte(Code.powerMode.rawValue)
            writer.flag(isLow)
        case .expire(let run, let reason):
            writer.byte(Code.expire.rawValue)
            writer.integer(run)
            writer.text(reason, atMost: Limits.reasonBytes)
        case .terminate:
            writer.byte(Code.terminate.rawValue)
        case .submitReply(let sequence, let status, let sentence):
            writer.byte(Code.submitReply.rawValue)
            writer.integer(sequence)
            writer.integer(status)
            writer.text(sentence, atMost: Limits.reasonBytes)
        case .cancelReply(let sequence):
            writer.byte(Code.cancelReply.rawValue)
            writer.integer(sequence)
        case .pendingReply(let sequence, let requests, let isLast):
            writer.byte(Code.pendingReply.rawValue)
            writer.integer(sequence)
            writer.flag(isLast)
            writer.integer(UInt16(truncatingIfNeeded: min(requests.count, Self.requestsInPart)))
            for request in requests.prefix(Self.requestsInPart) { writer.request(request) }
        case .notificationsReply(let sequence, let notifications, let isLast):
            writer.byte(Code.notificationsReply.rawValue)
            writer.integer(sequence)
            writer.flag(isLast)
            let part = notifications.prefix(Self.notificationsInPart)
            writer.integer(UInt16(truncatingIfNeeded: part.count))
            for notification in part { writer.notification(notification) }
        case .transferReply(let sequence, let status, let sentence, let transfer):
            writer.byte(Code.transferReply.rawValue)
            writer.integer(sequence)
            writer.integer(status)
            writer.text(sentence, atMost: Limits.reasonBytes)
            writer.integer(transfer)
        case .transfersReply(let sequence, let next, let states, let isLast):
            writer.byte(Code.transfersReply.rawValue)
            writer.integer(sequence)
            writer.integer(next)
            writer.part(states)
            writer.flag(isLast)
        case .transferNews(let session):
            writer.byte(Code.transferNews.rawValue)
            writer.text(session, atMost: Wire.nameBytes)
        }
        return writer.bytes
    }

    /// Decodes a frame; throws `WireError` for bytes that are no valid frame.
    public init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Limits.frameBytes else { throw .tooLong(bytes: bytes.count) }
        var reader = FrameReader(bytes)
        let raw = try reader.byte()
        guard let code = Code(rawValue: raw) else { throw .unknownFrame(raw) }
        switch code {
        case .welcome: self = .welcome(try Welcome(from: &reader))
        case .confine: self = .confine(try WireConfinement(from: &reader))
        case .place:
            let path = try reader.text(atMost: Wire.pathBytes)
            let byte = try reader.byte()
            guard let access = WireAccess(rawValue: byte) else { throw .unknownValue(byte) }
            self = .place(path: path, access: access)
        case .settings: self = .settings(part: try reader.part(atMost: Wire.settingsPart))
        case .permit:
            self = .permit(
                identifier: try reader.text(atMost: Wire.nameBytes), kind: try reader.value(),
                settings: try reader.text(atMost: Limits.settingsBytes))
        case .launch:
            self = .launch(
                run: try reader.integer(), kind: try reader.value(),
                identifier: try reader.text(atMost: Wire.nameBytes), deadline: try reader.integer(),
                label: try reader.label(), origin: try reader.text(atMost: Wire.originBytes),
                push: try reader.push())
        case .expireActivities: self = .expireActivities
        case .printOn: self = .printOn(run: try reader.integer())
        case .powerMode: self = .powerMode(isLow: try reader.flag())
        case .expire:
            self = .expire(run: try reader.integer(), reason: try reader.text(atMost: Limits.reasonBytes))
        case .terminate: self = .terminate
        case .submitReply:
            self = .submitReply(
                sequence: try reader.integer(), status: try reader.integer(),
                sentence: try reader.text(atMost: Limits.reasonBytes))
        case .cancelReply: self = .cancelReply(sequence: try reader.integer())
        case .pendingReply:
            let sequence = try reader.integer(UInt64.self)
            let isLast = try reader.flag()
            let count = Int(try reader.integer(UInt16.self))
            guard count <= Self.requestsInPart else {
                throw .listTooLong(count: count, limit: Self.requestsInPart)
            }
            var requests: [WireRequest] = []
            for _ in 0..<count { requests.append(try reader.request()) }
            self = .pendingReply(sequence: sequence, requests: requests, isLast: isLast)
        case .notificationsReply:
            let sequence = try reader.integer(UInt64.self)
            let isLast = try reader.flag()
            let count = Int(try reader.integer(UInt16.self))
            guard count <= Self.notificationsInPart else {
                throw .listTooLong(count: count, limit: Self.notificationsInPart)
            }
            var notifications: [WireNotification] = []
            for _ in 0..<count { notifications.append(try reader.notification()) }
            self = .notificationsReply(sequence: sequence, notifications, isLast: isLast)
        case .transferReply:
            self = .transferReply(
                sequence: try reader.integer(), status: try reader.integer(),
                sentence: try reader.text(atMost: Limits.reasonBytes), transfer: try reader.integer())
        case .transfersReply:
            self = .transfersReply(
                sequence: try reader.integer(), next: try reader.integer(),
                states: try reader.part(atMost: Wire.packedBytes), isLast: try reader.flag())
        case .transferNews: self = .transferNews(session: try reader.text(atMost: Wire.nameBytes))
        }
        try reader.end()
    }
}

extension HostFrame.Welcome {
    fileprivate init(from reader: inout FrameReader) throws(WireError) {
        let version = try reader.integer(UInt32.self)
        self.init(
            app: try reader.text(atMost: Wire.nameBytes), plugin: try reader.text(atMost: Wire.pathBytes),
            identity: try reader.identity(), sha256: try reader.text(atMost: Wire.nameBytes),
            stateFolder: try reader.text(atMost: Wire.pathBytes), nice: try reader.integer(),
            isLowPower: try reader.flag(), settingsBytes: try reader.integer(), permits: try reader.integer())
        self.version = version
    }
}
