import ArgumentParser
import Glibc
import LullHost
import LullManifest
import LullModel

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the manifest, and that each plugin registers what it permits.",
        usage: "lull check [<options>] [<file>]",
        discussion: """
            Reports every problem at once, as FILE:LINE:COLUMN with the line, a caret and the remedy. Then it starts \
            each plugin in a worker of its own and compares what the plugin registers with what the manifest \
            permits. Nothing is launched and nothing is remembered. With --no-plugins it only looks at the plugins' \
            files, and runs nothing of them.

            Settings are checked against the schema that the plugin's file declares. Programs and folders in them \
            that are missing on this machine are warnings. Exits with 1 when anything is wrong.

            Examples:
              lull check
              lull check /etc/lull/jobs.yaml --no-plugins
              lull import crontab /etc/crontab | lull check -
            """)

    @OptionGroup var options: StateOptions
    @Argument(help: StateOptions.manifestHelp("The manifest", isInput: true)) var file: String?
    @Flag(help: "Do not start the plugins.") var noPlugins = false
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
        for note in notes { Output.error(styled: note.rendered(for: .error)) }
        let errors = notes.count { $0.severity == .error }
        guard errors == 0, let manifest = result.manifest else {
            Output.error("\(path): \(errors) error\(errors == 1 ? "" : "s"). Nothing was done.")
            throw ExitCode(1)
        }
        let plugins = noPlugins ? "" : "; every plugin registers what is permitted"
        let warnings = notes.count { $0.severity == .warning }
        let verdict =
            warnings == 0 ? "is right" : "is right, with \(warnings) warning\(warnings == 1 ? "" : "s")"
        Output.answer("\(manifest.path) \(verdict): \(Sentences.size(of: manifest))\(plugins).")
        let accounts = geteuid() == 0 ? manifest.apps.filter(\.hasOwnAccount).map(\.identifier.text) : []
        guard !accounts.isEmpty else { return }
        Output.answer(
            "Not as root, but as accounts of their own: \(accounts.joined(separator: ", ")). "
                + "`user: NAME` lets an app run as somebody, `user: host` as root.")
    }

    /// All that there is to say, in the order of the files.
    private func notes(on result: ManifestResult, _ files: any FileSystem) throws -> [ManifestNote] {
        let read = result.diagnostics.map(ManifestNote.init)
        guard let manifest = result.manifest ?? result.draft else { return read }
        let places = KeyPlaces(of: manifest, fileSystem: files)
        let more =
            result.manifest == nil
            ? SettingsCheck(manifest, places: places).notes(beside: result.diagnostics)
            : try faults(of: manifest, places)
        let order = Dictionary(manifest.files.enumerated().map { ($1, $0) }) { first, _ in first }
        func place(_ note: ManifestNote) -> (Int, Int, Int) {
            (order[note.path] ?? order.count, note.line ?? 0, note.column ?? 0)
        }
        return (read + more).enumerated().sorted {
            let (one, other) = (place($0.element), place($1.element))
            return one == other ? $0.offset < $1.offset : one < other
        }.map(\.element)
    }

    private func faults(of manifest: Manifest, _ places: KeyPlaces) throws -> [ManifestNote] {
        let check = ManifestCheck(manifest, options: options, places: places)
        let settings = check.settings
        let shortcomings = check.shortcomings
        let faults = shortcomings + settings
        // Where a worker can't be confined it does not start, and says the same.
        if !noPlugins, shortcomings.contains(where: { $0.severity == .error }) {
            return faults + check.plugins
        }
        return faults + (noPlugins ? check.plugins : try check.discover())
    }

    private struct Report: Encodable {
        let path: String
        let apps: Int
        let tasks: Int
        let problems: [ManifestNote]
    }

    private func report() throws {
        let (result, files) = read()
        let problems = try notes(on: result, files)
        try Output.json(
            Report(
                path: path, apps: result.manifest?.apps.count ?? 0,
                tasks: result.manifest?.tasks.count ?? 0,
                problems: problems))
        if problems.contains(where: { $0.severity == .error }) { throw ExitCode(1) }
    }
}
