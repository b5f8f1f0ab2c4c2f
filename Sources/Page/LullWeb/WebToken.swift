import Foundation
import LullControl
import LullHistory

/// The secret that whoever changes something through the page has to know: 256 random bits.
///
/// It is in the state folder, in a file of its owner's alone, so whoever may read it may speak to the control socket
/// too. Deleting the file makes the next start make another.
public struct WebToken: Sendable, Equatable {
    public static let fileName = "http-token"

    public let text: String

    init?(_ text: String) {
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

    /// Takes as long for a wrong token as for the right one, so that nothing can be learned from its length of time.
    func matches(_ claimed: String) -> Bool {
        let own = Array(text.utf8)
        let other = Array(claimed.utf8)
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func read(_ folder: OwnFolder) -> WebToken? {
        guard let status = folder.status(of: fileName), status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0,
            let bytes = folder.read(fileName, atMost: 128)
        else { return nil }
        return WebToken(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines))
    }
}
