/// What the server answered, once all of it has come.
public struct TransferResult: Sendable, Hashable, Codable {
    /// Of HTTP.
    public var status: Int
    /// Where it ended, behind all redirections.
    public var url: String
    public var headers: [TransferHeader]
    /// The file's bytes, and those that were sent of a body or an upload.
    public var received: Int64
    public var sent: Int64

    public init(status: Int, url: String, headers: [TransferHeader], received: Int64, sent: Int64) {
        self.status = status
        self.url = url
        self.headers = headers
        self.received = received
        self.sent = sent
    }

    /// Without what is the app's alone.
    public var withoutSecrets: TransferResult {
        var result = self
        result.url = TransferOrder.shown(url)
        result.headers = []
        return result
    }
}

/// Why a transfer has failed for good.
public struct TransferFailure: Sendable, Hashable, Codable {
    /// In Apple's NSURLErrorDomain, such as -1001 for a time-out.
    public var code: Int
    /// A sentence, with the remedy.
    public var sentence: String
    /// Whether what came so far can be gone on with: it is kept then.
    public var isResumable: Bool

    public init(code: Int, sentence: String, isResumable: Bool = false) {
        self.code = code
        self.sentence = sentence
        self.isResumable = isResumable
    }

    /// Apple's numbers.
    public enum Code {
        public static let unknown = -1
        public static let cancelled = -999
        public static let badURL = -1000
        public static let timedOut = -1001
        public static let cannotFindHost = -1003
        public static let dataLengthExceedsMaximum = -1103
        public static let redirectionLoop = -1007
        public static let badServerResponse = -1011
        public static let cancelledAuthentication = -1012
        public static let cannotDecodeContent = -1016
        public static let fileDoesNotExist = -1100
        public static let noPermissionsToReadFile = -1102
        public static let secureConnectionFailed = -1200
        public static let serverCertificateUntrusted = -1202
        public static let clientCertificateRequired = -1206
        public static let cannotCreateFile = -3000
        public static let cannotWriteToFile = -3003
        public static let disconnected = -997
    }
}

/// What a server asks for before it gives anything: Apple's URLAuthenticationChallenge.
public struct TransferChallenge: Sendable, Hashable, Codable {
    public enum Method: String, Sendable, Codable, CaseIterable {
        /// Its certificate is signed by nobody whom this system trusts.
        case serverTrust = "server_trust"
        case basic, digest
        case clientCertificate = "client_certificate"

        /// Whether it is of the server's certificate or the client's, which Apple asks the session; else it is of a
        /// password, which it asks the task.
        public var isOfCertificate: Bool { self == .serverTrust || self == .clientCertificate }
    }

    public var method: Method
    public var host: String
    public var port: Int
    /// `http` or `https`.
    public var scheme: String
    public var realm: String?
    /// Answers that the server did not accept.
    public var failures: Int
    /// What stands behind it: what OpenSSL says of the certificate, or the header.
    public var sentence: String

    public init(
        method: Method, host: String, port: Int, scheme: String, realm: String? = nil, failures: Int = 0,
        sentence: String = ""
    ) {
        self.method = method
        self.host = host
        self.port = port
        self.scheme = scheme
        self.realm = realm
        self.failures = failures
        self.sentence = sentence
    }
}

/// What the app answers.
public enum TransferAnswer: Sendable, Hashable, Codable {
    /// As if nobody had been asked.
    case byDefault
    /// The transfer fails with -999.
    case cancel
    /// As `byDefault`, but for another method that the server may offer.
    case reject
    /// The certificate is trusted, for this transfer alone.
    case trust
    case credential(user: String, password: String)
    /// As `byDefault`: nobody in the app's session answers challenges of this kind, until its plugin changes.
    case nobody
}

/// What an app has answered to a challenge. It holds for the server that asked, and is said to no other.
public struct GivenAnswer: Sendable, Hashable, Codable {
    /// Without its sentence.
    public var challenge: TransferChallenge
    public var answer: TransferAnswer

    public init(_ answer: TransferAnswer, to challenge: TransferChallenge) {
        self.challenge = challenge
        self.challenge.sentence = ""
        self.answer = answer
    }

    /// Whether it answers this question too.
    public func holds(for other: TransferChallenge) -> Bool {
        holds(
            forCertificate: other.method.isOfCertificate, scheme: other.scheme, host: other.host,
            port: other.port)
    }

    public func holds(forCertificate: Bool, scheme: String, host: String, port: Int) -> Bool {
        challenge.method.isOfCertificate == forCertificate && challenge.scheme == scheme
            && challenge.host == host
            && challenge.port == port
    }
}
