import ArgumentParser
import LullCommands
import LullHost
import LullModel
import LullNotices
import LullSystem

struct NotifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Test the sinks that `notify` in the manifest names.",
        subcommands: [NotifyTest.self])
}

struct NotifyTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test notice to each sink, and report whether it arrived.",
        usage: "lull notify test [<options>] [<app or task>]",
        discussion: """
            Without a name, it tests the sinks of all apps and tasks; with a name, those of that app or task. \
            This command sends one notice to each, marked as a test, as this user. Exits with 1 if a sink \
            can't be reached.

            Examples:
              lull notify test
              lull notify test com.example.Feed.refresh
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(
        help: ArgumentHelp("An app or a task; all when it is left out.", valueName: "app or task"),
        completion: TaskOrAppName.defaultCompletionKind)
    var name: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let manifest = try options.readManifest(manifestOption.path, showsWarnings: false)
        let trials = try trials(of: manifest)
        guard !trials.isEmpty else {
            let whom = name.map { "\($0) notifies nobody" } ?? "\(manifest.path) notifies nobody"
            throw Failure("\(whom). Write `notify: [{ mail: ops@example.org }]` there, or under `defaults`.")
        }
        let results = try send(trials)
        if json {
            try Output.json(results)
        } else {
            var table = Table(header: ["SINK", "USED BY", "RESULT"])
            for result in results {
                table.rows.append([
                    .init(result.sink), .init(result.users),
                    .init(
                        result.trouble.map { "not delivered: " + $0 } ?? "delivered",
                        result.trouble == nil ? .green : .red),
                ])
            }
            Output.answer(styled: table.rendered(for: .output))
        }
        if results.contains(where: { $0.trouble != nil }) { throw ExitCode(1) }
    }

    private struct Trial {
        let sink: NoticeSink
        let app: AppIdentifier
        let task: TaskIdentifier?
        var of: [String]
        var tasks: Int
    }

    private struct Result: Encodable {
        let sink: String
        let of: [String]
        /// How many of them are tasks.
        let taskCount: Int
        let delivered: Bool
        let trouble: String?

        /// The name if there is one, else how many.
        var users: String {
            if of.count == 1 { return of[0] }
            return taskCount == 0 ? "\(of.count) apps" : Phrase.count(taskCount, "task")
        }
    }

    /// Each sink once, with all apps and tasks that use it.
    private func trials(of manifest: Manifest) throws -> [Trial] {
        var trials: [Trial] = []
        func add(_ sinks: [NoticeSink], _ app: AppIdentifier, _ task: TaskIdentifier?) {
            for sink in sinks {
                let subject = task?.text ?? app.text
                if let place = trials.firstIndex(where: { $0.sink.target == sink.target }) {
                    trials[place].of.append(subject)
                    trials[place].tasks += task == nil ? 0 : 1
                } else {
                    trials.append(
                        Trial(sink: sink, app: app, task: task, of: [subject], tasks: task == nil ? 0 : 1))
                }
            }
        }
        var isKnown = name == nil
        for app in manifest.apps {
            let isApp = name == nil || name == app.identifier.text
            if isApp { add(app.notify, app.identifier, nil) }
            for task in app.tasks where isApp || name == task.identifier.text {
                isKnown = true
                add(task.notify, app.identifier, task.identifier)
            }
            isKnown = isKnown || isApp
        }
        guard isKnown, trials.allSatisfy({ !$0.of.isEmpty }) else {
            throw Failure(
                "\(manifest.path) lists no app and no task '\(name ?? "")'. `lull status` shows what it lists."
            )
        }
        return trials
    }

    /// One after another, so that their output can be told apart.
    private func send(_ trials: [Trial]) throws -> [Result] {
        let loop = try EventLoop()
        let post = try Post(loop: loop, desktop: StateOptions.desktopProgram)
        var results: [Result] = []
        func next() {
            guard results.count < trials.count else { return loop.stop() }
            let trial = trials[results.count]
            let notice = Notice(
                id: 0, kind: trial.sink.on.min() ?? .failed, sink: trial.sink.name, app: trial.app,
                task: trial.task, run: nil, time: Clock.wall,
                reason: "this is a test: nothing has happened")
            let message = NoticeMessage(notice, host: Host.name, isTest: true)
            post.send(message, to: trial.sink.target) { trouble in
                results.append(
                    Result(
                        sink: trial.sink.name, of: trial.of, taskCount: trial.tasks,
                        delivered: trouble == nil, trouble: trouble))
                next()
            }
        }
        next()
        loop.run()
        return results
    }
}
