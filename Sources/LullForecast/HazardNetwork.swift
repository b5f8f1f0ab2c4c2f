import RealModule

/// Turns what is told of a step into the hazard of the next use: a perceptron with two hidden layers and a linear path
/// around them.
///
/// One set of weights serves every app: it has learned from many people how recency, bursts and the times of day
/// weigh against each other, so that an app is forecast well in its first week; what is special about an app is in its
/// features. `sigmoid(c · swish(B · swish(A · x + a) + b) + l · x + d)`; the part of `A · x` that is the same for
/// all steps is computed once.
package struct HazardNetwork: Sendable {
    package static let hidden = 64
    package static let second = 32
    package static let parameterCount =
        Features.count * hidden + hidden + hidden * second + second + second + Features.count + 1

    typealias Lane = SIMD16<Float>
    private static let lanes = hidden / 16
    private static let secondLanes = second / 16

    /// By input, then by unit in lanes.
    private let first: [Lane]
    private let firstBias: [Lane]
    private let middle: [Lane]
    private let middleBias: [Lane]
    private let last: [Lane]
    private let skip: [Float]
    private let bias: Float

    /// The weights that Lull ships (`lull-train` made them).
    package static let shipped = HazardNetwork(parameters: HazardWeights.parameters)

    /// Inputs in the order of the features: those of a step, then those of the plan. Row by row: A (input by unit), a, B
    /// (unit by unit), b, c, l, d.
    package init(parameters: [Float]) {
        precondition(parameters.count == Self.parameterCount, "as many parameters as the layers have")
        var place = 0
        func lanes(_ count: Int) -> [Lane] {
            (0..<count / 16).map { lane in
                defer { if lane == count / 16 - 1 { place += count } }
                return Lane(parameters[place + lane * 16..<place + lane * 16 + 16])
            }
        }
        first = lanes(Features.count * Self.hidden)
        firstBias = lanes(Self.hidden)
        middle = lanes(Self.hidden * Self.second)
        middleBias = lanes(Self.second)
        last = lanes(Self.second)
        skip = Array(parameters[place..<place + Features.count])
        bias = parameters[place + Features.count]
    }

    /// The hazard of each step.
    package func hazards(_ features: Features) -> [Float] {
        var base = firstBias
        var constant = bias
        for (index, value) in features.constant.enumerated() {
            let input = Features.stepCount + index
            constant += skip[input] * value
            for lane in 0..<Self.lanes { base[lane] += first[input * Self.lanes + lane] * value }
        }
        let count = features.steps.count / Features.stepCount
        return (0..<count).map { step in
            let inputs = step * Features.stepCount
            var sum = constant
            var (h0, h1, h2, h3) = (base[0], base[1], base[2], base[3])
            for index in 0..<Features.stepCount {
                let value = features.steps[inputs + index]
                let row = index * Self.lanes
                sum += skip[index] * value
                h0 += first[row] * value
                h1 += first[row + 1] * value
                h2 += first[row + 2] * value
                h3 += first[row + 3] * value
            }
            var (s0, s1) = (middleBias[0], middleBias[1])
            for (block, lane) in [swish(h0), swish(h1), swish(h2), swish(h3)].enumerated() {
                for unit in 0..<16 {
                    let row = (block * 16 + unit) * Self.secondLanes
                    s0 += middle[row] * lane[unit]
                    s1 += middle[row + 1] * lane[unit]
                }
            }
            sum += (last[0] * swish(s0)).sum() + (last[1] * swish(s1)).sum()
            return 1 / (1 + Float.exp(-sum))
        }
    }

    /// x · sigmoid(x).
    @inline(__always)
    private func swish(_ value: Lane) -> Lane { value / (1 + exponential(-value)) }
}

/// e^x, to a few units in the last place of what matters here, the same on every machine.
///
/// 2^n · e^r with |r| ≤ ln 2 / 2; e^r is its Taylor polynomial of degree 6. Adding 1.5 · 2^23 rounds to a whole number and
/// leaves it in the lowest bits.
@inline(__always)
func exponential(_ value: SIMD16<Float>) -> SIMD16<Float> {
    let magic: Float = 12_582_912
    let least = SIMD16<Float>(repeating: -80)
    let most = SIMD16<Float>(repeating: 80)
    let bounded = value.replacing(with: least, where: value .< least).replacing(
        with: most, where: value .> most)
    let shifted = bounded * 1.442_695 + magic
    let rest = bounded - (shifted - magic) * 0.693_147_2
    var power = SIMD16<Float>(repeating: 1.0 / 720)
    power = power * rest + 1.0 / 120
    power = power * rest + 1.0 / 24
    power = power * rest + 1.0 / 6
    power = power * rest + 0.5
    power = power * rest + 1
    power = power * rest + 1
    // The casts are of floats to the integers that they are made of, of the same size.
    let exponent = (unsafeBitCast(shifted, to: SIMD16<UInt32>.self) &+ 127) &<< 23
    return power * unsafeBitCast(exponent, to: SIMD16<Float>.self)
}
