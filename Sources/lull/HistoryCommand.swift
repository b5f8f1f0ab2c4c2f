import ArgumentParser
import Foundation
import LullHistory
import LullHost
import LullModel

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what happened: uses, requests, runs and what held them back.",
        discussion: """
            `lull history` alone is `lull history show`; `lull help history show` lists its options.

            Examples:
              lull history --task com.example.ColorFeed.refresh --since 2d
              lull history --event failed --event interrupted
              lull history 17
              lull history --json > backup.jsonl
              lull history import backup.jsonl
            """,
        subcommands: [HistoryShow.self, HistoryImport.self], defaultSubcommand: HistoryShow.self)
}

struct HistoryShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show events, the newest last; or all about one run.",
        usage: "lull history [show] [<options>] [<run>]",
        discussion: """
            Examples:
              lull history --limit 10
              lull history --app com.example.ColorFeed --since 2d
              lull history 17
              lull history 17 --against 12
            """)

    @Argument(
        help: ArgumentHelp(
            "A run's number: show its events, why it was launched, what it printed, and what has changed since the last success.",
            valueName: "run"))
    var one: UInt64?
    @OptionGroup var options: StateOptions
    @Option(
        help: ArgumentHelp(
            "Only this app, such as com.example.ColorFeed; `host` is the host itself.",
            valueName: "app"))
    var app: AppName?
    @Option(help: "Only this task, such as com.example.ColorFeed.refresh.") var task: TaskName?
    @Option(
        name: .customLong("run"), help: ArgumentHelp("The same as the number alone.", valueName: "number"))
    var option: UInt64?
    @Option(
        help: ArgumentHelp("With a run: show what differs between it and this one.", valueName: "run"))
    var against: UInt64?
    @Option(
        help: ArgumentHelp("Only events of this name; may be given more than once.", valueName: "name"))
    var event: [HistoryEvent.Name] = []
    @Option(
        help: ArgumentHelp("Only from this time on: \(TimeArgument.forms).", valueName: "time"))
    var since: TimeArgument?
    @Option(help: ArgumentHelp("Show at most this many, the newest; 0 shows all.", valueName: "count"))
    var limit: Int?
    @Flag(help: "Print JSON Lines, as `lull history import` reads them; all events unless --limit is given.")
    var json = false

    func validate() throws {
        if let one, let option, one != option {
            throw ValidationError("write one run: \(one), or --run \(option)")
        }
        guard against == nil || number != nil else {
            throw ValidationError("--against goes with a run, as in `lull history 17 --against 12`")
        }
    }

    private var number: UInt64? { one ?? option }

    func run() throws {
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
            let count = limit ?? (json ? 0 : 50)
            let names = NameResolver(options.read(nil).manifest ?? Manifest())
            let query = HistoryQuery(
                app: try app.map {
                    AppIdentifier(recorded: $0.text) == .host ? .host : try names.app($0.text)
                },
                task: try task.map { try names.task($0.text) }, names: Set(event),
                since: since?.time(ahead: false),
                order: count == 0 ? .oldestFirst : .newestFirst, limit: count == 0 ? nil : count)
            var events = try history.events(matching: query)
            if count != 0 { events.reverse() }
            if json {
                guard !events.isEmpty else { return }
                Output.data(events.map { HistoryLines.encode($0) }.joined(separator: "\n"))
            } else {
                show(events)
            }
        } catch let error as HistoryError {
            if case .missing = error {
                let sentence = "Nothing has been recorded in \(options.folder.path) yet."
                // Programs read standard output: no line there is no event.
                return json ? Output.error(sentence) : Output.answer(sentence)
            }
            throw Failure(error.message + "\n" + error.fix)
        }
    }

    private func show(_ events: [HistoryEvent]) {
        guard !events.isEmpty else { return Output.answer("No event matches.") }
        let phrases = Phrases.current
        var table = Table(header: ["TIME", "EVENT", "OF", "RUN", "DETAILS"])
        for event in events {
            table.rows.append([
                .init(phrases.time(event.time)), .init(event.event.rawValue, style(of: event)),
                .init(event.task?.text ?? event.app.text), .init(event.run?.description ?? ""),
                .init(details(of: event)),
            ])
        }
        Output.answer(styled: table.rendered(for: .output))
    }

    private func style(of event: HistoryEvent) -> Terminal.Style? {
        switch event.event {
        case .completed: .green
        case .failed, .interrupted, .violation: .red
        case .expired, .idleSoon, .idled, .refused: .yellow
        case .notified where event.notice?.state == .failed || event.notice?.state == .givenUp: .red
        default: nil
        }
    }

    private func details(of event: HistoryEvent) -> String {
        var words: [String] = []
        if let outcome = event.outcome { words.append(outcome.rawValue) }
        // What is not of a run, and what is about its time limit, says its span in its reason.
        if let milliseconds = event.milliseconds, event.run != nil, event.event != .expired {
            words.append((words.isEmpty ? "" : "after ") + Phrases.span(.milliseconds(milliseconds)))
        }
        if let note = event.notice { words.append(Self.words(of: note)) }
        let head = words.joined(separator: " ")
        // Of a notice of a run the reason stands with the run's end, a line above.
        let isSaid = event.event == .notice && event.run != nil
        guard let reason = event.reason, !reason.isEmpty, !isSaid else { return head }
        return head.isEmpty ? reason : head + ": " + reason
    }

    private static func words(of note: NoticeNote) -> String {
        let covers = note.covers.map { " (of \($0))" } ?? ""
        return switch note.state {
        case .due: "\(note.kind.rawValue)\(covers), to \(note.sink)"
        case .held: "\(note.kind.rawValue), held for a summary to \(note.sink)"
        case .delivered: "\(note.sink) was told"
        case .failed: "\(note.sink) was not told, try \(note.attempt ?? 1)"
        case .givenUp: "\(note.sink) was not told, and is not any more"
        }
    }

    private func show(run: RunID, _ history: SQLiteHistory) throws {
        let account = try account(of: run, history)
        var other = try against.map { try self.account(of: RunID($0), history) }
        if other == nil, account.end?.outcome?.isSuccess == false {
            other = try account.lastGood(in: history)
        }
        guard !json else { return try Output.json(RunAccountJSON(account, against: other)) }
        show(account.events)
        Output.answer("\n" + account.text(against: other, phrases: .current))
    }

    private func account(of run: RunID, _ history: SQLiteHistory) throws -> RunAccount {
        guard let account = try RunAccount(run, in: history) else {
            throw Failure("There is no run \(run) in the history.")
        }
        return account
    }
}

