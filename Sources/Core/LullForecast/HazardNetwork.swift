import RealModule

/// Computes the hazard of the next use from the features of a step: a perceptron with two hidden layers and a linear path
/// around them.
///
/// One set of weights serves every app. It was trained on many people's uses to weigh recency, bursts and times of day,
/// so that an app is forecast well in its first week; the features describe the single app.
/// `sigmoid(c · swish(B · swish(A · x + a) + b) + l · x + d)`; the part of `A · x` that is the same for all steps is
/// computed once.
package struct HazardNetwork: Sendable {
    package static let hidden = 96
    package static let second = 48
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

    /// The weights that Lull ships, made by `lull-train`.
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
    ///
    /// Computes two steps and sixteen units at a time: as many as fit into the registers of the smallest machine.
    package func hazards(_ features: Features) -> [Float] {
        let (base, constant) = constants(features)
        let count = features.steps.count / Features.stepCount
        return [Float](unsafeUninitializedCapacity: count) { hazards, initialized in
            features.steps.withUnsafeBufferPointer { steps in
                withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * Self.hidden) { units in
                    for step in stride(from: 0, to: count, by: 2) {
                        // With an odd number of steps the last one is computed twice.
                        let next = min(step + 1, count - 1)
                        let a = UnsafeBufferPointer(rebasing: steps[(step * Features.stepCount)...])
                        let b = UnsafeBufferPointer(rebasing: steps[(next * Features.stepCount)...])
                        hide(a, b, base: base, in: units)
                        let sums = outputs(of: units)
                        hazards[step] = 1 / (1 + Float.exp(-(linear(a, constant) + sums.0)))
                        hazards[next] = 1 / (1 + Float.exp(-(linear(b, constant) + sums.1)))
                    }
                }
            }
            initialized = count
        }
    }

    /// The parts of the first layer and of the linear path that are the same for all steps.
    private func constants(_ features: Features) -> (first: [Lane], linear: Float) {
        var base = firstBias
        var constant = bias
        for (index, value) in features.constant.enumerated() {
            let input = Features.stepCount + index
            constant += skip[input] * value
            for lane in 0..<Self.lanes { base[lane] += first[input * Self.lanes + lane] * value }
        }
        return (base, constant)
    }

    private func linear(_ inputs: UnsafeBufferPointer<Float>, _ constant: Float) -> Float {
        skip.withUnsafeBufferPointer { skip in
            var sum = constant
            for index in 0..<Features.stepCount { sum += skip[index] * inputs[index] }
            return sum
        }
    }

    /// The first layer's units of two steps, one after the other.
    private func hide(
        _ a: UnsafeBufferPointer<Float>, _ b: UnsafeBufferPointer<Float>, base: [Lane],
        in units: UnsafeMutableBufferPointer<Float>
    ) {
        first.withUnsafeBufferPointer { weights in
            for lane in 0..<Self.lanes {
                var (sumA, sumB) = (base[lane], base[lane])
                for index in 0..<Features.stepCount {
                    let weight = weights[index * Self.lanes + lane]
                    sumA += weight * a[index]
                    sumB += weight * b[index]
                }
                store(sumA, in: units, at: lane)
                store(sumB, in: units, at: Self.lanes + lane)
            }
        }
        swish(units)
    }

    /// The second layer's sums of two steps.
    private func outputs(of units: UnsafeMutableBufferPointer<Float>) -> (Float, Float) {
        middle.withUnsafeBufferPointer { weights in
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * Self.second) { seconds in
                for lane in 0..<Self.secondLanes {
                    var (sumA, sumB) = (middleBias[lane], middleBias[lane])
                    for unit in 0..<Self.hidden {
                        let weight = weights[unit * Self.secondLanes + lane]
                        sumA += weight * units[unit]
                        sumB += weight * units[Self.hidden + unit]
                    }
                    store(sumA, in: seconds, at: lane)
                    store(sumB, in: seconds, at: Self.secondLanes + lane)
                }
                swish(seconds)
                var (sumA, sumB): (Float, Float) = (0, 0)
                for lane in 0..<Self.secondLanes {
                    sumA += (last[lane] * load(seconds, at: lane)).sum()
                    sumB += (last[lane] * load(seconds, at: Self.secondLanes + lane)).sum()
                }
                return (sumA, sumB)
            }
        }
    }

    // The buffers hold whole lanes of sixteen floats.
    @inline(__always)
    private func store(_ lane: Lane, in units: UnsafeMutableBufferPointer<Float>, at place: Int) {
        UnsafeMutableRawBufferPointer(units).storeBytes(of: lane, toByteOffset: place * 64, as: Lane.self)
    }

    @inline(__always)
    private func load(_ units: UnsafeMutableBufferPointer<Float>, at place: Int) -> Lane {
        UnsafeRawBufferPointer(units).loadUnaligned(fromByteOffset: place * 64, as: Lane.self)
    }

    /// x · sigmoid(x), for each unit.
    ///
    /// A plain loop: the compiler vectorizes it, but not the same code written with lanes.
    @inline(__always)
    private func swish(_ units: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<units.count {
            let value = units[index]
            units[index] = value / (1 + exponential(-value))
        }
    }
}

/// e^x, to a few units in the last place in the range that matters here, the same on every machine.
///
/// 2^n · e^r with |r| ≤ ln 2 / 2; e^r is its Taylor polynomial of degree 6. Adding 1.5 · 2^23 rounds to a whole number and
/// leaves it in the lowest bits.
@inline(__always)
func exponential(_ value: Float) -> Float {
    let magic: Float = 12_582_912
    // Not `min` and `max`: their handling of NaN costs more than all the rest.
    let above: Float = value < -80 ? -80 : value
    let bounded: Float = above > 80 ? 80 : above
    let shifted = bounded * 1.442_695 + magic
    let rest = bounded - (shifted - magic) * 0.693_147_2
    var power: Float = 1.0 / 720
    power = power * rest + 1.0 / 120
    power = power * rest + 1.0 / 24
    power = power * rest + 1.0 / 6
    power = power * rest + 0.5
    power = power * rest + 1
    power = power * rest + 1
    return power * Float(bitPattern: (shifted.bitPattern &+ 127) &<< 23)
}
