/// The manifest's rules for the pushes of an app.
public struct PushRules: Sendable, Hashable, Codable {
    /// Silent pushes that are delivered within any `span`.
    public var quota: Int
    public var span: Duration
    /// How long a silent push waits for a good moment, once nothing else holds it back.
    public var within: Duration
    /// Bytes of a payload.
    public var maxBytes: Int
    /// The absolute path of the file whose first line is the secret for signatures; nil: there is none.
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

    /// The highest quota: the times of this many launches are remembered.
    public static let mostQuota = 120
    /// The longest `within` that the manifest may set.
    public static let longestWait: Duration = .days(1)

    /// The task that an app's pushes are runs of.
    public static func task(of app: AppIdentifier) -> TaskIdentifier? { TaskIdentifier(app.text + ".push") }
}

/// A push from outside, before it becomes a request.
public struct Push: Sendable, Equatable, Codable {
    public enum Source: String, Sendable, Codable, CaseIterable {
        /// `lull push`.
        case `operator`
        /// `POST /push/APP`.
        case http
        /// A message of the broker in `push: { mqtt }`.
        case mqtt
    }

    /// The refusal of a payload that can't be read.
    public static let notJSON =
        "The payload is not JSON that Lull reads. Send a JSON value, such as {\"new\": 3}, with fewer than "
        + "\(Limits.manifestDepth) levels and no number beyond 1.79e308."

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

/// The push in an event or a request.
public struct PushNote: Sendable, Hashable, Codable {
    /// Nil: it is stored with the request.
    public var payload: String?
    /// The number of earlier pushes that were merged into this one.
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
