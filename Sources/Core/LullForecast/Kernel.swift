import RealModule

/// A blur of counts over quarter-hours: a use at 08:10 also makes one at 08:20 likely.
struct Kernel {
    private let weights: [Float]
    private var reach: Int { weights.count / 2 }

    /// A Gaussian with this standard deviation in quarter-hours, cut at three standard deviations.
    init(gaussian sigma: Float) {
        let reach = Int((3 * sigma).rounded())
        let weights = (-reach...reach).map { Float.exp(-0.5 * Float($0 * $0) / (sigma * sigma)) }
        let sum = weights.reduce(0, +)
        self.weights = weights.map { $0 / sum }
    }

    init(triangle reach: Int) {
        let weights = (-reach...reach).map { Float(reach + 1 - abs($0)) }
        let sum = weights.reduce(0, +)
        self.weights = weights.map { $0 / sum }
    }

    /// Blurs values that repeat: the end of `values` is next to its beginning.
    func circular(_ values: [Float]) -> [Float] {
        let count = values.count
        precondition(weights.count <= count, "a blur reaches round at most once")
        var result = [Float](repeating: 0, count: count)
        result.withUnsafeMutableBufferPointer { result in
            weights.withUnsafeBufferPointer { weights in
                for (place, value) in values.enumerated() where value != 0 {
                    let first = place < reach ? place - reach + count : place - reach
                    // Two plain loops whose sums can't overflow, because the compiler vectorizes them.
                    let whole = min(weights.count, count - first)
                    for index in 0..<whole { result[first &+ index] += weights[index] * value }
                    let rest = first - count
                    for index in whole..<weights.count {
                        result[rest &+ index] += weights[index] * value
                    }
                }
            }
        }
        return result
    }

    /// Blurs values that do not repeat: parts beyond the ends are lost.
    func line(_ values: [Float]) -> [Float] {
        let count = values.count
        var result = [Float](repeating: 0, count: count)
        result.withUnsafeMutableBufferPointer { result in
            weights.withUnsafeBufferPointer { weights in
                for (place, value) in values.enumerated() where value != 0 {
                    let first = place - reach
                    for index in max(0, -first)..<min(weights.count, count - first) {
                        result[first &+ index] += weights[index] * value
                    }
                }
            }
        }
        return result
    }
}
