public import LullModel

/// The tokens that let others push to an app over HTTP: only their SHA-256, in a file of the state folder.
public struct PushTokens: Sendable {
    private let file: TokenFile

    public init(stateFolder: String) { file = TokenFile(folder: stateFolder, name: "push-tokens") }

    /// Makes a new token, which replaces an older one of the app's.
    public func make(for app: AppIdentifier) throws(WebError) -> String { try file.make(for: app.text) }

    /// Whether the token is the app's.
    public func isRight(_ token: String, for app: AppIdentifier) -> Bool {
        file.read()[app.text].map { TokenFile.isRight(token, $0) } ?? false
    }
}

/// Random bytes for secrets, and their comparison in constant time.
public enum Bytes {
    /// 256 random bits in hexadecimal.
    public static func random() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<32).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &random)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// Takes as long for any bytes of one length.
    public static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
