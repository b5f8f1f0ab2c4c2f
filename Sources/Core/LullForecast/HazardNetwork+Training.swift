extension HazardNetwork {
    /// The sigmoid with the arithmetic of the shipped network, so that training and use agree.
    package static func sigmoid(_ value: SIMD16<Float>) -> SIMD16<Float> {
        var result = SIMD16<Float>()
        for place in 0..<16 { result[place] = 1 / (1 + exponential(-value[place])) }
        return result
    }
}
