import Foundation
import LullForecast

/// The network forward and backward over 64 rows at a time, which stay in the nearest cache.
///
/// The loss is the binary cross entropy, each row counted as often as its weight says.
struct Pass {
    static let rows = 64

    private let inputs = Matrix(rows: rows, columns: Features.count)
    /// The outputs of a layer's units, and their derivatives by the inputs.
    private let hidden = Matrix(rows: rows, columns: HazardNetwork.hidden)
    private let hiddenSlope = Matrix(rows: rows, columns: HazardNetwork.hidden)
    private let second = Matrix(rows: rows, columns: HazardNetwork.second)
    private let secondSlope = Matrix(rows: rows, columns: HazardNetwork.second)
    /// The gradient by the inputs of the units.
    private let hiddenChange = Matrix(rows: rows, columns: HazardNetwork.hidden)
    private let secondChange = Matrix(rows: rows, columns: HazardNetwork.second)
    private let middleTransposed = Matrix(rows: HazardNetwork.second, columns: HazardNetwork.hidden)
    private var dropout: Dropout?

    /// - Parameter dropout: which units of the first layer are left out while a gradient is made; nil: none.
    init(dropout: Dropout? = nil) { self.dropout = dropout }

    /// The sum of the loss over the rows at `places`, with every unit.
    mutating func loss(_ layers: Layers, _ rows: TrainingRows, at places: ArraySlice<Int32>) -> Double {
        run(layers, rows, at: places, gradient: nil)
    }

    /// The same, and the gradient of the rows' mean.
    mutating func loss(
        _ layers: Layers, _ rows: TrainingRows, at places: ArraySlice<Int32>, gradient: Layers
    ) -> Double {
        gradient.all.fill(0)
        middleTransposed.transpose(layers.middle)
        return run(layers, rows, at: places, gradient: gradient)
    }

    private mutating func run(
        _ layers: Layers, _ rows: TrainingRows, at places: ArraySlice<Int32>, gradient: Layers?
    ) -> Double {
        var loss = 0.0
        for begin in stride(from: places.startIndex, to: places.endIndex, by: Self.rows) {
            let part = places[begin..<min(begin + Self.rows, places.endIndex)]
            rows.copy(part, to: inputs)
            forward(layers, drops: gradient != nil)
            // Rows after the last contribute nothing.
            var changes = [Float](repeating: 0, count: Self.rows)
            for (row, place) in part.enumerated() {
                let logit = Double(logit(layers, row: row))
                let label = Double(rows.labels[Int(place)])
                let weight = Double(rows.weights[Int(place)])
                // log(1 + e^x) - y · x, in a form that no x overflows.
                loss += weight * (max(logit, 0) + log1p(exp(-abs(logit))) - label * logit)
                changes[row] = Float(weight * (1 / (1 + exp(-logit)) - label) / Double(places.count))
            }
            if let gradient { backward(layers, changes, into: gradient) }
        }
        return loss
    }

    private mutating func forward(_ layers: Layers, drops: Bool) {
        hidden.fill(rows: layers.firstBias)
        hidden.add(inputs, layers.first)
        activate(hidden, slope: hiddenSlope)
        if drops { dropout?.apply(to: hidden, slope: hiddenSlope) }
        second.fill(rows: layers.middleBias)
        second.add(hidden, layers.middle)
        activate(second, slope: secondSlope)
    }

    /// x · sigmoid(x), and its derivative.
    private func activate(_ matrix: Matrix, slope: Matrix) {
        for place in stride(from: 0, to: matrix.count, by: 16) {
            let value = Matrix.Lane(at: matrix.start + place)
            let sigmoid = HazardNetwork.sigmoid(value)
            let output = value * sigmoid
            output.store(at: matrix.start + place)
            (sigmoid + output * (1 - sigmoid)).store(at: slope.start + place)
        }
    }

    private func logit(_ layers: Layers, row: Int) -> Float {
        var sum = layers.bias.start[0]
        let (units, input) = (second.row(row), inputs.row(row))
        for unit in 0..<HazardNetwork.second { sum += layers.last.start[unit] * units[unit] }
        for index in 0..<Features.count { sum += layers.skip.start[index] * input[index] }
        return sum
    }

    /// - Parameter changes: the gradient by the logit of each row.
    private func backward(_ layers: Layers, _ changes: [Float], into gradient: Layers) {
        for (row, change) in changes.enumerated() {
            gradient.bias.start[0] += change
            let (units, slope, own) = (second.row(row), secondSlope.row(row), secondChange.row(row))
            for unit in 0..<HazardNetwork.second {
                gradient.last.start[unit] += change * units[unit]
                own[unit] = change * layers.last.start[unit] * slope[unit]
            }
            let input = inputs.row(row)
            for index in 0..<Features.count { gradient.skip.start[index] += change * input[index] }
        }
        gradient.middle.add(transposed: hidden, secondChange)
        gradient.middleBias.add(rowsOf: secondChange)
        hiddenChange.fill(0)
        hiddenChange.add(secondChange, middleTransposed)
        for place in stride(from: 0, to: hiddenChange.count, by: 16) {
            let change = Matrix.Lane(at: hiddenChange.start + place)
            (change * Matrix.Lane(at: hiddenSlope.start + place)).store(at: hiddenChange.start + place)
        }
        gradient.first.add(transposed: inputs, hiddenChange)
        gradient.firstBias.add(rowsOf: hiddenChange)
    }
}
