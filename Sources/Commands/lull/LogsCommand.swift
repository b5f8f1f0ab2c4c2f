import ArgumentParser
import LullCommands
import LullControl
import LullHistory
import LullHost
import LullModel

struct LogsCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Show what a task or a run has printed, also while it runs.",
        usage: "lull logs [<options>] <name>",
        discussion: """
            For a task, it shows the newest run. With -f it follows the output: of a run until the run ends; \
            of a task also the next runs, until Ctrl-C, which ends only this command. The run's standard \
            output and standard error come out on those of this command.

            Examples:
              lull logs nightly
              lull logs -f com.example.ColorFeed.refresh
              lull logs -f 17
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(
        help: ArgumentHelp(
            "A task, such as com.example.ColorFeed.refresh or only its last word, or a run's number.",
            valueName: "name"))
    var name: TaskName
    @Flag(name: .shortAndLong, help: "Follow: show more as it is printed.") var follow = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        if let number = UInt64(name.text) { return try show(RunID(number)) }
        let task = try task(name)
        guard follow else { return try show(newestRun(of: task)) }
        try followAll(of: task)
    }

    private func newestRun(of task: TaskIdentifier) throws -> RunID {
        let status = try status(of: .task(task)).tasks.first { $0.task == task }
        guard let run = status?.running.max() ?? status?.lastRun else {
            throw Failure("\(task) has not run yet. `lull why \(task)` says why.")
        }
        return run
    }

    /// One run: what the host has of it while it is open, else what the history keeps.
    private func show(_ run: RunID) throws {
        var follower = RunFollower()
        do throws(ControlError) {
            let client = try ControlClient(stateFolder: options.folder.path)
            let part = try client.ask(Ask.Printed(by: run))
            if !part.isOver {
                follower.show(part)
                if follow { try follower.follow(run, through: client, in: options.folder.path) }
                return
            }
        } catch .notRunning {
        } catch {
            throw Failure(options.remedy(error.message))
        }
        let account = try account(of: run)
        guard let output = account.output, output.total > 0 else {
            return Output.error(
                account.end == nil
                    ? "No output of run \(run) is kept so far."
                    : "No output of run \(run) is kept.")
        }
        follower.show(output)
    }

    private func account(of run: RunID) throws -> RunAccount {
        do {
            let history = try SQLiteHistory.open(folder: options.checkedFolder().path, mode: .readOnly)
            guard let account = try RunAccount(run, in: history) else {
                throw Failure("There is no run \(run) in the history.")
            }
            return account
        } catch let error as HistoryError {
            throw Failure(error.message + "\n" + error.fix)
        }
    }

    /// The run that is under way, and each that comes after it, until this command is ended.
    private func followAll(of task: TaskIdentifier) throws {
        do throws(ControlError) {
            let client = try ControlClient(stateFolder: options.folder.path)
            var seen: UInt64 = 0
            var shown: RunID?
            while true {
                seen = try client.ask(Ask.Changes(since: seen))
                let status = try client.ask(Ask.Report(of: .task(task), isBrief: true)).tasks.first {
                    $0.task == task
                }
                for run in (status?.running ?? []).sorted() where shown.map({ $0 < run }) ?? true {
                    Output.error("── \(task): run \(run) ──")
                    var follower = RunFollower()
                    try follower.follow(run, through: client, in: options.folder.path)
                    shown = run
                }
            }
        } catch {
            throw Failure(options.remedy(error.message))
        }
    }
}
