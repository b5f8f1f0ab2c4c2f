import ArgumentParser
import Glibc
import Logging
import LullCommands
import LullControl
import LullHistory
import LullHost
import LullManifest
import LullModel

struct LaunchCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "launch", abstract: "Run a task now and wait for its end.",
        usage: "lull launch [<options>] <name>",
        discussion: """
            Does the same as Apple's _simulateLaunchForTaskWithIdentifier, on any host: it ignores begin date, \
            constraints, windows, budget and the week rule, and records which of them it ignored. It shows the \
            output of the run as it comes. If no host is running, the command is the host until the run ends. \
            Ctrl-C ends the wait, not the run. Exits with 0 if the run succeeded; with the exit code of its \
            command if that failed, 128 and more for a signal; and with 1 if it failed without an exit code or \
            was refused.

            The run is extra: the next time of `repeat` and `at` stays as it was, and the answer names it. It \
            does not count for `budget` and `min_gap`, and if it fails, nothing else is delayed. With \
            --instead it replaces the next time, unless a waiting request of an operator has that with it. It \
            also fulfils a waiting request of an operator or the plugin, if that has the same parameters. For \
            a task with `repeat`, a request with --earliest goes on waiting.

            --param gives the run a value for a parameter that the task declares in `params`. A command finds \
            it in its environment: `date` in LULL_PARAM_DATE. What the task does not take is refused before \
            anything runs. Parameters are shown to people, so they are no place for secrets.

            Examples:
              lull launch com.example.ColorFeed.refresh
              lull launch nightly
              lull launch nightly --instead
              lull launch nightly --no-wait
              lull launch report -p date=2026-11-30
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: TaskName.help) var name: TaskName
    @OptionGroup var params: ParamOptions
    @Flag(help: "Take the place of the next time of `repeat` or `at`.") var instead = false
    @Flag(name: .customLong("no-wait"), help: "Return once the run has begun. A host has to be running.")
    var returnsAtOnce = false
    @Flag(help: "Print JSON, with only the last lines that the run printed.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        // What is not written as a parameter at all is refused before anything is asked.
        _ = try params.values()
        do {
            let folder = try options.checkedFolder().path
            // A host that has just started holds the state, but does not listen yet.
            for _ in 0..<200 {
                do {
                    let client = try connect()
                    return try launch(
                        find { try NameResolver(client.ask(Ask.Names())).task(name.text) }, through: client)
                } catch ControlError.notRunning {}
                guard StateLock.isHeld(folder: folder) else { break }
                poll(nil, 0, 50)
            }
            // A host that has just started may listen once this is answered.
            let task = try task(name)
            if returnsAtOnce {
                throw Failure(
                    "No host is running, so nothing would go on with the run. Start one with `lull run`, or leave out --no-wait."
                )
            }
            do {
                try launch(task, through: connect())
            } catch ControlError.notRunning {
                try launchHere(task)
            }
        } catch let error as ControlError {
            throw Failure(options.remedy(error.message))
        }
    }

    private func connect() throws -> ControlClient {
        try ControlClient(stateFolder: options.checkedFolder().path)
    }

    private func launch(_ task: TaskIdentifier, through client: borrowing ControlClient) throws {
        let begun = try client.ask(Ask.Begin(task, instead: instead, params: params.values()))
        guard !returnsAtOnce else { return try reportBegun(begun, task) }
        let interrupt = InterruptNote(
            options.remedy(
                "Run \(begun.run) of \(task) goes on. `lull logs -f \(begun.run)` shows it, `lull expire \(task)` ends it."
            ))
        defer { interrupt.forget() }
        var follower = RunFollower(showsLog: false)
        if !json {
            try follower.follow(begun.run, through: client, in: options.checkedFolder().path)
            follower.endLastLine()
        }
        let end = try client.ask(Ask.Await(begun.run))
        try report(
            task, end.run, end.outcome, end.reason, end.printed, next: begun.next, exitCode: end.exitCode)
    }

    private func reportBegun(_ begun: BegunRun, _ task: TaskIdentifier) throws {
        if json { return try Output.json(Begun(task: task, run: begun.run, nextWords: begun.next)) }
        Output.answer(
            options.remedy(
                "\(task): run \(begun.run) has begun. `lull logs -f \(begun.run)` shows what it prints."))
        if let next = begun.next { Output.answer(options.remedy(next)) }
    }

    /// No host is running: this command is a host for as long as the run takes.
    private func launchHere(_ task: TaskIdentifier) throws {
        let manifest = try options.readManifest(options.manifestOfState(manifest), showsWarnings: false)
        // Errors of the settings are reported before the run is tried.
        let owners = [task.text, manifest.app(of: task)?.text].compactMap { $0.map { $0 + ":" } }
        for note in SettingsCheck(manifest, places: KeyPlaces(of: manifest)).notes
        where owners.contains(where: note.message.hasPrefix) {
            Output.error(styled: note.rendered(for: .error))
        }
        var host = HostRun(
            options: options, manifest: manifest,
            goal: .launch(
                task, instead: instead, params: try params.values(),
                by: Asker.ofThisProcess().name(in: options.folder)))
        host.showsPrinted = !json
        let result = try host.run()
        if result.pass.wasRefused { throw Failure(result.pass.answer ?? "\(task) was not launched.") }
        guard let event = result.pass.ended.last(where: { $0.task == task }), let run = event.run else {
            throw Failure("\(task) was not launched; `lull why \(task)` says why.")
        }
        try report(
            task, run, event.outcome ?? .failed, event.reason, nil, next: result.pass.answer,
            exitCode: event.exitCode)
    }

    private struct Begun: Encodable {
        let task: TaskIdentifier
        let run: RunID
        let nextWords: String?
    }

    private struct Report: Encodable {
        let task: TaskIdentifier
        let run: RunID
        let outcome: Outcome
        let reason: String?
        /// The last lines of a run that succeeded; the reason of a failed run has them already.
        let printed: [String]?
        /// The exit code of its command, as a shell reports it.
        let exitCode: Int?
        /// What happens to the task's own next time.
        let nextWords: String?
    }

    private func report(
        _ task: TaskIdentifier, _ run: RunID, _ outcome: Outcome, _ reason: String?,
        _ told: PrintedByRun?, next: String?, exitCode: UInt8?
    ) throws {
        if json {
            let printed = told ?? self.printed(by: run)
            let last = outcome.isSuccess && printed?.lines.isEmpty == false ? printed?.lines : nil
            try Output.json(
                Report(
                    task: task, run: run, outcome: outcome, reason: reason, printed: last,
                    exitCode: exitCode.map(Int.init), nextWords: next))
        } else {
            Output.answer(Self.text(of: task, run, outcome, reason))
            if let next { Output.answer(options.remedy(next)) }
        }
        guard !outcome.isSuccess else { return }
        throw ExitCode(exitCode.map { $0 == 0 ? 1 : Int32($0) } ?? 1)
    }

    /// Its output is already above.
    static func text(
        of task: TaskIdentifier, _ run: RunID, _ outcome: Outcome, _ reason: String?
    ) -> String {
        let head = "\(task): run \(run) \(outcome.rawValue)"
        guard let reason else { return head + "." }
        let sentence = PrintedLast(reason).sentence.withoutFullStop + "."
        return head + ": " + PrintedLast(sentence: sentence, lines: []).quoted
    }

    /// The output from the history, which every user who may launch may read; nil: none, or it can't be read.
    private func printed(by run: RunID) -> PrintedByRun? {
        guard let folder = try? options.checkedFolder().path,
            let history = try? SQLiteHistory.open(folder: folder, mode: .readOnly),
            let output = try? history.output(of: run)
        else { return nil }
        return output.printed
    }
}
