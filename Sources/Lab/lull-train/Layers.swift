import LullForecast
import LullModel

/// One number for each parameter of the network: the parameters themselves, their gradient, or its moments.
///
/// In the order of `HazardNetwork`: A (input by unit), a, B (unit by unit), b, c, l, d.
struct Layers {
    let all: Matrix
    let first: Matrix
    let firstBias: Matrix
    let middle: Matrix
    let middleBias: Matrix
    let last: Matrix
    let skip: Matrix
    let bias: Matrix

    /// Zeros.
    init() {
        all = Matrix(rows: 1, columns: HazardNetwork.parameterCount)
        let memory = all.memory
        var place = 0
        func part(_ rows: Int, _ columns: Int) -> Matrix {
            defer { place += rows * columns }
            return Matrix(of: memory, at: place, rows: rows, columns: columns)
        }
        first = part(Features.count, HazardNetwork.hidden)
        firstBias = part(1, HazardNetwork.hidden)
        middle = part(HazardNetwork.hidden, HazardNetwork.second)
        middleBias = part(1, HazardNetwork.second)
        last = part(1, HazardNetwork.second)
        skip = part(1, Features.count)
        bias = part(1, 1)
        precondition(place == HazardNetwork.parameterCount, "every parameter belongs to a layer")
    }

    /// The start of training: small numbers by the width of each layer, no linear path, and a use that is unlikely.
    init(seed: UInt64) {
        self.init()
        var generator = SeededGenerator(seed: seed)
        func scatter(_ matrices: [Matrix], inputs: Int) {
            let bound = 1 / Float(inputs).squareRoot()
            for matrix in matrices {
                for index in 0..<matrix.count {
                    matrix.start[index] = .random(in: -bound...bound, using: &generator)
                }
            }
        }
        scatter([first, firstBias], inputs: Features.count)
        scatter([middle, middleBias], inputs: HazardNetwork.hidden)
        scatter([last], inputs: HazardNetwork.second)
        bias.start[0] = -4
    }

    /// The parameters of a network for inputs as they are, from these, which are for standardised inputs.
    func parameters(undoing scale: Standardisation) -> [Float] {
        let folded = Layers()
        for index in 0..<all.count { folded.all.start[index] = all.start[index] }
        var bias = Double(self.bias.start[0])
        var firstBias = (0..<HazardNetwork.hidden).map { Double(self.firstBias.start[$0]) }
        for input in 0..<Features.count {
            let mean = scale.means[input]
            let deviation = scale.deviations[input]
            let own = Double(skip.start[input]) / deviation
            folded.skip.start[input] = Float(own)
            bias -= own * mean
            for unit in 0..<HazardNetwork.hidden {
                let weight = Double(first.row(input)[unit]) / deviation
                folded.first.row(input)[unit] = Float(weight)
                firstBias[unit] -= weight * mean
            }
        }
        for unit in 0..<HazardNetwork.hidden { folded.firstBias.start[unit] = Float(firstBias[unit]) }
        folded.bias.start[0] = Float(bias)
        return (0..<all.count).map { folded.all.start[$0] }
    }
}
