import Foundation

/// Steps by the gradient's running mean over the root of its running square, and a decay of its own (I. Loshchilov,
/// F. Hutter, *Decoupled Weight Decay Regularization*, 2019).
struct AdamW {
    private static let meanShare: Float = 0.9
    private static let squareShare: Float = 0.999

    private let decay: Float
    private let means = Layers()
    private let squares = Layers()
    private var count = 0

    init(decay: Double) { self.decay = Float(decay) }

    mutating func step(_ layers: Layers, gradient: Layers, rate: Double) {
        count += 1
        // Both begin at nought and are too small at first.
        let mean = Float(rate / (1 - pow(Double(Self.meanShare), Double(count))))
        let square = Float(1 / (1 - pow(Double(Self.squareShare), Double(count))))
        let kept = 1 - Float(rate) * decay
        let (values, slopes) = (layers.all.start, gradient.all.start)
        let (means, squares) = (means.all.start, squares.all.start)
        for place in 0..<layers.all.count {
            let slope = slopes[place]
            means[place] += (slope - means[place]) * (1 - Self.meanShare)
            squares[place] += (slope * slope - squares[place]) * (1 - Self.squareShare)
            let root = (squares[place] * square).squareRoot() + 1e-8
            values[place] = values[place] * kept - mean * means[place] / root
        }
    }
}

/// The rate of learning over a whole training: up along half a cosine, then down to nearly nought along another.
struct OneCycle {
    let highest: Double
    let steps: Int

    func rate(at step: Int) -> Double {
        let rise = 0.15 * Double(steps)
        func between(_ begin: Double, _ end: Double, _ share: Double) -> Double {
            end + (begin - end) * (1 + cos(.pi * min(1, share))) / 2
        }
        let step = Double(step)
        if step < rise { return between(highest / 25, highest, step / rise) }
        return between(highest, highest / 250_000, (step - rise) / max(1, Double(steps) - rise))
    }
}
