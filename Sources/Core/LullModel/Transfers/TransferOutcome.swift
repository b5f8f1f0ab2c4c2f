/// The server's response, once it is complete.
public struct TransferResult: Sendable, Hashable, Codable {
    /// The HTTP status.
    public var status: Int
    /// The URL after all redirections.
    public var url: String
    public var headers: [TransferHeader]
    /// The bytes of the received file, and the bytes sent of a body or an upload.
    public var received: Int64
    public var sent: Int64

    public init(status: Int, url: String, headers: [TransferHeader], received: Int64, sent: Int64) {
        self.status = status
        self.url = url
        self.headers = headers
        self.received = received
        self.sent = sent
    }

    /// A copy without the data that only the app may see.
    public var withoutSecrets: TransferResult {
        var result = self
        result.url = TransferOrder.shown(url)
        result.headers = []
        return result
    }
}

/// Why a transfer has failed for good.
public struct TransferFailure: Sendable, Hashable, Codable {
    /// A code of Apple's NSURLErrorDomain, such as -1001 for a time-out.
    public var code: Int
    /// A sentence, with the remedy.
    public var sentence: String
    /// Whether another transfer can resume the part that has arrived, which is then kept.
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

/// An authentication challenge of a server: Apple's URLAuthenticationChallenge.
public struct TransferChallenge: Sendable, Hashable, Codable {
    public enum Method: String, Sendable, Codable, CaseIterable {
        /// This system does not trust the issuer of the server's certificate.
        case serverTrust = "server_trust"
        case basic, digest
        case clientCertificate = "client_certificate"

        /// Whether it is about the server's or the client's certificate: Apple asks the session about these, and the task about
        /// passwords.
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
    /// The details: OpenSSL's message about the certificate, or the header.
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

/// The app's answer to a challenge.
public enum TransferAnswer: Sendable, Hashable, Codable {
    /// As if the app had not been asked.
    case byDefault
    /// The transfer fails with -999.
    case cancel
    /// As `byDefault`, but another method that the server offers may be tried.
    case reject
    /// The certificate is trusted, for this transfer alone.
    case trust
    case credential(user: String, password: String)
    /// As `byDefault`: the app's session has no handler for challenges of this kind, until its plugin changes.
    case nobody
}

/// An app's answer to a challenge. It holds only for the server that asked, and is sent to no other.
public struct GivenAnswer: Sendable, Hashable, Codable {
    /// The challenge without its sentence.
    public var challenge: TransferChallenge
    public var answer: TransferAnswer

    public init(_ answer: TransferAnswer, to challenge: TransferChallenge) {
        self.challenge = challenge
        self.challenge.sentence = ""
        self.answer = answer
    }

    /// Whether it answers the other challenge too.
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
