import RealModule

/// Blurring of counts over quarter-hours: a use at 08:10 says as much of 08:20.
struct Kernel {
    private let weights: [Float]
    private var reach: Int { weights.count / 2 }

    /// A Gaussian with this standard deviation in quarter-hours, cut at three of them.
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

    /// The end of `values` leads into its beginning.
    func circular(_ values: [Float]) -> [Float] {
        let count = values.count
        var result = [Float](repeating: 0, count: count)
        for (place, value) in values.enumerated() where value != 0 {
            var target = place - reach
            if target < 0 { target += count }
            for weight in weights {
                result[target] += weight * value
                target += 1
                if target == count { target = 0 }
            }
        }
        return result
    }

    /// What is blurred over the ends is lost.
    func line(_ values: [Float]) -> [Float] {
        var result = [Float](repeating: 0, count: values.count)
        for (place, value) in values.enumerated() where value != 0 {
            let first = max(0, place - reach)
            let last = min(values.count - 1, place + reach)
            for target in first...last { result[target] += weights[target - place + reach] * value }
        }
        return result
    }
}
