public import LullModel

/// A digest that a server says its file has (RFC 1864, 3230, 9530).
public struct DigestClaim: Sendable, Equatable {
    /// As OpenSSL names them.
    public enum Algorithm: String, Sendable {
        case md5 = "MD5"
        case sha256 = "SHA256"
        case sha512 = "SHA512"

        var byteCount: Int {
            switch self {
            case .md5: 16
            case .sha256: 32
            case .sha512: 64
            }
        }
    }
    public let algorithm: Algorithm
    public let bytes: [UInt8]

    /// All claims on a whole file whose algorithms are known here; a claim that no file can fulfil is left out.
    public static func all(in headers: [TransferHeader]) -> [DigestClaim] {
        let sums = headers.values("content-md5").compactMap { claim("md5", $0) }
        let older = headers.values("digest").flatMap { list($0, isDelimited: false) }
        let newer = ["repr-digest", "content-digest"].flatMap { headers.values($0) }
            .flatMap { list($0, isDelimited: true) }
        return sums + older + newer
    }

    /// `sha-256=:…:, md5=:…:`, or the same without colons.
    private static func list(_ text: String, isDelimited: Bool) -> [DigestClaim] {
        text.split(separator: ",").compactMap { item in
            let pair = item.drop { $0 == " " || $0 == "\t" }.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            // A parameter may follow.
            var value = pair[1].prefix { $0 != ";" }
            while value.last == " " { value.removeLast() }
            if isDelimited {
                guard value.count > 2, value.first == ":", value.last == ":" else { return nil }
                value = value.dropFirst().dropLast()
            }
            return claim(pair[0].lowercased(), String(value))
        }
    }

    private static func claim(_ name: String, _ text: String) -> DigestClaim? {
        let algorithm: Algorithm
        switch name {
        case "md5": algorithm = .md5
        case "sha-256": algorithm = .sha256
        case "sha-512": algorithm = .sha512
        default: return nil
        }
        // Some servers write it in hexadecimal, or cut it: no file would ever fit.
        guard let bytes = Base64.decode(text), bytes.count == algorithm.byteCount else { return nil }
        return DigestClaim(algorithm: algorithm, bytes: bytes)
    }
}
