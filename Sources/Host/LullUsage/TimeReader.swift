/// Reads numbers, names and offsets from the front of some bytes.
struct TimeReader {
    var rest: ArraySlice<UInt8>

    static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]
    static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    mutating func skipSpace() {
        while rest.first?.isSpace == true { rest.removeFirst() }
    }

    mutating func number(fewest: Int, most: Int) -> Int? {
        var number = 0
        var count = 0
        while count < most, let byte = rest.first, byte.isDigit {
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            rest.removeFirst()
            count += 1
        }
        return count >= fewest ? number : nil
    }

    /// The index of the name at the front, in full or as its first three letters, in upper or lower case.
    mutating func name(_ names: [String]) -> Int? {
        for (index, name) in names.enumerated() {
            for part in [name[...], name.prefix(3)] where starts(with: part) {
                rest.removeFirst(part.utf8.count)
                return index
            }
        }
        return nil
    }

    private func starts(with name: Substring) -> Bool {
        var position = rest.startIndex
        for letter in name.utf8 {
            guard position < rest.endIndex, rest[position].isLetter, rest[position] | 0x20 == letter else {
                return false
            }
            position += 1
        }
        return true
    }

    /// Letters, in lower case.
    mutating func word() -> String {
        let word = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(word.count)
        return String(decoding: word.prefix(8).map { $0 | 0x20 }, as: UTF8.self)
    }

    /// In seconds east of UTC.
    mutating func offset(strict: Bool) -> Int? {
        if !strict { skipSpace() }
        guard let sign = rest.popFirst() else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return 0 }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = number(fewest: 2, most: 2), hours < 24
        else { return nil }
        let hasColon = rest.first == UInt8(ascii: ":")
        if hasColon { rest.removeFirst() }
        var minutes = 0
        if hasColon || strict || rest.first?.isDigit == true {
            guard !strict || hasColon, let read = number(fewest: 2, most: 2), read < 60 else { return nil }
            minutes = read
        }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Milliseconds; 0 without a dot or comma, nil if no digit follows it.
    mutating func fraction() -> Int? {
        guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") else { return 0 }
        rest.removeFirst()
        guard rest.first?.isDigit == true else { return nil }
        var milliseconds = 0
        var unit = 100
        while let byte = rest.first, byte.isDigit {
            milliseconds += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
            rest.removeFirst()
        }
        return milliseconds
    }
}
