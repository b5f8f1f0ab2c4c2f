import ArgumentParser
import LullCommands
import LullControl
import LullHost
import LullModel

struct PendingCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "List the requests that wait to be launched.",
        usage: "lull pending [<options>] [<name>]",
        discussion: """
            A request ends in one way: launched, replaced, merged, cancelled or given up; `lull history --events` \
            says which.

            Examples:
              lull pending
              lull pending com.example.ColorFeed --json
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "Only this app's, such as com.example.ColorFeed.") var name: AppName?
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let requests = try ask(Ask.Pending(try name.map(app)))
        if json { return try Output.json(requests.map(RequestJSON.init)) }
        guard !requests.isEmpty else { return Output.answer("No request is pending.") }
        let phrases = Phrases.current
        var table = Table(header: ["REQUEST", "TASK", "KIND", "MADE BY", "SUBMITTED", "NOT BEFORE"])
        for request in requests {
            table.rows.append([
                .init(request.id.description), .init(request.task.text), .init(request.kind.rawValue),
                .init(request.origin.rawValue), .init(phrases.time(request.submitted)),
                .init(
                    request.awaitsBoot
                        ? "the next boot"
                        : request.earliestBegin.map { "\(phrases.time($0)) (\(phrases.relative($0)))" }
                            ?? "at once"
                ),
            ])
        }
        Output.answer(styled: table.rendered(for: .output))
    }
}

struct SubmitCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "submit", abstract: "Ask for one launch of a task, once its gates are open.",
        usage: "lull submit [<options>] <name>",
        discussion: """
            The request waits for the task's constraints like any other; `lull launch` does not. It is extra: the \
            next time of `repeat` and `at` stays as it was, and the answer names it. If the request still waits \
            then, one launch serves both. With --instead it takes the place of the next time. It replaces a request \
            that an operator or the plugin made before.

            Examples:
              lull submit com.example.ColorFeed.refresh
              lull submit nightly --earliest 2h
              lull submit nightly --instead
              lull submit com.example.Backup.nightly --earliest "2026-12-24 03:00"
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: TaskName.help) var name: TaskName
    @Option(
        help: ArgumentHelp("Not before this time: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeArgument.told)
    var earliest: TimeArgument?
    @Flag(help: "Take the place of the next time of `repeat` or `at`.") var instead = false
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let request = Ask.Submit(
            try task(name), earliestBegin: earliest?.time(ahead: true), instead: instead)
        try tell(request, json: json)
    }
}

struct CancelCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a request that an operator or the plugin made.",
        usage: "lull cancel [<options>] <name>",
        discussion: """
            The next time of `repeat` or `at` stays, unless --next skips it too; the answer names it. Where nothing \
            else was asked for, the command is refused. A run that is under way goes on: `lull stop` ends it. \
            `lull pause` and `lull disable` keep a task from running at all.

            Examples:
              lull cancel com.example.Backup.nightly
              lull cancel nightly --next
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: TaskName.help) var name: TaskName
    @Flag(help: "Also skip the next time of `repeat` or `at`.") var next = false
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(Ask.Cancel(try task(name), next: next), json: json) }
}

struct StopCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End what runs of a task.",
        usage: "lull stop [<options>] <name>",
        discussion: """
            Each run is told to end, and killed when its grace is over. It ends as `stopped`: it is not tried again, and \
            nobody is notified of a failure. The next time of `repeat` and `at` stays, and the answer names it; \
            `lull pause` keeps the task from running then. Needs a running host.

            Example:
              lull stop nightly
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: TaskName.help) var name: TaskName
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(Ask.Expire(try task(name)), json: json) }
}

struct ExpireCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "expire", abstract: "Tell the running handler of a task that its time is up.",
        usage: "lull expire [<options>] <name>",
        discussion: """
            For those who write handlers: it does what Apple's _simulateExpirationForTaskWithIdentifier does, on any \
            host. For whoever runs the host it is the same as `lull stop`. Needs a running host.

            Example:
              lull expire com.example.Backup.nightly
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: TaskName.help) var name: TaskName
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(Ask.Expire(try task(name)), json: json) }
}

struct UsedCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "used", abstract: "Record that somebody used an app.",
        usage: "lull used [<options>] <name>",
        discussion: """
            The forecast learns from uses, and they keep an app from going idle. Call it from where a use shows: a \
            shell's prompt, a login script, a reverse proxy.

            Examples:
              lull used com.example.ColorFeed
              lull used com.example.ColorFeed --at 2h
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The app's identifier, such as com.example.ColorFeed.") var name: AppName
    @Option(
        help: ArgumentHelp("When it was: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeArgument.told)
    var at: TimeArgument?
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(Ask.Used(try app(name), at: at?.time(ahead: false)), json: json) }
}
