import Foundation
import LullModel
import LullSimulator
import Testing

@testable import LullForecast
@testable import lull_train

struct TrainingTests {
    /// An app that is used every morning, noon and evening, a little off the hour; its second half is scored.
    static func log(days: Int = 24) -> BacktestLog {
        var generator = SeededGenerator(seed: 5)
        var uses: [BacktestLog.Use] = []
        for day in 0..<days {
            for hour in [8, 12, 20] {
                let late = Int64.random(in: 0..<2400, using: &generator)
                uses.append(.init(app: "news", time: 1_600_000_000 + Int64(day * 86400 + hour * 3600) + late))
            }
        }
        return BacktestLog(uses)
    }

    static func rows(share: Double = 0.35) -> TrainingRows {
        var rows = TrainingRows(log().apps, share: share, seed: 1)
        rows.standardise(Standardisation(rows))
        return rows
    }

    @Test func `nothing of the scored part is learned from`() throws {
        let whole = Self.log()
        let scored = try #require(whole.apps.first?.scored)
        let from = try #require(whole.apps.first?.from)
        // The last use stays where it is, so that the parts do.
        let other = BacktestLog(
            whole.uses.enumerated().map { index, use in
                var use = use
                if use.time >= from, index < whole.useCount - 1 { use.time += 1000 }
                return use
            })
        let rows = TrainingRows(whole.apps, share: 1, seed: 1)
        #expect(rows.uses == scored.lowerBound - 1)
        #expect(TrainingRows(other.apps, share: 1, seed: 1).inputs == rows.inputs)
        #expect(rows.labels.reduce(0, +) == Float(scored.lowerBound - 1))
    }

    @Test func `of an app that no backtest scores all is learned`() throws {
        let app = try #require(Self.log().apps.first)
        let rows = TrainingRows([], whole: [app], share: 1, seed: 1)
        #expect(rows.uses == app.uses.count - 1)
        #expect(rows.labels.reduce(0, +) == Float(app.uses.count - 1))
        let half = TrainingRows([app], share: 1, seed: 1)
        #expect(rows.inputs.starts(with: half.inputs))
        #expect(TrainingRows([app], whole: [app], share: 1, seed: 1).inputs == half.inputs + rows.inputs)
    }

    @Test func `a share of the quarter-hours without a use stands for all of them`() {
        let all = Self.rows(share: 1)
        let some = Self.rows(share: 0.35)
        #expect(all.weights.allSatisfy { $0 == 1 })
        #expect(some.count < all.count / 2)
        #expect(some.labels.reduce(0, +) == all.labels.reduce(0, +))
        let ratio: Float = some.weights.reduce(0, +) / all.weights.reduce(0, +)
        #expect(ratio > 0.85 && ratio < 1.15)
    }

    @Test func `the gradient is the slope of the loss`() {
        let rows = Self.rows()
        // Not a multiple of the rows of a pass, so that one is partly empty.
        let places = (0..<Int32(100)).map { $0 }
        let layers = Layers(seed: 3)
        for input in 0..<Features.count { layers.skip.start[input] = 0.02 * Float(input % 5) - 0.04 }
        let gradient = Layers()
        var pass = Pass()
        let loss = pass.loss(layers, rows, at: places[...], gradient: gradient)
        #expect(loss == pass.loss(layers, rows, at: places[...]))
        for (name, part, slope) in [
            ("A", layers.first, gradient.first), ("a", layers.firstBias, gradient.firstBias),
            ("B", layers.middle, gradient.middle), ("b", layers.middleBias, gradient.middleBias),
            ("c", layers.last, gradient.last), ("l", layers.skip, gradient.skip),
            ("d", layers.bias, gradient.bias),
        ] {
            // Along a random direction all of a layer's numbers are tried at once.
            var generator = SeededGenerator(seed: 9)
            let direction = (0..<part.count).map { _ in Float.random(in: -1...1, using: &generator) }
            let before = (0..<part.count).map { part.start[$0] }
            func loss(_ length: Float) -> Double {
                for index in before.indices { part.start[index] = before[index] + length * direction[index] }
                return pass.loss(layers, rows, at: places[...]) / Double(places.count)
            }
            let measured = (loss(0.002) - loss(-0.002)) / 0.004
            _ = loss(0)
            var claimed = 0.0
            for index in direction.indices { claimed += Double(direction[index] * slope.start[index]) }
            let isNear = abs(measured - claimed) < 0.01 * abs(claimed) + 1e-4
            #expect(isNear, "\(name): \(measured), \(claimed)")
        }
    }

    @Test func `training lowers the loss and is the same for the same seed`() {
        let rows = Self.rows()
        var training = Training()
        (training.epochs, training.batch) = (4, 128)
        var losses: [Double] = []
        let first = training.layers(rows) { losses.append($1) }
        let again = training.layers(rows)
        training.seed = 2
        let other = training.layers(rows)
        func numbers(_ layers: Layers) -> [Float] { (0..<layers.all.count).map { layers.all.start[$0] } }
        #expect(numbers(first) == numbers(again))
        #expect(numbers(first) != numbers(other))
        #expect(losses.count == 4)
        #expect(losses[3] < losses[0] * 0.9)
        let begun = Training.negativeLogLikelihood(Layers(seed: 1), rows)
        #expect(Training.negativeLogLikelihood(first, rows) < begun * 0.9)
    }

    @Test func `the weights say of inputs as they are what was learned of them standardised`() throws {
        let log = Self.log()
        let raw = TrainingRows(log.apps, share: 1, seed: 1)
        let scale = Standardisation(raw)
        var rows = raw
        rows.standardise(scale)
        var training = Training()
        (training.epochs, training.batch) = (2, 128)
        let layers = training.layers(rows)
        let network = HazardNetwork(parameters: layers.parameters(undoing: scale))

        let app = try #require(log.apps.first)
        var sessions = Sessions()
        sessions.insert(second: app.uses[0], offset: 0)
        let features = Features(sessions, from: Int(app.uses[0]), count: 12) { _ in 0 }
        let hazards = network.hazards(features)
        // The rows begin with the third step after the first use; it is noon before the next one.
        var pass = Pass()
        for step in 2..<12 {
            let place = Int32(step - 2)
            let loss = pass.loss(layers, rows, at: [place][...])
            let chance = rows.labels[Int(place)] == 1 ? hazards[step] : 1 - hazards[step]
            let expected = -Foundation.log(Double(chance))
            #expect(abs(loss - expected) < 0.001, "step \(step)")
        }
    }

    @Test func `the file holds the weights to the last bit`() {
        let parameters = (0..<HazardNetwork.parameterCount).map { Float($0) * -0.37 + 1e-9 }
        let text = WeightsFile(notes: ["As made up."], parameters: parameters).text
        #expect(text.hasPrefix("/// "))
        #expect(text.contains("/// As made up.\nenum HazardWeights {\n    static let text = \"\"\"\n"))
        #expect(text.hasSuffix("\n        \"\"\"\n}\n"))
        let digits = text.split(separator: "\"\"\"")[1]
        #expect(HazardWeights.decode(String(digits)) == parameters)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
}
