import ArgumentParser
import Foundation
import LullELF
import LullForecast
import LullSimulator
import LullUsage

/// Makes the weights that Lull ships, from the parts of logs of uses that no backtest scores.
@main
struct LullTrain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lull-train",
        abstract: "Train the weights of the forecast on logs of uses.",
        discussion: """
            From each app in a log given by --usage, it learns only the uses before the scored part, as `lull \
            backtest` divides them; from each app in a log given by --whole, all uses. You can give both \
            several times. The same files and the same options make the same weights, to the last bit.

            Examples:
              lull-train --usage uses.csv.gz --validate
              lull-train --usage uses.csv.gz --whole more.csv.gz --out Sources/Core/LullForecast/HazardWeights.swift
            """)

    @Option(
        help: ArgumentHelp(
            "Uses, to learn from up to the scored part of each app: CSV with the columns app,unix_seconds,utc_offset_minutes, plain or compressed.",
            valueName: "file"))
    var usage: [String] = []
    @Option(
        help: ArgumentHelp("Uses that no backtest scores: all of them are learned from.", valueName: "file"))
    var whole: [String] = []
    @Option(help: ArgumentHelp("Write the weights to this file.", valueName: "file.swift"))
    var out: String?
    @Option(help: "How many times to go through all rows.") var epochs = Training().epochs
    @Option(help: "The seed of the random numbers.") var seed = Training().seed
    @Option(help: "How strongly the weights decay to zero.") var decay = Training().decay
    @Option(help: "The share of the first layer's units that each step leaves out.")
    var dropout = Training().dropout
    @Option(help: "How many invented apps, used at fixed times, to learn from as well.")
    var clockwork = 90
    @Option(help: "The share of the quarter-hours without a use that are learned from.") var share = 0.5
    @Flag(
        name: .customLong("validate"),
        help: "Hold out every fifth app, and say how likely its uses were to the network.")
    var validates = false

    func validate() throws {
        guard !(usage + whole).isEmpty else {
            throw ValidationError("Nothing to learn from: give --usage FILE, or --whole FILE, or both.")
        }
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
        let halves = try usage.map(log)
        let wholes = try whole.map(log)
        let madeUp = BacktestLog(Clockwork.uses(apps: clockwork, seed: seed)).apps
        if validates { try validation(halves, wholes, madeUp) }
        guard let out else { return }
        let apps = (halves + wholes).reduce(0) { $0 + $1.apps.count }
        let (layers, scale, rows) = try train(halves.flatMap(\.apps) + madeUp, wholes.flatMap(\.apps))
        let digests =
            try usage.map { "  \(try digest($0)), up to the scored parts" }
            + whole.map { "  \(try digest($0)), whole" }
        let file = WeightsFile(
            notes: [
                "Trained on \(rows.count) quarter-hours after \(rows.uses) uses of \(apps) apps and of \(madeUp.count) made-up ones,",
                "with --epochs \(epochs) --seed \(seed) --decay \(decay) --dropout \(dropout) --clockwork \(clockwork) --share \(share).",
                "SHA-256 of each log:",
            ] + digests, parameters: layers.parameters(undoing: scale))
        do {
            try file.write(to: out)
        } catch {
            throw ValidationError("Can't write \(out): \(error.localizedDescription) Name another file.")
        }
        Self.say("Wrote \(out).")
    }

    /// Learns without every fifth app of each log, and says how likely those apps' uses were to the network.
    private func validation(
        _ halves: [BacktestLog], _ wholes: [BacktestLog], _ madeUp: [BacktestApp]
    ) throws {
        func part(_ logs: [BacktestLog], held: Bool) -> [BacktestApp] {
            logs.flatMap { $0.apps.enumerated().filter { ($0.offset % 5 == 4) == held }.map(\.element) }
        }
        let (layers, scale, _) = try train(
            part(halves, held: false) + madeUp, part(wholes, held: false))
        // All of their quarter-hours, so that settings are compared on the same ones.
        for (name, apps, others) in [
            ("--usage", part(halves, held: true), []), ("--whole", [], part(wholes, held: true)),
        ] where !(apps + others).isEmpty {
            var rows = TrainingRows(apps, whole: others, share: 1, seed: seed)
            rows.standardise(scale)
            Self.say(
                "validation, \(name): \(Self.digits(Training.negativeLogLikelihood(layers, rows))) nats a use, "
                    + "over \(rows.uses) uses of \((apps + others).count) apps that it was not trained on")
        }
    }

    private func digest(_ path: String) throws -> String {
        SHA256.hexadecimal(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    private func log(_ path: String) throws -> BacktestLog {
        BacktestLog(
            try uses(path).map { .init(app: $0.app, time: $0.time.seconds, offset: $0.offsetMinutes * 60) })
    }

    private func uses(_ path: String) throws -> [UsageRow] {
        do throws(ImportError) {
            return try UsageFile.read(path)
        } catch {
            throw ValidationError([error.message, error.fix].filter { !$0.isEmpty }.joined(separator: "\n"))
        }
    }

    private func train(
        _ apps: [BacktestApp], _ whole: [BacktestApp]
    ) throws -> (Layers, Standardisation, TrainingRows) {
        var rows = TrainingRows(apps, whole: whole, share: share, seed: seed)
        guard rows.count > 0 else {
            throw ValidationError("The logs have no use to learn from. Give longer ones.")
        }
        Self.say("\(rows.count) quarter-hours after \(rows.uses) uses of \(apps.count + whole.count) apps")
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
