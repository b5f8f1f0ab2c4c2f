/// A code that proves that the sender of some bytes knows a secret (RFC 2104, with SHA-256).
public enum HMAC {
    public static func sha256(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var key = key.count > 64 ? digest([key]) : key
        key += [UInt8](repeating: 0, count: 64 - key.count)
        return digest([key.map { $0 ^ 0x5C }, digest([key.map { $0 ^ 0x36 }, bytes])])
    }

    public static func hexadecimal(of bytes: [UInt8], key: [UInt8]) -> String {
        sha256(bytes, key: key).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    /// The digest of some parts, one after another.
    public static func digest(_ parts: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for part in parts { hash.add(part) }
        let digits = hash.hexadecimal().utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
