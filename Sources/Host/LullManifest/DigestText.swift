/// A SHA-256 as `sha256sum` prints it.
enum DigestText {
    static let digits = 64

    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy(isDigit)
    }

    /// What is meant where it is only dressed otherwise: capitals, a prefix, the file's name behind it.
    static func remedy(for text: String) -> String? {
        var words = text.lowercased().split { " \t:*".contains($0) }.map(String.init)
        words.removeAll { !isDigest($0) }
        return words.count == 1 ? words.first : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
