/// Random numbers that a seed repeats (splitmix64).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func bytes(upTo count: Int, among alphabet: [UInt8] = Array(0...255)) -> [UInt8] {
        (0..<Int.random(in: 0...count, using: &self)).map { _ in
            alphabet[Int.random(in: 0..<alphabet.count, using: &self)]
        }
    }
}
