import ArgumentParser
import LullCommands
import LullControl
import LullHost
import LullModel

struct PendingCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "List the requests that wait for a launch.",
        usage: "lull pending [<options>] [<name>]",
        discussion: """
            Each request ends in one way: launched, replaced, merged, cancelled or given up. `lull history \
            --events` says which.

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
            let params = request.params.map { " " + TaskParam.words($0) } ?? ""
            table.rows.append([
                .init(request.id.description), .init(request.task.text + params),
                .init(request.kind.rawValue),
                .init(request.origin.rawValue), .init(phrases.time(request.submitted)),
                .init(
                    request.awaitsBoot
                        ? "the next boot"
                        : request.earliestBegin.map { "\(phrases.time($0)) (\(phrases.relative($0)))" }
                            ?? "when its gates open"
                ),
            ])
        }
        Output.answer(styled: table.rendered(for: .output))
    }
}

struct SubmitCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "submit", abstract: "Request one launch of a task, once its gates are open.",
        usage: "lull submit [<options>] <name>",
        discussion: """
            The request waits for the task's constraints like any other; `lull launch` does not. It is extra: \
            the next time of `repeat` and `at` stays as it was, and the answer names it. If the request still \
            waits at that time, one launch serves both. With --instead, the request replaces the next time. It \
            also replaces an earlier request of an operator or the plugin.

            --param gives the run a value for a parameter that the task declares in `params`. Such a request \
            serves nothing else: `repeat`, `at` and events launch the task with its defaults.

            Examples:
              lull submit com.example.ColorFeed.refresh
              lull submit nightly --earliest 2h
              lull submit nightly --instead
              lull submit report -p date=2026-11-30 --earliest 22:00
              lull submit com.example.Backup.nightly --earliest "2026-12-24 03:00"
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: TaskName.help) var name: TaskName
    @Option(
        help: ArgumentHelp("Not before this time: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeArgument.told)
    var earliest: TimeArgument?
    @OptionGroup var params: ParamOptions
    @Flag(help: "Take the place of the next time of `repeat` or `at`.") var instead = false
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let values = try params.values()
        let request = Ask.Submit(
            try task(name), earliestBegin: earliest?.time(ahead: true), instead: instead, params: values)
        try tell(request, json: json)
    }
}

struct CancelCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a request that an operator or the plugin made.",
        usage: "lull cancel [<options>] <name>",
        discussion: """
            The next time of `repeat` or `at` stays, and the answer names it; --next skips it too. If there is \
            no such request, the command is refused. A current run goes on: `lull stop` ends it. `lull pause` \
            and `lull disable` keep a task from running at all.

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
        commandName: "stop", abstract: "End the current runs of a task.",
        usage: "lull stop [<options>] <name>",
        discussion: """
            Lull tells each run to end, and kills it when its grace is over. The run ends as `stopped`: Lull \
            does not retry it, and notifies nobody of a failure. The next time of `repeat` and `at` stays, and \
            the answer names it; `lull pause` keeps the task from running then. Needs a running host.

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
            For authors of handlers: it does the same as Apple's _simulateExpirationForTaskWithIdentifier, on \
            any host. For operators it is the same as `lull stop`. Needs a running host.

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
            The forecast learns from uses, and uses keep an app from becoming idle. Call this command where \
            somebody uses the app: in a shell's prompt, a login script, a reverse proxy.

            Examples:
              lull used com.example.ColorFeed
              lull used com.example.ColorFeed --at 2h
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The app's identifier, such as com.example.ColorFeed.") var name: AppName
    @Option(
        help: ArgumentHelp("When it was used: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeArgument.told)
    var at: TimeArgument?
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws { try tell(Ask.Used(try app(name), at: at?.time(ahead: false)), json: json) }
}
