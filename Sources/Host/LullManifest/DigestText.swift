/// A SHA-256 as `sha256sum` prints it.
enum DigestText {
    static let digits = 64

    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == digits && text.utf8.allSatisfy(isDigit)
    }

    /// The digest in a text that differs only by capitals, a prefix or a file's name; nil if there is not exactly one.
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
