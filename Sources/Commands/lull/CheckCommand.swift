import ArgumentParser
import Glibc
import LullAnswers
import LullCommands
import LullHistory
import LullHost
import LullManifest
import LullModel
import LullSystem

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the manifest, and that each plugin registers what it permits.",
        usage: "lull check [<options>] [<file>]",
        discussion: """
            Reports every problem at once, as FILE:LINE:COLUMN with the line, a caret and the remedy, in the \
            order of the files. If several lines have the same problem, it shows it once, with the numbers of \
            the other lines. Then it starts each plugin in a worker of its own and compares what the plugin \
            registers with what the manifest permits. It launches and records nothing. With --no-plugins, it \
            only reads the plugins' files and runs no code in them.

            Settings are checked against the schema that the plugin's file declares. Programs and folders in them \
            that are missing on this machine are warnings. A line that its shell can't read (`sh -n`) is an error.

            With --host, it also checks whether this machine can run the manifest. A table lists what the machine \
            has and lacks, each lack with its remedy. A lack is an error only if the manifest needs the thing.

            Exits with 1 if there is an error, otherwise with 0, even if there are warnings. With --strict, a \
            warning counts as an error.

            Examples:
              lull check
              lull check --host /etc/lull
              lull check /etc/lull/jobs.yaml --no-plugins
              lull import crontab /etc/crontab | lull check -
            """)

    @OptionGroup var options: StateOptions
    @Argument(help: StateOptions.manifestHelp("The manifest", isInput: true)) var file: String?
    @Flag(help: "Do not start the plugins.") var noPlugins = false
    @Flag(help: "Say what this machine lacks to run it.") var host = false
    @Flag(help: "Exit with 1 for warnings too.") var strict = false
    @Flag(help: "Print JSON.") var json = false

    private var isInput: Bool { file == "-" }

    /// The manifest and the files that it was read from.
    private func read() -> (result: ManifestResult, files: any FileSystem) {
        guard isInput else { return (options.read(file), LocalFileSystem()) }
        let files = StandardInputFile()
        let reader = ManifestReader(pluginPath: options.pluginPath, fileSystem: files)
        return (reader.read(path: StandardInputFile.name), files)
    }

    private var path: String {
        isInput ? StandardInputFile.name : options.displayed(options.manifestPath(file))
    }

    func run() throws {
        if json { return try report() }
        options.noteManifest(file)
        let (result, files) = read()
        let notes = try notes(on: result, files)
        for text in NoteList(notes).rendered(for: .error) { Output.error(styled: text) }
        let count = NoteList.count(notes)
        let findings = findings(on: result)
        if let findings {
            let table = MachineFinding.table(findings).rendered(for: .output)
            Output.answer(styled: table)
        }
        guard !notes.contains(where: { $0.severity == .error }), let manifest = result.manifest else {
            let what =
                result.manifest == nil
                ? "A host refuses it as it is."
                : "A running host accepts this file, but the tasks with these errors will fail."
            Output.error("\(path): \(count). \(what)")
            throw ExitCode(1)
        }
        if fails(notes) {
            Output.error("\(path): \(count). A running host accepts this file; `--strict` does not.")
            throw ExitCode(1)
        }
        let lacking = (findings ?? []).filter { $0.severity == .error }.map(\.subject)
        guard lacking.isEmpty else {
            Output.error(
                "\(path) is right, but this machine can't run all of it: see \(Phrase.list(lacking)).")
            throw ExitCode(1)
        }
        let plugins = noPlugins ? "" : "; every plugin registers what is permitted"
        let verdict = "is right" + (count.isEmpty ? "" : ", with \(count)")
        Output.answer("\(manifest.path) \(verdict): \(Sentences.size(of: manifest))\(plugins).")
        if let fleet = FleetSentences.share(of: manifest) { Output.answer(fleet) }
        for hint in over(in: manifest) + hints(on: manifest) { Output.answer(hint) }
        let accounts = geteuid() == 0 ? manifest.apps.filter(\.hasOwnAccount).map(\.identifier.text) : []
        guard !accounts.isEmpty else { return }
        Output.answer(
            "These apps run under their own accounts, not as root: \(accounts.joined(separator: ", ")). "
                + "`user: NAME` runs an app as that user, `user: host` as root.")
    }

    /// Tasks whose days are all over: most likely a day has last year's number.
    private func over(in manifest: Manifest) -> [String] {
        let now = Clock.wall
        let zones = ZoneLoader.load(manifest.zoneNames, around: now)
        return manifest.apps.filter(\.enabled).flatMap(\.tasks).filter { task in
            let today = (now.seconds + Int64(zones[task.timezone].offset(at: now))) / 86_400
            return task.enabled && task.days?.isOver(on: Int(today)) == true
        }.map { "Hint: \($0.identifier): all its days are over, so nothing starts it by itself any more." }
    }

    /// Hints from past runs, for a few tasks; `lull why` gives that of each task.
    private func hints(on manifest: Manifest) -> [String] {
        guard let history = try? SQLiteHistory.open(folder: options.folder.path, mode: .readOnly)
        else { return [] }
        let found = manifest.tasks.lazy.filter(\.enabled).compactMap { try? BetterTool(of: $0, in: history) }
        let shown = found.prefix(4).map { $0 }
        return shown.prefix(3).map { "Hint: \($0.task): \($0.sentence)." }
            + (shown.count > 3 ? ["There are more hints: `lull why TASK` shows each task's."] : [])
    }

    /// Whether the machine has what the manifest needs; nil: `--host` was not given, or the needs are not known.
    private func findings(on result: ManifestResult) -> [MachineFinding]? {
        guard host, let manifest = result.manifest ?? result.draft,
            result.manifest != nil || !manifest.apps.isEmpty
        else { return nil }
        let needs = MachineNeeds(manifest)
        return MachineFindings(MachineFacts(options, for: needs), for: needs).all
    }

    /// All notes, in the order of the files.
    private func notes(on result: ManifestResult, _ files: any FileSystem) throws -> [ManifestNote] {
        let read = result.diagnostics.map(ManifestNote.init)
        guard let manifest = result.manifest ?? result.draft else { return read }
        let places = KeyPlaces(of: manifest, fileSystem: files)
        let more =
            result.manifest == nil
            ? SettingsCheck(manifest, places: places).notes(beside: result.diagnostics)
            : try faults(of: manifest, places)
        return (read + more).inOrder(of: manifest.files)
    }

    private func faults(of manifest: Manifest, _ places: KeyPlaces) throws -> [ManifestNote] {
        let check = ManifestCheck(manifest, options: options, places: places, isForHost: host)
        let settings = check.settings
        let shortcomings = check.shortcomings
        let faults = shortcomings + settings
        // A worker that can't be confined does not start, and reports the same.
        if !noPlugins, shortcomings.contains(where: { $0.severity == .error }) {
            return faults + check.plugins
        }
        return faults + (noPlugins ? check.plugins : try check.discover())
    }

    private struct Report: Encodable {
        let path: String
        let appCount: Int
        let taskCount: Int
        let problems: [ManifestNote]
        let machine: [MachineFinding]?
    }

    private func report() throws {
        let (result, files) = read()
        let problems = try notes(on: result, files)
        let findings = findings(on: result)
        try Output.json(
            Report(
                path: path, appCount: result.manifest?.apps.count ?? 0,
                taskCount: result.manifest?.tasks.count ?? 0,
                problems: problems, machine: findings))
        if fails(problems) || (findings ?? []).contains(where: { $0.severity == .error }) {
            throw ExitCode(1)
        }
    }

    private func fails(_ notes: [ManifestNote]) -> Bool {
        strict ? !notes.isEmpty : notes.contains { $0.severity == .error }
    }
}
