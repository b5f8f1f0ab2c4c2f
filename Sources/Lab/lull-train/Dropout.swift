import LullModel

/// Leaves units out at random, and lets the others stand for them: no unit then relies on another.
struct Dropout {
    private let rate: Float
    /// A generator a lane (xorshift), sixteen at a time.
    private var state: SIMD16<UInt32>

    init(rate: Float, seed: UInt64) {
        precondition((0..<1).contains(rate), "some units stay")
        self.rate = rate
        var generator = SeededGenerator(seed: seed)
        state = SIMD16<UInt32>.random(in: 1...UInt32.max, using: &generator)
    }

    mutating func apply(to units: Matrix, slope: Matrix) {
        let scale = Matrix.Lane(repeating: 1 / (1 - rate))
        let limit = SIMD16<UInt32>(repeating: UInt32(Double(rate) * 4_294_967_296))
        for place in stride(from: 0, to: units.count, by: 16) {
            state ^= state &<< 13
            state ^= state &>> 17
            state ^= state &<< 5
            let factor = scale.replacing(with: 0, where: state .< limit)
            (Matrix.Lane(at: units.start + place) * factor).store(at: units.start + place)
            (Matrix.Lane(at: slope.start + place) * factor).store(at: slope.start + place)
        }
    }
}
