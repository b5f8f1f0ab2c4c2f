package import LullModel

/// The shares of an event `conditions`, by the conditions' names.
extension JSONValue {
    static func object(shares: [String: Double]) -> JSONValue { .object(shares.mapValues { .number($0) }) }

    var number: Double? {
        switch self {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// Nil unless it is an object of numbers from 0 to 1, with names of one line.
    var shares: [String: Double]? {
        guard case .object(let members) = self else { return nil }
        let shares = members.compactMapValues(\.number).filter { (0...1).contains($0.value) }
        // Rows hold the names one a line.
        let hasBreak = members.keys.contains { $0.utf8.contains { $0 < 0x20 } }
        return shares.count == members.count && !hasBreak ? shares : nil
    }

    package init?(text: String) {
        guard let value = try? JSONLine.value(Array(text.utf8)) else { return nil }
        self = value
    }
}
