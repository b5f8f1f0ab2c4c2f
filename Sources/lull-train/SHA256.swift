/// The digest by which anybody can tell whether they have the same file: `sha256sum FILE` says it too (FIPS 180-4).
enum SHA256 {
    static func hexadecimal(of bytes: [UInt8]) -> String {
        var state = initial
        var padded = bytes + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        let bits = UInt64(bytes.count) * 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        for start in stride(from: 0, to: padded.count, by: 64) {
            take(padded[start..<start + 64], into: &state)
        }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func take(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (near, far) = (words[index - 15], words[index - 2])
            let first = rotated(near, 7) ^ rotated(near, 18) ^ near >> 3
            let second = rotated(far, 17) ^ rotated(far, 19) ^ far >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let left = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ left &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
            let right = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let second = right &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first bits of the fractions of the square roots, and of the cube roots, of the first primes.
    private static let initial = primes.prefix(8).map { fraction(of: $0, power: 2) }
    private static let constants = primes.map { fraction(of: $0, power: 3) }

    private static let primes: [UInt64] = (2...311).filter { number in
        !(2..<number).contains { number % $0 == 0 }
    }

    /// Of the root of a prime below 312, the 32 bits after the point: by halving, in whole numbers.
    private static func fraction(of prime: UInt64, power: Int) -> UInt32 {
        let sought = UInt128(prime) << UInt128(32 * power)
        var (low, high) = (UInt128(0), UInt128(1) << 38)
        while high - low > 1 {
            let middle = (low + high) / 2
            let product = power == 2 ? middle * middle : middle * middle * middle
            if product <= sought { low = middle } else { high = middle }
        }
        return UInt32(truncatingIfNeeded: low)
    }
}
