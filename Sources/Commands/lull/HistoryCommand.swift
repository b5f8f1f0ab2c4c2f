import ArgumentParser
import Foundation
import LullAnswers
import LullCommands
import LullHistory
import LullHost
import LullModel

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the runs, or everything that happened.",
        discussion: """
            `lull history` alone is `lull history show`; `lull help history show` lists its options.

            Examples:
              lull history --task com.example.ColorFeed.refresh --since 2d
              lull history --failed --since yesterday
              lull history --grep "connection refused"
              lull history 17
              lull history --events --since 1h
              lull history --export > history.jsonl
              lull history import history.jsonl
            """,
        subcommands: [HistoryShow.self, HistoryImport.self], defaultSubcommand: HistoryShow.self)
}

struct HistoryShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the runs, the newest last, or everything about one of them.",
        usage: "lull history [show] [<options>] [<run>]",
        discussion: """
            Prints a line for each run: its task, who asked for it, when it began, how it ended, how long it \
            took and the last line that it printed. With --events, or --event NAME, it prints a line for each \
            recorded event: uses, requests, what held them back, runs, notices. --json prints events; --export \
            adds the output of runs.

            Examples:
              lull history --limit 10
              lull history --app com.example.ColorFeed --events --since 2d
              lull history 17
              lull history 17 --against 12
              lull history --fleet --failed --since 1d
              lull history 17 --fleet --host b12
            """)

    @Argument(
        help: ArgumentHelp(
            "A run's number: show its events, why it was launched, what it printed, and what has changed since the last success.",
            valueName: "run"),
        transform: Self.number)
    var one: UInt64?
    @OptionGroup var options: StateOptions
    @Option(
        help: ArgumentHelp(
            "Only this app, such as com.example.ColorFeed; `host` is the host itself.",
            valueName: "app"))
    var app: AppName?
    @Option(help: "Only this task, such as com.example.ColorFeed.refresh.") var task: TaskName?
    @Option(
        name: .customLong("run"),
        help: ArgumentHelp("The same as the number as an argument.", valueName: "number"))
    var option: UInt64?
    @Option(
        help: ArgumentHelp("With a run: show what differs between it and this one.", valueName: "run"))
    var against: UInt64?
    @Option(
        help: ArgumentHelp(
            "Only runs whose task, outcome, reason or output contains this text, in any case; shows the last such line.",
            valueName: "text"))
    var grep: String?
    @Option(
        help: ArgumentHelp("Only events of this name; may be given more than once.", valueName: "name"))
    var event: [HistoryEvent.Name] = []
    @Flag(help: "Show events instead of runs.") var events = false
    @Flag(help: "Only runs that failed or were interrupted.") var failed = false
    @Option(
        help: ArgumentHelp("Only from this time on: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeArgument.told)
    var since: TimeArgument?
    @Option(
        help: ArgumentHelp(
            "Show at most this many, the newest. Default 50; 0 shows all.", valueName: "count"))
    var limit: Int?
    @Flag(
        help:
            "Show what each task did on each day (UTC), even if `retention` has deleted the events. Default the last 30 days, or from --since on."
    )
    var days = false
    @Flag(
        help:
            "Print events as JSON Lines, which `lull history import` reads; all of them unless --limit is given. The output of runs is not included."
    )
    var json = false
    @Flag(help: "As --json, and with the kept output of each run in the event that ends the run.")
    var export = false
    @OptionGroup var fleet: FleetFlag
    @Option(
        help: ArgumentHelp(
            "With --fleet: only this host, by its name or place; may be given more than once.",
            valueName: "host"))
    var host: [String] = []

    func validate() throws {
        guard fleet.fleet || host.isEmpty else {
            throw ValidationError("--host goes with --fleet, as in `lull history --fleet --host b12`")
        }
        guard !fleet.fleet || (!days && against == nil) else {
            throw ValidationError("--fleet can't be combined with --days or --against")
        }
        if let one, let option, one != option {
            throw ValidationError("write one run: \(one), or --run \(option)")
        }
        guard !export || (number == nil && !days && !fleet.fleet) else {
            throw ValidationError("--export can't be combined with a run, --days or --fleet")
        }
        if let grep {
            guard number == nil, event.isEmpty, !events, !days, !isForPrograms, !fleet.fleet else {
                throw ValidationError(
                    "--grep searches the runs of one host: leave out the run, --event, --events, --days, --json, --export and --fleet"
                )
            }
            guard app.map({ AppIdentifier(recorded: $0.text) }) != .host else {
                throw ValidationError("--grep searches runs, and the host has none: leave out --app host")
            }
            guard !grep.isEmpty, grep.count <= RunQuery.mostText else {
                throw ValidationError("--grep takes a text of 1 to \(RunQuery.mostText) characters")
            }
        }
        guard !days || number == nil else {
            throw ValidationError("--days shows tasks, not a run: leave out one of them")
        }
        guard against == nil || number != nil else {
            throw ValidationError("--against goes with a run, as in `lull history 17 --against 12`")
        }
    }

    var number: UInt64? { one ?? option }

    /// A task's name is an error that says which option takes it.
    static func number(_ text: String) throws -> UInt64 {
        if let number = UInt64(text) { return number }
        let name = TaskName(argument: text) == nil ? "TASK" : text
        throw Failure("write a run's number, or `lull history --task \(name)` for the runs of a task")
    }

    func run() throws {
        guard !fleet.fleet else { return try showFleet() }
        do {
            let folder = try options.checkedFolder().path
            if let sentence = SQLiteHistory.missingWAL(folder: folder) { Output.error(sentence) }
            let history = try SQLiteHistory.open(folder: folder, mode: .readOnly)
            if let found = try? history.lastFinding(), Phrases.current.now - found.time < .days(30),
                let sentence = found.sentence
            {
                Output.error(sentence)
            }
            if let number { return try show(run: RunID(number), history) }
            let count = limit ?? (isForPrograms ? 0 : Self.usual)
            let folderOfState = options.folder
            let manifest = folderOfState.manifestInForce ?? options.read(nil).manifest
            var names = NameResolver(manifest ?? Manifest())
            names.past = { PastTask.names(in: folderOfState) }
            let named = try task.map { try names.task($0.text) }
            if days {
                let since = since?.time(ahead: false) ?? Phrases.current.now - .days(30)
                return try HistoryDays(history.days(of: named, since: since)).show(asJSON: json)
            }
            let app = try app.map {
                AppIdentifier(recorded: $0.text) == .host ? .host : try names.app($0.text)
            }
            if showsEvents(of: app) {
                try showEvents(of: app, named, count, history)
            } else {
                try showRuns(of: app, named, count, history)
            }
            if !isForPrograms, let named, let manifest,
                let past = PastTask.find(
                    named, in: folderOfState, permitted: { manifest.app(of: $0) != nil })
            {
                Output.error("note: " + past.sentence(.current))
            }
        } catch let error as HistoryError {
            if case .missing = error {
                let sentence = "Nothing has been recorded in \(options.folder.path) yet."
                // Programs read standard output: no line there is no event.
                return isForPrograms ? Output.error(sentence) : Output.answer(sentence)
            }
            throw Failure(error.message + "\n" + error.fix)
        }
    }

    /// Programs read events; so do people who ask for one kind of event or for the host's, which have no runs.
    func showsEvents(of app: AppIdentifier?) -> Bool {
        isForPrograms || events || !event.isEmpty || app == .host
    }

    private var isForPrograms: Bool { json || export }

    private func showEvents(
        of app: AppIdentifier?, _ task: TaskIdentifier?, _ count: Int, _ history: SQLiteHistory
    ) throws {
        let query = HistoryQuery(
            app: app, task: task, names: Set(event + (failed ? [.failed, .interrupted] : [])),
            since: since?.time(ahead: false),
            order: count == 0 ? .oldestFirst : .newestFirst, limit: count == 0 ? nil : count + 1)
        // A run that was cut short through no fault of its task has not failed.
        let asksFailures = failed && event.isEmpty
        var events =
            asksFailures
            ? try history.newestFailures(matching: query, most: count == 0 ? .max : count + 1)
            : try history.events(matching: query)
        let isCut = count != 0 && events.count > count
        if count != 0 { events = Array(events.prefix(count)) }
        if count != 0 || asksFailures { events.reverse() }
        if isForPrograms {
            return try print(events, of: history)
        }
        guard !events.isEmpty else { return Output.answer("No event matches.") }
        Output.answer(styled: EventTable(events: events, phrases: .current).rendered(for: .output))
        if isCut { noteCut("events") }
    }

    /// An output that can't be read is left out and reported, so that the events behind it are not missing.
    private func print(_ events: [HistoryEvent], of history: SQLiteHistory) throws {
        var unread: [String] = []
        for event in events {
            var output: RunOutput?
            if export, event.ending != nil, let run = event.run {
                do throws(HistoryError) {
                    output = try history.output(of: run)
                } catch {
                    unread.append("What run \(run) printed is left out. " + error.message)
                }
            }
            Output.data(HistoryLines.encode(event, with: output))
        }
        guard unread.isEmpty else { throw Failure(unread.joined(separator: "\n")) }
    }

    private func showRuns(
        of app: AppIdentifier?, _ task: TaskIdentifier?, _ count: Int, _ history: SQLiteHistory
    ) throws {
        var query = RunQuery(
            app: app, task: task, ending: failed ? .failed : nil, text: grep ?? "",
            since: since?.time(ahead: false), showsPrinted: true)
        query.isHostGone = !options.isHostRunning
        let runs = try RunLines(query, most: count == 0 ? nil : count, in: history)
        guard !runs.isEmpty else {
            return Output.answer(
                options.remedy("No run matches. `lull history --events` shows all that happened."))
        }
        Output.answer(styled: runs.rendered(for: .output, .current))
        if runs.isCut { noteCut("runs") }
    }

    /// A user who gave `--limit` knows that there may be more.
    func noteCut(_ what: String) {
        guard limit == nil else { return }
        Output.error(
            "note: these are the newest \(Self.usual); older \(what) are left out. `--limit 0` shows all.")
    }

    /// The number that people see unless they give another.
    static let usual = 50

    private func show(run: RunID, _ history: SQLiteHistory) throws {
        let account = try account(of: run, history)
        var other = try against.map { try self.account(of: RunID($0), history) }
        if other == nil, account.end?.outcome?.isSuccess == false {
            other = try account.lastGood(in: history)
        }
        guard !json else {
            return try Output.json(RunAccountJSON(account, against: other, runs: runs(account)))
        }
        Output.answer(styled: EventTable(events: account.events, phrases: .current).rendered(for: .output))
        Output.answer("\n" + account.text(against: other, runs: runs(account), phrases: .current))
    }

    private func runs(_ account: RunAccount) -> WhatRuns? {
        account.task.flatMap { WhatRuns(of: $0, options, manifest: nil) }
    }

    private func account(of run: RunID, _ history: SQLiteHistory) throws -> RunAccount {
        guard var account = try RunAccount(run, in: history) else {
            throw Failure("There is no run \(run) in the history.")
        }
        account.lookAtHost(options.folder.path)
        return account
    }
}

extension HistoryEvent.Name: ExpressibleByArgument {}
