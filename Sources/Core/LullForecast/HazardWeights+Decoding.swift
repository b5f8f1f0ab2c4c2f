extension HazardWeights {
    static let parameters: [Float] = decode(text)

    /// Skips characters that are no base-64 digits: the text is broken into lines.
    static func decode(_ text: String) -> [Float] {
        var floats: [Float] = []
        floats.reserveCapacity(HazardNetwork.parameterCount)
        var bits: UInt32 = 0
        var count = 0
        var word: UInt32 = 0
        var bytes: UInt32 = 0
        for digit in text.utf8 {
            let value: UInt32
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(digit - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(digit - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(digit - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: continue
            }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            word |= (bits >> UInt32(count) & 0xFF) << (8 * bytes)
            bytes += 1
            if bytes == 4 {
                floats.append(Float(bitPattern: word))
                word = 0
                bytes = 0
            }
        }
        return floats
    }
}
