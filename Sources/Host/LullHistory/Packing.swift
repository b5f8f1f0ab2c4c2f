/// Writes numbers and texts one after another, each as short as it can be.
struct Packer {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Numbers near zero are short, whatever their sign.
    mutating func put(signed number: Int64) {
        put(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// An even number is twice the number of a name; an odd one gives the length of the text that follows.
    mutating func put(_ name: Name) {
        switch name {
        case .number(let number): put(UInt64(bitPattern: number) << 1)
        case .text(let text):
            put(UInt64(text.utf8.count) << 1 | 1)
            bytes.append(contentsOf: text.utf8)
        }
    }

    /// Measured values have few digits: writes the number of decimals and the digits, or else all 8 bytes.
    mutating func put(_ value: Double) {
        var scale = 1.0
        for digits in UInt64(0)...6 {
            let digitsAlone = (value * scale).rounded()
            if abs(digitsAlone) < 1e15,
                (Double(Int64(digitsAlone)) / scale).bitPattern == value.bitPattern
            {
                put(digits + 1)
                return put(signed: Int64(digitsAlone))
            }
            scale *= 10
        }
        put(UInt64(0))
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// Reads the bytes that a `Packer` wrote.
struct Unpacker {
    struct Damage: Error {}

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var bytesLeft: Int { bytes.count - place }
    var isAtEnd: Bool { bytesLeft == 0 }

    private mutating func byte() throws(Damage) -> UInt8 {
        guard place < bytes.count else { throw Damage() }
        place += 1
        return bytes[place - 1]
    }

    mutating func number() throws(Damage) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw Damage()
    }

    mutating func signed() throws(Damage) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func name() throws(Damage) -> Name {
        let number = try number()
        guard number & 1 == 1 else { return .number(Int64(bitPattern: number >> 1)) }
        let count = number >> 1
        guard count <= UInt64(bytes.count - place) else { throw Damage() }
        defer { place += Int(count) }
        guard let text = String(validating: bytes[place..<place + Int(count)], as: UTF8.self) else {
            throw Damage()
        }
        return .text(text)
    }

    mutating func double() throws(Damage) -> Double {
        let digits = try number()
        guard digits <= 7 else { throw Damage() }
        guard digits == 0 else {
            var scale = 1.0
            for _ in 1..<digits { scale *= 10 }
            return Double(try signed()) / scale
        }
        var pattern: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) { pattern |= UInt64(try byte()) << shift }
        return Double(bitPattern: pattern)
    }
}
