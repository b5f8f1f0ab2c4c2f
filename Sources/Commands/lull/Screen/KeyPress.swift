/// A key that was pressed, out of the bytes that terminals send for it.
enum KeyPress: Equatable {
    case character(Character)
    case up, down, pageUp, pageDown, home, end
    case enter, escape, interrupt, tab

    /// All keys in the bytes of one read. A sequence comes at once, so an escape with nothing behind it is the Escape key.
    static func decode(_ bytes: [UInt8]) -> [KeyPress] {
        var keys: [KeyPress] = []
        var rest = bytes[...]
        while let first = rest.first {
            switch first {
            case 0x1B:
                let (key, length) = sequence(rest)
                if let key { keys.append(key) }
                rest = rest.dropFirst(length)
            case 3:
                keys.append(.interrupt)
                rest = rest.dropFirst()
            case 9:
                keys.append(.tab)
                rest = rest.dropFirst()
            case 10, 13:
                keys.append(.enter)
                rest = rest.dropFirst()
            case 0x20..<0x7F:
                keys.append(.character(Character(Unicode.Scalar(first))))
                rest = rest.dropFirst()
            default: rest = rest.dropFirst()
            }
        }
        return keys
    }

    /// The key of an escape sequence, if it is one that is known, and how many bytes it takes.
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (KeyPress?, Int) {
        let bytes = Array(bytes)
        guard bytes.count > 1, bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
            return (.escape, 1)
        }
        // Parameters, then the one byte that ends it.
        guard let last = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return (nil, bytes.count)
        }
        let number = String(decoding: bytes[2..<last], as: UTF8.self)
        let key: KeyPress? =
            switch (bytes[last], number) {
            case (UInt8(ascii: "A"), _): .up
            case (UInt8(ascii: "B"), _): .down
            case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .home
            case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .end
            case (UInt8(ascii: "~"), "5"): .pageUp
            case (UInt8(ascii: "~"), "6"): .pageDown
            default: nil
            }
        return (key, last + 1)
    }
}
