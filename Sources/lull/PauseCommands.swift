import ArgumentParser
import Glibc
import LullControl
import LullHost
import LullModel

/// What is paused, disabled or let go on: a task, an app, or everything.
struct ScopeArgument: ParsableArguments {
    @Argument(help: "The task or app, by its identifier or, where only one is called that, its last word.")
    var name: TaskOrAppName?
    @Flag(help: "Every task of the host.") var all = false

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

struct PauseCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Launch nothing of a task, an app or all, for a while.",
        discussion: """
            What runs goes on to its end, and what is asked for waits. A pause ends by itself after --for or --until, \
            else by `lull resume`, and lasts through restarts. Times of `at` that come meanwhile follow `missed`, as \
            when the host was off. `lull launch` launches all the same.

            `lull disable` also ends what runs and refuses what is submitted; `quiet` in the manifest is for maintenance \
            at the same time each week.

            Examples:
              lull pause nightly --for 2h
              lull pause com.example.Backup --until "2026-12-24 08:00"
              lull pause --all --for 30m --reason "new disk"
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var argument: ScopeArgument
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For this long, such as 30m, 2h, 1d.", valueName: "span"))
    var span: TimeArgument?
    @Option(help: ArgumentHelp("Until this time: \(TimeArgument.forms).", valueName: "time"))
    var until: TimeArgument?
    @Option(help: ArgumentHelp("Why; `lull why` and the history say it.", valueName: "text"))
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func validate() throws {
        if span != nil, until != nil { throw ValidationError("--for and --until say the same: give one.") }
        if let span, !span.isSpan {
            throw ValidationError("--for takes a span such as 2h; --until takes a time.")
        }
    }

    func run() throws {
        let end = (span ?? until)?.time(ahead: true)
        let why = reason.map { ": \($0.prefix(500))" } ?? ""
        try tell(
            .pause(try argument.scope(self), until: end, reason: "by \(Self.user)\(why)"), json: json)
    }

    /// Who asks, as far as the system knows.
    static var user: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else {
            return "user \(geteuid())"
        }
        return String(cString: name)
    }
}

struct ResumeCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let go on what `lull pause` holds back.",
        discussion: """
            With --all whatever is paused goes on. What came due meanwhile is launched as its gates allow.

            Examples:
              lull resume nightly
              lull resume --all
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var argument: ScopeArgument
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(.resume(try argument.scope(self)), json: json) }
}

struct EnableCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Let a task or app be launched again after `lull disable`.",
        discussion: """
            Examples:
              lull enable com.example.ColorFeed
              lull enable nightly
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The task or app, by its identifier or, where only one is called that, its last word.")
    var name: TaskOrAppName
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(enabling(name, true), json: json) }
}

struct DisableCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Launch nothing of a task or app until `lull enable`; what runs is told to end.",
        discussion: """
            It holds across restarts, its requests wait, and what is submitted is refused. `lull pause` lets what runs \
            go on, and may end by itself. `enabled: false` in the manifest does the same as this for good.

            Examples:
              lull disable com.example.ColorFeed
              lull disable nightly
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The task or app, by its identifier or, where only one is called that, its last word.")
    var name: TaskOrAppName
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(enabling(name, false), json: json) }
}

extension Asking {
    fileprivate func enabling(_ name: TaskOrAppName, _ isEnabled: Bool) throws -> ControlRequest {
        let report = try status()
        switch try NameResolver(report).taskOrApp(name.text) {
        case .app(let app): return .enable(app, isEnabled)
        case .task(let task):
            guard let app = report.tasks.first(where: { $0.task == task })?.app else {
                throw Failure("No task or app is called \(name.text). `lull status` lists what there is.")
            }
            return .enable(app, isEnabled, task: task)
        }
    }
}
