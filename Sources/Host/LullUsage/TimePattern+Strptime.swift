extension TimePattern {
    /// A format of strptime in the C locale; one with an unknown conversion never matches.
    ///
    /// The manifest refuses such formats, and formats without a day or an hour.
    init(strptime format: String) {
        items = Self.items(Array(format.utf8)[...])
    }

    private static func items(_ format: ArraySlice<UInt8>) -> [Item] {
        var items: [Item] = []
        var rest = format
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                items.append(byte.isSpace ? .space : .mark([byte]))
                continue
            }
            // glibc's flags and modifiers, which mean nothing in the C locale.
            while let flag = rest.first, "EO-_0^#".utf8.contains(flag) { rest.removeFirst() }
            guard let letter = rest.popFirst() else { return [.never] }
            items += conversion(letter)
        }
        return items
    }

    private static func number(_ field: TimeParts.Field, _ most: Int) -> [Item] {
        [.number(field, fewest: 1, most: most)]
    }

    private static func parts(_ format: String) -> [Item] { items(Array(format.utf8)[...]) }

    private static func conversion(_ letter: UInt8) -> [Item] {
        switch Character(Unicode.Scalar(letter)) {
        case "Y": number(.year, 4)
        case "y": number(.yearOfCentury, 2)
        case "C": number(.century, 2)
        case "m": number(.month, 2)
        case "d", "e": number(.day, 2)
        case "j": number(.dayOfYear, 3)
        case "H", "k": number(.hour, 2)
        case "I", "l": number(.hourOfHalf, 2)
        case "M": number(.minute, 2)
        // Many logs write a fraction after the second, and no conversion reads it.
        case "S": number(.second, 2)
        case "s": number(.epoch, 12)
        case "g", "U", "V", "W": number(.other, 2)
        case "G": number(.other, 4)
        case "u", "w": number(.other, 1)
        case "a", "A": [.weekday]
        case "b", "B", "h": [.month]
        case "p", "P": [.meridiem]
        case "z": [.offset(strict: false)]
        case "Z": [.zoneName]
        case "n", "t": [.space]
        case "%": [.mark([UInt8(ascii: "%")])]
        case "c": parts("%a %b %e %H:%M:%S %Y")
        case "D", "x": parts("%m/%d/%y")
        case "F": parts("%Y-%m-%d")
        case "r": parts("%I:%M:%S %p")
        case "R": parts("%H:%M")
        case "T", "X": parts("%H:%M:%S")
        default: [.never]
        }
    }
}
