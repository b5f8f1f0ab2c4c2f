import ArgumentParser
import Logging
import LullControl
import LullHost
import LullModel

struct LaunchCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Run a task now and wait for its end.",
        discussion: """
            What Apple's _simulateLaunchForTaskWithIdentifier does, on any host: passes over begin date, constraints, \
            windows, budget and the week rule, and says which in the history. Exits with 0 when the run succeeded, \
            with 1 when it did not or was refused. Without a running host it is one for as long as the run takes.

            Examples:
              lull launch com.example.ColorFeed.refresh
              lull launch com.example.ColorFeed.refresh && lull history --task com.example.ColorFeed.refresh
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The task's identifier, such as com.example.ColorFeed.refresh.") var task: TaskIdentifier
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        do {
            let client = try ControlClient(stateFolder: options.checkedFolder().path)
            try launch(through: client)
        } catch ControlError.notRunning {
            try launchHere()
        } catch let error as ControlError {
            throw Failure(error.message)
        }
    }

    private func launch(through client: borrowing ControlClient) throws {
        switch try client.ask(.launch(task)) {
        case .launched(let run):
            switch try client.ask(.await(run)) {
            case .ended(_, let outcome, let reason): try report(run, outcome, reason)
            case .refused(let sentence): throw Failure(options.remedy(sentence))
            default: throw Failure("The host answered another question than the one it was asked.")
            }
        case .refused(let sentence): throw Failure(options.remedy(sentence))
        default: throw Failure("The host answered another question than the one it was asked.")
        }
    }

    /// No host is running: this command is one for as long as the run takes.
    private func launchHere() throws {
        let manifest = try options.readManifest(manifest, showsWarnings: false)
        let result = try HostRun(options: options, manifest: manifest, goal: .launch(task)).run()
        if result.pass.wasRefused { throw Failure(result.pass.answer ?? "\(task) was not launched.") }
        guard let event = result.pass.ended.last(where: { $0.task == task }), let run = event.run else {
            throw Failure("\(task) was not launched; `lull why \(task)` says why.")
        }
        try report(run, event.outcome ?? .failed, event.reason)
    }

    private struct Report: Encodable {
        let task: TaskIdentifier
        let run: RunID
        let outcome: Outcome
        let reason: String?
    }

    private func report(_ run: RunID, _ outcome: Outcome, _ reason: String?) throws {
        if json {
            try Output.json(Report(task: task, run: run, outcome: outcome, reason: reason))
        } else {
            Output.answer(Self.text(of: task, run, outcome, reason))
        }
        if !outcome.isSuccess { throw ExitCode(1) }
    }

    static func text(
        of task: TaskIdentifier, _ run: RunID, _ outcome: Outcome, _ reason: String?
    ) -> String {
        "\(task): run \(run) \(outcome.rawValue)" + (reason.map { ": " + $0.harmlessLines } ?? ".")
    }
}
