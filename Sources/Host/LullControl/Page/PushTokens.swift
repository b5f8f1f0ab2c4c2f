import Glibc
import LullELF
import LullHistory
import LullModel

/// The tokens that let others push to an app over HTTP: only their SHA-256, in a file of the state folder.
///
/// They are 256 random bits, so that their hash can't be reversed and needs no salt.
public struct PushTokens: Sendable {
    public static let fileName = "push-tokens"

    private let folder: String

    public init(stateFolder: String) { folder = stateFolder }

    private var path: String { folder + "/" + Self.fileName }

    /// Makes a new token, which replaces an older one of the app's.
    public func make(for app: AppIdentifier) throws(WebError) -> String {
        let token = Bytes.random()
        let own: OwnFolder
        do {
            own = try OwnFolder(folder)
        } catch {
            throw .token(path: path, code: error.code)
        }
        var hashes = Self.read(own)
        hashes[app.text] = SHA256.hexadecimal(of: Array(token.utf8))
        let lines = hashes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
        do {
            try own.write(Array(lines.utf8), to: Self.fileName)
        } catch {
            throw .token(path: path, code: error.code)
        }
        return token
    }

    /// Whether the token is the app's. Takes as long for a wrong one as for the right one.
    public func isRight(_ token: String, for app: AppIdentifier) -> Bool {
        guard let own = try? OwnFolder(folder), let known = Self.read(own)[app.text] else { return false }
        return Bytes.areEqual(Array(SHA256.hexadecimal(of: Array(token.utf8)).utf8), Array(known.utf8))
    }

    private static func read(_ folder: OwnFolder) -> [String: String] {
        guard let status = folder.status(of: fileName), status.st_mode & 0o077 == 0,
            let bytes = folder.read(fileName, atMost: 1 << 20)
        else { return [:] }
        var hashes: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 { hashes[String(words[0])] = String(words[1]) }
        }
        return hashes
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
