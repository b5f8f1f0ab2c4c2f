import Foundation

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
        if let token = read(path) { return token }
        var random = SystemRandomNumberGenerator()
        let text = (0..<32).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &random)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
        try write(text + "\n", to: path)
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

    private static func read(_ path: String) -> WebToken? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return WebToken(String(decoding: bytes[..<count], as: UTF8.self).trimmingCharacters(in: .newlines))
    }

    private static func write(_ text: String, to path: String) throws(WebError) {
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .token(path: path, code: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(new, path) == 0
        else { throw .token(path: path, code: errno) }
    }
}
