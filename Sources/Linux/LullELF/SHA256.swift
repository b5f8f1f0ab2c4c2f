/// The digest SHA-256 (FIPS 180-4), as `sha256sum FILE` prints it.
public struct SHA256: Sendable {
    private var state = Self.initial
    private var words = [UInt32](repeating: 0, count: 64)
    /// The bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    public init() {}

    public static func hexadecimal(of bytes: [UInt8]) -> String {
        var digest = SHA256()
        digest.add(bytes)
        return digest.hexadecimal()
    }

    /// Takes the next bytes.
    public mutating func add(_ bytes: [UInt8]) {
        count += UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(64 - rest.count, bytes.count)
            rest += bytes[..<start]
            guard rest.count == 64 else { return }
            let block = rest
            block.withUnsafeBufferPointer { take($0, at: 0) }
            rest = []
        }
        bytes.withUnsafeBufferPointer { bytes in
            while bytes.count - start >= 64 {
                take(bytes, at: start)
                start += 64
            }
        }
        rest = Array(bytes[start...])
    }

    /// The digest of all that was added; nothing can be added afterwards.
    public consuming func hexadecimal() -> String {
        let bits = count * 8
        let zeros = [UInt8](repeating: 0, count: (119 - rest.count) % 64)
        add([0x80] + zeros + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
        return LullELF.hexadecimal(
            state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
    }

    private mutating func take(_ block: UnsafeBufferPointer<UInt8>, at start: Int) {
        for index in 0..<16 {
            let place = start + 4 * index
            let high = UInt32(block[place]) << 24 | UInt32(block[place + 1]) << 16
            words[index] = high | UInt32(block[place + 2]) << 8 | UInt32(block[place + 3])
        }
        for index in 16..<64 {
            let (near, far) = (words[index - 15], words[index - 2])
            let first = Self.rotated(near, 7) ^ Self.rotated(near, 18) ^ near >> 3
            let second = Self.rotated(far, 17) ^ Self.rotated(far, 19) ^ far >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let left = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
            let first = h &+ left &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ words[index]
            let right = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
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

    /// The first 32 bits of the fraction of a root of a prime below 312, by bisection in whole numbers.
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

/// Two digits a byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { text, byte in
        text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
}
