import Glibc
import LullELF
import LullHistory

/// A file of the state folder with the SHA-256 of tokens: on each line a name, the hash, and other words.
///
/// Tokens are 256 random bits, so that their hash can't be reversed and needs no salt.
struct TokenFile: Sendable {
    let folder: String
    let name: String

    private var path: String { folder + "/" + name }

    /// The hash and the other words of each name; nothing from a file that others may read.
    func read() -> [String: [String]] { (try? known()) ?? [:] }

    /// As `read`, for those who show the file or write it anew: they need to know of one that can't be used.
    func known() throws(WebError) -> [String: [String]] {
        guard let own = try? OwnFolder(folder), let status = own.status(of: name) else { return [:] }
        guard status.st_mode & 0o077 == 0 else { throw .openTokens(path: path) }
        guard let bytes = own.read(name, atMost: 1 << 20) else { throw .tokens(path: path) }
        var known: [String: [String]] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count > 1 { known[words[0]] = Array(words.dropFirst()) }
        }
        return known
    }

    func write(_ known: [String: [String]]) throws(WebError) {
        let lines = known.sorted { $0.key < $1.key }.map { name, words in
            ([name] + words).joined(separator: " ") + "\n"
        }.joined()
        do {
            try OwnFolder(folder).write(Array(lines.utf8), to: name)
        } catch {
            throw .token(path: path, code: error.code)
        }
    }

    /// Makes a token for a name, which replaces an older one of that name.
    func make(for name: String, _ words: [String] = []) throws(WebError) -> String {
        let token = Bytes.random()
        var known = try known()
        known[name] = [Self.hash(of: token)] + words
        try write(known)
        return token
    }

    static func hash(of token: String) -> String { SHA256.hexadecimal(of: Array(token.utf8)) }

    /// Takes as long for a wrong token as for the right one.
    static func isRight(_ token: String, _ words: [String]) -> Bool {
        words.first.map { Bytes.areEqual(Array(hash(of: token).utf8), Array($0.utf8)) } ?? false
    }
}
