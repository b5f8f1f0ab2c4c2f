extension HazardNetwork {
    /// 1 / (1 + e^-x), as the network itself computes it; for the program that trains it.
    package static func sigmoid(_ value: SIMD16<Float>) -> SIMD16<Float> { 1 / (1 + exponential(-value)) }
}
