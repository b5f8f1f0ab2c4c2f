import Foundation
import LullHistory

/// The secret that a client needs to change something through the page: 256 random bits.
///
/// It is in the state folder, in a file that only its owner may read, so a user who may read it may use the control
/// socket, too. If the file is deleted, the next start makes another.
public struct WebToken: Sendable, Equatable {
    public static let fileName = "http-token"

    public let text: String

    public init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            return nil
        }
        self.text = text
    }

    /// The state folder's token, made when there is none; one that others could read is replaced.
    public static func ofState(in folder: String) throws(WebError) -> WebToken {
        let path = folder + "/" + fileName
        let own: OwnFolder
        do {
            own = try OwnFolder(folder)
        } catch {
            throw .token(path: path, code: error.code)
        }
        if let token = read(own) { return token }
        let text = Bytes.random()
        do {
            try own.write(Array((text + "\n").utf8), to: fileName)
        } catch {
            throw .token(path: path, code: error.code)
        }
        guard let token = WebToken(text) else { throw .token(path: path, code: EINVAL) }
        return token
    }

    /// The token in the header `Authorization`, whose scheme has no case (RFC 9110, section 11.1); nil: it has none.
    public static func claim(in header: String?) -> String? {
        guard let header, header.prefix(7).lowercased() == "bearer " else { return nil }
        return String(header.dropFirst(7))
    }

    /// A wrong token of the right length takes as long as the right one, so that the time reveals nothing.
    public func matches(_ claimed: String) -> Bool {
        let own = Array(text.utf8)
        let other = Array(claimed.utf8)
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether this is the token of the state folder; it makes none.
    static func isOfState(_ claimed: String, in folder: String) -> Bool {
        (try? OwnFolder(folder)).flatMap(read)?.matches(claimed) ?? false
    }

    private static func read(_ folder: OwnFolder) -> WebToken? {
        guard let status = folder.status(of: fileName), status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0,
            let bytes = folder.read(fileName, atMost: 128)
        else { return nil }
        return WebToken(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines))
    }
}