struct HistoryImport: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import events from a file of JSON Lines.",
        usage: "lull history import [<options>] <file>",
        discussion: """
            Reads JSON Lines as `lull history --json` writes them, one event a line:
              {"time":"2026-11-21T08:00:00.000Z","event":"used","app":"com.example.App"}

            Each line that is wrong is reported; then nothing is imported. A use that the history already has is not \
            imported twice.
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "The file, or `-` for standard input.") var file: String
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let name = file == "-" ? "standard input" : file
        let text: Data
        if file == "-" {
            text = FileHandle.standardInput.readDataToEndOfFile()
        } else {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw Failure("Can't read \(file). Does it exist, and may this user read it?")
            }
            text = data
        }
        let events: [HistoryEvent]
        do {
            events = try HistoryLines.decode(file: text, path: name)
        } catch {
            throw Failure(error.message + "\n" + error.fix)
        }
        let (added, known) = try importEvents(events)
        let result = Result(imported: added, known: known)
        json ? try Output.json(result) : Output.answer(result.sentence)
    }

    private struct Result: Encodable {
        var imported: Int
        var known: Int

        var sentence: String {
            let added = "Imported \(imported) event\(imported == 1 ? "" : "s")"
            return known == 0
                ? added + "." : added + "; \(known) \(known == 1 ? "was" : "were") there already."
        }
    }
}

extension HistoryEvent.Name: ExpressibleByArgument {}
