import ArgumentParser
import Glibc
import LullCommands
import LullControl
import LullHost
import LullModel

/// The scope of a command such as `pause` or `disable`: a task, an app, or everything.
struct ScopeArgument: ParsableArguments {
    @Argument(help: "The task or app, in full or by its last word where that is unique.")
    var name: TaskOrAppName?
    @Flag(help: "All tasks of the host.") var all = false

    func validate() throws {
        guard (name == nil) == all else {
            throw ValidationError("Name a task or an app, or write --all.")
        }
    }

    func scope(_ command: some Asking) throws -> Pause.Scope {
        guard let name else { return .all }
        return try command.taskOrApp(name).scope
    }
}

/// When a pause or a drain ends by itself. Without either option a person has to end it.
struct EndOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For this long, such as 30m, 2h, 1d.", valueName: "span"),
        transform: TimeArgument.told)
    var span: TimeArgument?
    @Option(
        help: ArgumentHelp("Until this time: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeArgument.told)
    var until: TimeArgument?

    func validate() throws {
        if span != nil, until != nil { throw ValidationError("--for and --until say the same: give one.") }
        if let span, !span.isSpan {
            throw ValidationError("--for takes a span such as 2h; --until takes a time.")
        }
    }

    var argument: TimeArgument? { span ?? until }
}

struct PauseCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Do not launch a task, an app or anything for a while.",
        usage: "lull pause [<options>] (<name> | --all)",
        discussion: """
            Current runs go on to their end; requests wait. The pause ends after --for, at --until, or with \
            `lull resume`, and holds across restarts. Times of `at` during the pause follow `missed`, as if \
            the host had been off. `lull launch` still launches.

            `lull disable` also ends current runs and refuses new requests. `quiet` in the manifest is for \
            maintenance at the same time each week.

            Examples:
              lull pause nightly --for 2h
              lull pause com.example.Backup --until 18:00
              lull pause com.example.Backup --until "2026-12-24 08:00"
              lull pause --all --for 30m --reason "new disk"
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var argument: ScopeArgument
    @OptionGroup var end: EndOptions
    @Option(help: ArgumentHelp("The reason, which `lull why` and the history show.", valueName: "text"))
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        try tell(
            Ask.Pause(
                try argument.scope(self), until: end.argument?.time(ahead: true),
                reason: reason.map { String($0.prefix(500)) }), json: json)
    }
}

struct ResumeCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "End a pause, so that Lull launches tasks again.",
        usage: "lull resume [<options>] (<name> | --all)",
        discussion: """
            --all ends every pause. Lull then launches the tasks that became due, once their gates are open.

            Examples:
              lull resume nightly
              lull resume --all
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var argument: ScopeArgument
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(Ask.Resume(try argument.scope(self)), json: json) }
}

struct EnableCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Allow a task or app again after `lull disable`.",
        usage: "lull enable [<options>] <name>",
        discussion: """
            Examples:
              lull enable com.example.ColorFeed
              lull enable nightly
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The task or app, in full or by its last word where that is unique.")
    var name: TaskOrAppName
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(enabling(name, true), json: json) }
}

struct DisableCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Stop a task or app until `lull enable`.",
        usage: "lull disable [<options>] <name>",
        discussion: """
            Lull tells current runs to end, lets requests wait, and refuses new ones. This holds across \
            restarts. `lull pause` lets runs finish, and can end by itself. `enabled: false` in the manifest \
            does the same for good.

            Examples:
              lull disable com.example.ColorFeed
              lull disable nightly
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The task or app, in full or by its last word where that is unique.")
    var name: TaskOrAppName
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(enabling(name, false), json: json) }
}

extension Asking {
    fileprivate func enabling(_ name: TaskOrAppName, _ isEnabled: Bool) throws -> Ask.Enable {
        switch try taskOrApp(name) {
        case .app(let app): return Ask.Enable(app, isEnabled)
        case .task(let task):
            let report = try status(of: .task(task), isBrief: true)
            guard let app = report.tasks.first(where: { $0.task == task })?.app else {
                throw Failure("No task or app is called \(name.text). `lull status` lists what there is.")
            }
            return Ask.Enable(app, isEnabled, task: task)
        }
    }
}
