/// What the manifest says of the pushes of an app.
public struct PushRules: Sendable, Hashable, Codable {
    /// Silent pushes that are delivered within any `span`.
    public var quota: Int
    public var span: Duration
    /// For how long a silent push waits for a good moment, once nothing else holds it.
    public var within: Duration
    /// Bytes of a payload.
    public var maxBytes: Int
    /// The absolute path of the file whose first line is the secret of signatures; nil: none is taken.
    public var secretFile: String?
    /// The broker whose messages are pushes; nil: none.
    public var mqtt: MQTTSource?

    public init(
        quota: Int = 3, span: Duration = .hours(1), within: Duration = .minutes(15),
        maxBytes: Int = Limits.pushBytes, secretFile: String? = nil, mqtt: MQTTSource? = nil
    ) {
        self.quota = quota
        self.span = span
        self.within = within
        self.maxBytes = maxBytes
        self.secretFile = secretFile
        self.mqtt = mqtt
    }

    /// Launches of which the times are remembered, for a quota can't be higher.
    public static let mostQuota = 120
    /// What the manifest may set `within` to.
    public static let longestWait: Duration = .days(1)

    /// The task that an app's pushes are runs of.
    public static func task(of app: AppIdentifier) -> TaskIdentifier? { TaskIdentifier(app.text + ".push") }
}

/// A push as it comes from outside, before it is a request.
public struct Push: Sendable, Equatable, Codable {
    public enum Source: String, Sendable, Codable, CaseIterable {
        /// `lull push`.
        case `operator`
        /// `POST /push/APP`.
        case http
        /// A message of the broker in `push: { mqtt }`.
        case mqtt
    }

    /// JSON, in UTF-8.
    public var payload: String
    public var isUrgent: Bool
    public var source: Source

    public init(payload: String = "{}", isUrgent: Bool = false, source: Source = .operator) {
        self.payload = payload
        self.isUrgent = isUrgent
        self.source = source
    }
}

/// What an event or a request says of the push that it is about.
public struct PushNote: Sendable, Hashable, Codable {
    /// Nil: it stands with the request.
    public var payload: String?
    /// Earlier pushes that this one stands for.
    public var merged: Int
    public var isUrgent: Bool
    public var source: Push.Source

    public init(payload: String?, merged: Int = 0, isUrgent: Bool = false, source: Push.Source = .operator) {
        self.payload = payload
        self.merged = max(0, merged)
        self.isUrgent = isUrgent
        self.source = source
    }

    public var withoutPayload: PushNote {
        PushNote(payload: nil, merged: merged, isUrgent: isUrgent, source: source)
    }
}
