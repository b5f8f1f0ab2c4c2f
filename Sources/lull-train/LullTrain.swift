import ArgumentParser
import Foundation
import LullELF
import LullForecast
import LullSimulator
import LullUsage

/// Makes the weights that Lull ships, from the parts of a log of uses that no backtest scores.
@main
struct LullTrain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lull-train",
        abstract: "Make the weights of the forecast from a log of uses.",
        discussion: """
            Of each app only the uses before its scored part are read, as `lull backtest` divides them. The same file \
            and the same options make the same weights, to the last bit.

            Examples:
              lull-train --usage uses.csv.gz --validate
              lull-train --usage uses.csv.gz --out Sources/LullForecast/HazardWeights.swift
            """)

    @Option(
        help: ArgumentHelp(
            "The uses: CSV with the columns app,unix_seconds,utc_offset_minutes, plain or compressed.",
            valueName: "file"))
    var usage: String
    @Option(help: ArgumentHelp("Write the weights to this file.", valueName: "file.swift"))
    var out: String?
    @Option(help: "How often every row is seen.") var epochs = Training().epochs
    @Option(help: "What chance begins with.") var seed = Training().seed
    @Option(help: "How strongly the weights are drawn to nought.") var decay = Training().decay
    @Option(help: "The share of the first layer's units that are left out at a time.")
    var dropout = Training().dropout
    @Option(help: "How many made-up apps that are used by the clock are learned from beside.")
    var clockwork = 90
    @Option(help: "The share of the quarter-hours without a use that are learned from.") var share = 0.5
    @Flag(
        name: .customLong("validate"),
        help: "Hold out every fifth app, and say how likely its uses were to the network.")
    var validates = false

    func validate() throws {
        guard validates || out != nil else {
            throw ValidationError("Nothing to do: give --out FILE, or --validate, or both.")
        }
        guard (1...1000).contains(epochs) else { throw ValidationError("--epochs is between 1 and 1000.") }
        guard (0...10).contains(decay) else { throw ValidationError("--decay is between 0 and 10.") }
        guard (0...0.9).contains(dropout) else { throw ValidationError("--dropout is between 0 and 0.9.") }
        guard (0...10_000).contains(clockwork) else {
            throw ValidationError("--clockwork is between 0 and 10000.")
        }
        guard (0.01...1).contains(share) else { throw ValidationError("--share is between 0.01 and 1.") }
    }

    func run() throws {
        let log = BacktestLog(
            try uses().map { .init(app: $0.app, time: $0.time.seconds, offset: $0.offsetMinutes * 60) })
        let clockwork = BacktestLog(Clockwork.uses(apps: clockwork, seed: seed)).apps
        if validates {
            let held = log.apps.enumerated().filter { $0.offset % 5 == 4 }.map(\.element)
            let others = log.apps.enumerated().filter { $0.offset % 5 != 4 }.map(\.element)
            let (layers, scale, _) = try train(others + clockwork)
            // All of their quarter-hours, so that settings are compared on the same ones.
            var rows = TrainingRows(held, share: 1, seed: seed)
            rows.standardise(scale)
            Self.say(
                "validation: \(Self.digits(Training.negativeLogLikelihood(layers, rows))) nats a use, "
                    + "over \(rows.uses) uses of \(held.count) apps that it was not trained on")
        }
        guard let out else { return }
        let (layers, scale, rows) = try train(log.apps + clockwork)
        let file = WeightsFile(
            notes: [
                "Trained on \(rows.count) quarter-hours after \(rows.uses) uses of \(log.apps.count) apps and of \(clockwork.count) made-up ones,",
                "with --epochs \(epochs) --seed \(seed) --decay \(decay) --dropout \(dropout) --clockwork \(self.clockwork) --share \(share).",
                "SHA-256 of the log: \(try digest()).",
            ], parameters: layers.parameters(undoing: scale))
        do {
            try file.write(to: out)
        } catch {
            throw ValidationError("Can't write \(out): \(error.localizedDescription) Name another file.")
        }
        Self.say("Wrote \(out).")
    }

    private func digest() throws -> String {
        SHA256.hexadecimal(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: usage))))
    }

    private func uses() throws -> [UsageRow] {
        do throws(ImportError) {
            return try UsageFile.read(usage)
        } catch {
            throw ValidationError([error.message, error.fix].filter { !$0.isEmpty }.joined(separator: "\n"))
        }
    }

    private func train(_ apps: [BacktestApp]) throws -> (Layers, Standardisation, TrainingRows) {
        var rows = TrainingRows(apps, share: share, seed: seed)
        guard rows.count > 0 else {
            throw ValidationError(
                "\(usage) has no use to learn from before the scored part of any app. Give a longer log.")
        }
        Self.say("\(rows.count) quarter-hours after \(rows.uses) uses of \(apps.count) apps")
        let scale = Standardisation(rows)
        rows.standardise(scale)
        var training = Training()
        (training.epochs, training.seed, training.decay, training.dropout) = (epochs, seed, decay, dropout)
        let layers = training.layers(rows) { epoch, loss in
            Self.say("epoch \(epoch + 1): loss \(Self.digits(loss))")
        }
        Self.say("warm-up: \(Self.digits(Training.negativeLogLikelihood(layers, rows))) nats a use")
        return (layers, scale, rows)
    }

    private static func digits(_ number: Double) -> String { String(format: "%.5f", number) }

    private static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
