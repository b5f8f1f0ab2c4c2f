import LullForecast
import LullModel
import LullSimulator

/// The training data: the features of quarter-hours after a use, and whether the next use began there.
///
/// It has of each app the uses before its scored part whose next use lies before it too: nothing that is scored is learned
/// from. Of apps that no backtest scores it has all uses. Quarter-hours with no use are many and alike, so a share of them
/// stands for all.
struct TrainingRows {
    /// A plan reaches a day beyond the week after which an app is idle, and nothing new is a session within half an hour of a use.
    static let steps = 2..<768

    private(set) var inputs: [Float] = []
    /// 1 where the next use began.
    private(set) var labels: [Float] = []
    /// How many quarter-hours a row stands for.
    private(set) var weights: [Float] = []
    /// How many uses the rows are about.
    private(set) var uses = 0

    var count: Int { labels.count }

    /// - Parameters:
    ///   - whole: apps of which all uses are learned from.
    ///   - share: of the quarter-hours without a use, as many are taken.
    init(_ apps: [BacktestApp], whole: [BacktestApp] = [], share: Double, seed: UInt64) {
        let parts = apps.map { ($0, $0.scored.lowerBound) } + whole.map { ($0, $0.uses.count) }
        for (place, (app, end)) in parts.enumerated() {
            // A generator of its own for each app, so that its rows are the same whatever others there are.
            var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(place))
            append(app, until: end, share: share, using: &generator)
        }
    }

    private mutating func append(
        _ app: BacktestApp, until end: Int, share: Double, using generator: inout SeededGenerator
    ) {
        var sessions = Sessions()
        for index in 0..<max(0, end - 1) {
            let use = app.uses[index]
            let offset = app.offsets[index]
            sessions.insert(second: use, offset: offset)
            // One outside the time that sessions tell leaves them empty.
            guard sessions != Sessions() else { continue }
            uses += 1
            let last = Int((app.uses[index + 1] - use) / 900)
            let end = min(Self.steps.upperBound, last + 1)
            guard end > Self.steps.lowerBound else { continue }
            let features = Features(sessions, from: Int(use), count: end) { _ in offset }
            for step in Self.steps.lowerBound..<end {
                guard step == last || generator.chance(share) else { continue }
                inputs += features.steps[step * Features.stepCount..<(step + 1) * Features.stepCount]
                inputs += features.constant
                labels.append(step == last ? 1 : 0)
                weights.append(step == last ? 1 : Float(1 / share))
            }
        }
    }

    /// The inputs of the rows at `places`, one below the other.
    func copy(_ places: ArraySlice<Int32>, to matrix: Matrix) {
        inputs.withUnsafeBufferPointer { inputs in
            guard let start = inputs.baseAddress else { return }
            for (row, place) in places.enumerated() {
                matrix.row(row).update(from: start + Int(place) * Features.count, count: Features.count)
            }
        }
    }

    mutating func standardise(_ scale: Standardisation) {
        let factors = scale.deviations.map { Float(1 / $0) }
        let means = scale.means.map { Float($0) }
        inputs.withUnsafeMutableBufferPointer { inputs in
            for row in stride(from: 0, to: inputs.count, by: Features.count) {
                for input in 0..<Features.count {
                    inputs[row + input] = (inputs[row + input] - means[input]) * factors[input]
                }
            }
        }
    }
}

/// The mean and the spread of each input; training sees inputs of mean 0 and spread 1.
struct Standardisation {
    var means: [Double]
    var deviations: [Double]

    init(_ rows: TrainingRows) {
        let count = Double(max(1, rows.count))
        var sums = [Double](repeating: 0, count: Features.count)
        var squares = sums
        rows.inputs.withUnsafeBufferPointer { inputs in
            for row in stride(from: 0, to: inputs.count, by: Features.count) {
                for input in 0..<Features.count {
                    let value = Double(inputs[row + input])
                    sums[input] += value
                    squares[input] += value * value
                }
            }
        }
        let means = sums.map { $0 / count }
        self.means = means
        // Never 0: an input that hardly differs says hardly anything.
        deviations = squares.indices.map {
            max(0, squares[$0] / count - means[$0] * means[$0]).squareRoot() + 0.01
        }
    }
}
