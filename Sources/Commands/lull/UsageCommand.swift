import ArgumentParser
import Foundation
import LullCommands
import LullHistory
import LullHost
import LullModel
import LullSystem
import LullUsage

struct UsageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Learn past uses from logs, tables and Git histories.",
        discussion: """
            `usage:` in the manifest follows logs from now on; `lull usage import` imports past uses.

            Example:
              lull usage import com.example.Feed access.log --match 'GET /feed'
            """,
        subcommands: [UsageImportCommand.self])
}

struct UsageImportCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import past uses of an app, so that the forecast knows them from the start.",
        usage: "lull usage import [<options>] [<app>] [<file>]",
        discussion: """
            Reads a log (in the common log format of Apache and nginx, or as --time says), JSON Lines, CSV, \
            each also compressed with gzip, or the history of a Git repository. Lull keeps only the time of \
            each line.

            Uses less than 30 min apart count as one, as with logs that Lull follows, so a second import adds \
            nothing. It names wrong lines, and imports the others unless --strict is given.

            Without APP the file must name the apps, in a column `app`. Without FILE it reads standard input.

            Examples:
              lull usage import com.example.Feed access.log.1 --match 'GET /feed'
              zcat access.log.*.gz | lull usage import com.example.Feed -
              lull usage import com.example.Notes events.jsonl --field opened_at
              lull usage import com.example.Till sales.csv --time '%d.%m.%Y %H:%M'
              lull usage import com.example.Editor ~/src/notes --author kim
              lull usage import usage.csv.gz --prefix com.example --dry-run
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(
        help: "The app, such as com.example.ColorFeed; left out where the file names its apps.",
        completion: AppName.defaultCompletionKind)
    var app: String?
    @Argument(help: "The file, the folder of a Git repository, or `-`: standard input.") var file: String?
    @Option(help: ArgumentHelp("The file's format; auto: detected.", valueName: "format"))
    var format = ImportFormat.auto
    @Option(
        help: ArgumentHelp("Only lines that match this POSIX extended regular expression.", valueName: "ere"))
    var match: String?
    @Option(
        help: ArgumentHelp(
            "How the time is written: common, rfc3339, unix, unix_ms, or a format of strptime.",
            valueName: "format"))
    var time: ImportTime = .automatic
    @Option(help: ArgumentHelp("CSV: the column with the time, by name or number.", valueName: "name|n"))
    var column: String?
    @Option(
        help: ArgumentHelp("JSON Lines: the field with the time; a.b is b within a.", valueName: "name"))
    var field: String?
    @Option(help: ArgumentHelp("Git: only commits of this author, as in git log.", valueName: "pattern"))
    var author: String?
    @Option(
        help: ArgumentHelp("Only from this time on: \(TimeArgument.forms).", valueName: "time"),
        transform: TimeArgument.told)
    var since: TimeArgument?
    @Option(
        help: ArgumentHelp(
            "The zone of times without an offset, such as Europe/Berlin; else the host's.", valueName: "name")
    )
    var zone: String?
    @Option(
        help: ArgumentHelp(
            "Put before the names in a column `app`: com.example turns app7 into com.example.app7.",
            valueName: "name"))
    var prefix: String?
    @Flag(help: "Import nothing if a line is wrong.") var strict = false
    @Flag(help: "Read and judge the file, and change nothing.") var dryRun = false
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let (app, file) = try target()
        let read = try self.read(file, of: app)
        try checkOptions(for: read.format)
        show(read)
        if strict, read.refused > 0 { throw Failure("Nothing was imported: --strict allows no wrong line.") }
        let before = try status(isBrief: true)
        warn(of: Set(read.apps.keys).union(app.map { [$0] } ?? []).sorted(), before)
        var summary = UsageSummary(read, isDryRun: dryRun)
        let events = try plan(read, &summary)
        if !events.isEmpty, !dryRun { summary.imported = try importEvents(events).added }
        let after = dryRun || events.isEmpty ? before : try status(isBrief: true)
        summary.judge(before: before, after: after)
        json ? try Output.json(summary.json) : Output.answer(summary.text(Phrases.current))
        // A file without a single right line is probably the wrong file.
        if read.refused > 0, read.apps.isEmpty { throw ExitCode(1) }
    }

    /// Refuses an option that has no meaning for this kind of file: it was meant for another.
    private func checkOptions(for format: ImportFormat) throws {
        guard format != .auto else { return }
        let isGit = format == .git
        for (option, isGiven, isMeant) in [
            ("--column", column != nil, format == .csv), ("--prefix", prefix != nil, format == .csv),
            ("--field", field != nil, format == .jsonl), ("--author", author != nil, isGit),
            ("--match", match != nil, !isGit), ("--time", time != .automatic, !isGit),
            ("--zone", zone != nil, !isGit),
        ] where isGiven && !isMeant {
            throw ValidationError(
                "\(option) does not apply to \(format.words). Leave it out, or give --format.")
        }
    }

    /// Names the faulty lines, and says once what to do about each kind.
    private func show(_ read: UsageImport) {
        var said: Set<String> = []
        for problem in read.problems {
            let isNew = said.insert(problem.fix).inserted
            Output.error(isNew ? problem.description : problem.sentence)
        }
        if read.refused > read.problems.count {
            Output.error("… and \(read.refused - read.problems.count) more.")
        }
    }

    /// Finds the app and the file. A lone word is a file if there is one, or if it can't be an app.
    private func target() throws -> (AppIdentifier?, String) {
        let input = format == .git ? "." : "-"
        guard let first = app else { return (nil, input) }
        if file == nil, first == "-" || FileManager.default.fileExists(atPath: first) { return (nil, first) }
        guard let app = AppIdentifier(first) else {
            throw ValidationError(
                "'\(first)' is neither a file nor an app: an identifier is a reverse-DNS name like "
                    + "com.example.ColorFeed.")
        }
        if file == nil, input == "-", isatty(STDIN_FILENO) != 0 {
            throw ValidationError("Name the file: lull usage import \(first) FILE")
        }
        return (app, file ?? input)
    }

    private func read(_ file: String, of app: AppIdentifier?) throws -> UsageImport {
        let now = Clock.wall
        var options = ImportOptions(app: app, now: now)
        options.format = format
        options.match = match
        options.time = time
        options.column = column
        options.field = field
        options.author = author
        options.prefix = prefix
        options.since = since?.time(ahead: false) ?? .distantPast
        let zones = ZoneLoader.load(zone.map { [$0] } ?? [], around: now)
        if let zone, zones.named[zone] == nil {
            throw ValidationError("No time zone is named '\(zone)'. Write one such as Europe/Berlin or UTC.")
        }
        options.zone = zones[zone]
        do {
            return try UsageImport.read(file, options: options)
        } catch {
            throw Failure(error.message + "\n" + error.fix)
        }
    }

    /// Warns of an app that is not in the manifest: most likely a typing error.
    private func warn(of apps: [AppIdentifier], _ report: StatusReport) {
        let listed = Set(report.apps.map(\.app))
        let missing = apps.filter { !listed.contains($0) }
        guard let first = missing.first else { return }
        let path = options.displayed(options.manifestPath(options.manifestOfState(manifest)))
        let manifest = Manifest(
            path: path, apps: report.apps.map { App(identifier: $0.app, plugin: $0.app.text) })
        let sentence =
            missing.count == 1
            ? Sentences.unknownApp(first, manifest) + " Its uses count once it is listed there."
            : "\(missing.count) apps are not in \(path), such as \(first). Their uses count once they are."
        Output.error("warning: " + sentence)
    }

    /// The events that are new to the history, the earliest first.
    private func plan(_ read: UsageImport, _ summary: inout UsageSummary) throws -> [HistoryEvent] {
        let folder = try options.checkedFolder().path
        let history: SQLiteHistory?
        do throws(HistoryError) {
            history = try SQLiteHistory.open(folder: folder, mode: .readOnly)
        } catch {
            guard case .missing = error else { throw Failure(error.message + "\n" + error.fix) }
            history = nil
        }
        var events: [HistoryEvent] = []
        for (app, uses) in read.apps {
            let query = HistoryQuery(app: app, names: [.used])
            let recorded: [WallTime]
            do throws(HistoryError) {
                recorded = try history?.events(matching: query).map(\.time) ?? []
            } catch {
                throw Failure(error.message + "\n" + error.fix)
            }
            let new = uses.times.sessions(beside: recorded)
            summary.add(app, sessions: uses.times.sessions(), new: new.count)
            events += new.map { HistoryEvent(.used, at: $0, app: app) }
        }
        return events.sorted { ($0.time, $0.app) < ($1.time, $1.app) }
    }
}

extension ImportFormat: ExpressibleByArgument {}

extension ImportTime: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
    public var defaultValueDescription: String { "auto" }
}
