import LullForecast
import LullModel

/// Makes the weights from the rows: in batches, in an order that is shuffled anew in every epoch.
struct Training {
    var epochs = 12
    var seed: UInt64 = 1
    var batch = 4096
    var rate = 0.006
    var decay = 0.1
    var dropout: Float = 0.1

    /// - Parameter report: called with the mean loss of a row after each epoch, with units left out.
    func layers(_ rows: TrainingRows, report: (_ epoch: Int, _ loss: Double) -> Void = { _, _ in }) -> Layers
    {
        let layers = Layers(seed: seed)
        let gradient = Layers()
        var generator = SeededGenerator(seed: ~seed)
        var pass = Pass(dropout: dropout > 0 ? Dropout(rate: dropout, seed: generator.next()) : nil)
        var optimiser = AdamW(decay: decay)
        var order = (0..<Int32(rows.count)).map { $0 }
        let size = min(batch, rows.count)
        let batches = size > 0 ? rows.count / size : 0
        let cycle = OneCycle(highest: rate, steps: epochs * batches)
        for epoch in 0..<epochs {
            order.shuffle(using: &generator)
            var loss = 0.0
            // The rows after the last whole batch have their turn in another epoch.
            for number in 0..<batches {
                let places = order[number * size..<(number + 1) * size]
                loss += pass.loss(layers, rows, at: places, gradient: gradient)
                optimiser.step(
                    layers, gradient: gradient, rate: cycle.rate(at: epoch * batches + number))
            }
            report(epoch, loss / Double(max(1, batches * size)))
        }
        return layers
    }

    /// The negative log-likelihood of when the next uses began, in nats a use.
    static func negativeLogLikelihood(_ layers: Layers, _ rows: TrainingRows) -> Double {
        var pass = Pass()
        let places = (0..<Int32(rows.count)).map { $0 }
        return pass.loss(layers, rows, at: places[...]) / Double(max(1, rows.uses))
    }
}
