import ArgumentParser
import Foundation
import LullCommands
import LullHost
import LullModel
import LullSimulator

extension BacktestArguments: RunnableArguments {
    package func run() throws {
        let world =
            try usage.map { try BacktestWorld(usage: $0, objective: objective ?? .both) }
            ?? BacktestWorld(options: options, file: file)
        if let launches { try BacktestLaunchFile(launches).check() }
        guard !world.scored.isEmpty else {
            guard !json else { return try Output.json(BacktestJSON(world: world, runs: [])) }
            return Output.answer(styled: BacktestText(world: world, runs: []).rendered(for: .output))
        }
        let settings: [Double?] =
            budgets?.values ?? [world.isOfHost ? nil : budget ?? BudgetList.usualOne]
        let runs = BacktestMeasure(world: world).runs(budgets: settings)
        if let launches { try BacktestLaunchFile(launches).write(runs[0], of: world) }
        if json {
            try Output.json(BacktestJSON(world: world, runs: runs))
        } else {
            Output.answer(styled: BacktestText(world: world, runs: runs).rendered(for: .output))
        }
        for warning in runs.flatMap(\.warnings) { Output.error(warning) }
        if let launches { Output.error("Wrote \(launches).") }
    }
}
