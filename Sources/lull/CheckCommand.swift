import ArgumentParser
import Glibc
import LullHost
import LullManifest
import LullModel

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the manifest, and that each plugin registers what it permits.",
        discussion: """
            Reports every problem at once as FILE:LINE:COLUMN with the line, a caret and the remedy; then starts each \
            plugin in a worker of its own against a recording host and compares what it registers. Settings are held \
            against the schema that the plugin's file declares; programs and folders in them that are not on this \
            machine are warnings. Nothing is launched and nothing is remembered. With --no-plugins only their files \
            are looked at, and nothing of them runs. Exits with 1 when anything is wrong.

            Examples:
              lull check
              lull check /etc/lull/jobs.yaml --no-plugins
            """)

    @OptionGroup var options: StateOptions
    @Argument(help: StateOptions.manifestHelp("The manifest")) var file: String?
    @Flag(help: "Do not start the plugins.") var noPlugins = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        if json { return try report() }
        options.noteManifest(file)
        let result = options.read(file)
        let notes = try notes(on: result)
        for note in notes { Output.error(styled: note.rendered(for: .error)) }
        let errors = notes.count { $0.severity == .error }
        guard errors == 0, let manifest = result.manifest else {
            let path = options.displayed(options.manifestPath(file))
            Output.error("\(path): \(errors) error\(errors == 1 ? "" : "s"). Nothing was done.")
            throw ExitCode(1)
        }
        let plugins = noPlugins ? "" : "; every plugin registers what is permitted"
        Output.answer("\(manifest.path) is right: \(Sentences.size(of: manifest))\(plugins).")
        let accounts = geteuid() == 0 ? manifest.apps.filter(\.hasOwnAccount).map(\.identifier.text) : []
        guard !accounts.isEmpty else { return }
        Output.answer(
            "Not as root, but as accounts of their own: \(accounts.joined(separator: ", ")). "
                + "`user: NAME` lets an app run as somebody, `user: host` as root.")
    }

    /// All that there is to say, in the order of the files.
    private func notes(on result: ManifestResult) throws -> [ManifestNote] {
        let read = result.diagnostics.map(ManifestNote.init)
        guard let manifest = result.manifest ?? result.draft else { return read }
        let more =
            result.manifest == nil
            ? SettingsCheck(manifest, places: KeyPlaces(of: manifest)).notes(beside: result.diagnostics)
            : try faults(of: manifest)
        let order = Dictionary(manifest.files.enumerated().map { ($1, $0) }) { first, _ in first }
        func place(_ note: ManifestNote) -> (Int, Int, Int) {
            (order[note.path] ?? order.count, note.line ?? 0, note.column ?? 0)
        }
        return (read + more).enumerated().sorted {
            let (one, other) = (place($0.element), place($1.element))
            return one == other ? $0.offset < $1.offset : one < other
        }.map(\.element)
    }

    private func faults(of manifest: Manifest) throws -> [ManifestNote] {
        let check = ManifestCheck(manifest, options: options)
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
        let result = options.read(file)
        let problems = try notes(on: result)
        try Output.json(
            Report(
                path: options.displayed(options.manifestPath(file)), apps: result.manifest?.apps.count ?? 0,
                tasks: result.manifest?.tasks.count ?? 0,
                problems: problems))
        if problems.contains(where: { $0.severity == .error }) { throw ExitCode(1) }
    }
}
