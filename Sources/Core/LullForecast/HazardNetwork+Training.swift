extension HazardNetwork {
    /// As the shipped network computes it, so that a network is trained for what will be made of it.
    package static func sigmoid(_ value: SIMD16<Float>) -> SIMD16<Float> {
        var result = SIMD16<Float>()
        for place in 0..<16 { result[place] = 1 / (1 + exponential(-value[place])) }
        return result
    }
}
