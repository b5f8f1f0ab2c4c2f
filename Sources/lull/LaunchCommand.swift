import ArgumentParser
import Logging
import LullControl
import LullHost
import LullModel

struct LaunchCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Run a task now and wait for its end.",
        usage: "lull launch [<options>] <name>",
        discussion: """
            Does what Apple's _simulateLaunchForTaskWithIdentifier does, on any host: it passes over begin date, \
            constraints, windows, budget and the week rule, and records which. It exits with 0 when the run \
            succeeded, and with 1 when it failed or was refused. Where no host is running, it is the host until the \
            run ends.

            The run is extra: the next time of `repeat` and `at` stays as it was, and the answer names it. It uses \
            up neither `budget` nor `min_gap`, and if it fails, nothing else is delayed. With --instead it takes the \
            place of the next time. A request that an operator or the plugin made is used up by it.

            Examples:
              lull launch com.example.ColorFeed.refresh
              lull launch nightly
              lull launch nightly --instead
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: TaskName.help) var name: TaskName
    @Flag(help: "Take the place of the next time of `repeat` or `at`.") var instead = false
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let task = try task(name)
        do {
            let client = try ControlClient(stateFolder: options.checkedFolder().path)
            try launch(task, through: client)
        } catch ControlError.notRunning {
            try launchHere(task)
        } catch let error as ControlError {
            throw Failure(error.message)
        }
    }

    private func launch(_ task: TaskIdentifier, through client: borrowing ControlClient) throws {
        switch try client.ask(.launch(task, instead: instead)) {
        case .launched(let run, let next):
            switch try client.ask(.await(run)) {
            case .ended(_, let outcome, let reason): try report(task, run, outcome, reason, next: next)
            case .refused(let sentence): throw Failure(options.remedy(sentence))
            default: throw Failure("The host answered another question than the one it was asked.")
            }
        case .refused(let sentence): throw Failure(options.remedy(sentence))
        default: throw Failure("The host answered another question than the one it was asked.")
        }
    }

    /// No host is running: this command is one for as long as the run takes.
    private func launchHere(_ task: TaskIdentifier) throws {
        let manifest = try options.readManifest(manifest, showsWarnings: false)
        let result = try HostRun(options: options, manifest: manifest, goal: .launch(task, instead: instead))
            .run()
        if result.pass.wasRefused { throw Failure(result.pass.answer ?? "\(task) was not launched.") }
        guard let event = result.pass.ended.last(where: { $0.task == task }), let run = event.run else {
            throw Failure("\(task) was not launched; `lull why \(task)` says why.")
        }
        try report(task, run, event.outcome ?? .failed, event.reason, next: result.pass.answer)
    }

    private struct Report: Encodable {
        let task: TaskIdentifier
        let run: RunID
        let outcome: Outcome
        let reason: String?
        /// What becomes of the task's own next time.
        let next: String?
    }

    private func report(
        _ task: TaskIdentifier, _ run: RunID, _ outcome: Outcome, _ reason: String?, next: String?
    ) throws {
        if json {
            try Output.json(Report(task: task, run: run, outcome: outcome, reason: reason, next: next))
        } else {
            Output.answer(Self.text(of: task, run, outcome, reason))
            if !outcome.isSuccess {
                Output.answer(options.remedy("`lull history --run \(run)` shows all that it printed."))
            }
            if let next { Output.answer(next) }
        }
        if !outcome.isSuccess { throw ExitCode(1) }
    }

    static func text(
        of task: TaskIdentifier, _ run: RunID, _ outcome: Outcome, _ reason: String?
    ) -> String {
        "\(task): run \(run) \(outcome.rawValue)" + (reason.map { ": " + PrintedLast($0).quoted } ?? ".")
    }
}
