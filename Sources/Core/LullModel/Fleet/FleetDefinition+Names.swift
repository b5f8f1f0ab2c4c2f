/// The rules for names of fleets and labels.
extension FleetDefinition {
    public static let usualName = "lull"
    /// A schema and two roles are named after the fleet, and PostgreSQL limits names to 63 bytes.
    public static let nameBytes = 40
    public static let labelBytes = 63
    public static let mostLabels = 64
    /// The most runs of one task at once, on all hosts together.
    public static let mostRuns = 100_000
    public static let namePattern = "^[a-z][a-z0-9_]{0,39}$"
    public static let labelPattern = "^[A-Za-z0-9][-A-Za-z0-9_./]{0,62}$"

    public static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLowercase(first), text.utf8.count <= nameBytes else {
            return false
        }
        return text.utf8.allSatisfy { isLowercase($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    /// Whether it is a valid name of a label, not a value.
    public static func isLabel(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetterOrDigit(first), text.utf8.count <= labelBytes else {
            return false
        }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || "-_./".utf8.contains($0) }
    }

    public static func isLabelValue(_ text: String) -> Bool {
        (1...labelBytes).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    private static func isLowercase(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLowercase(byte | 0x20) && byte < 0x80 || isDigit(byte)
    }
}
