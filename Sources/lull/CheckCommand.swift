import ArgumentParser
import Glibc
import LullHost
import LullModel

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the manifest, and that each plugin registers what it permits.",
        discussion: """
            Reports every problem at once as FILE:LINE:COLUMN with the line, a caret and the remedy; then starts each \
            plugin in a worker of its own against a recording host and compares what it registers. Nothing is \
            launched and nothing is remembered. With --no-plugins only their files are looked at, and nothing of them \
            runs. Exits with 1 when anything is wrong.

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
        let manifest = try options.readManifest(file, showsWarnings: true)
        let faults = try faults(of: manifest)
        for fault in faults { Output.error(styled: fault.rendered(for: .error)) }
        let errors = faults.count { $0.severity == .error }
        guard errors == 0 else {
            Output.error("\(manifest.path): \(errors) error\(errors == 1 ? "" : "s"). Nothing was done.")
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

    private func faults(of manifest: Manifest) throws -> [ManifestNote] {
        let check = ManifestCheck(manifest, options: options)
        let faults = check.shortcomings
        // Where a worker can't be confined it does not start, and says the same.
        if !noPlugins, faults.contains(where: { $0.severity == .error }) { return faults + check.plugins }
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
        var problems = result.diagnostics.map(ManifestNote.init)
        if let manifest = result.manifest {
            problems += try faults(of: manifest)
        }
        try Output.json(
            Report(
                path: options.displayed(options.manifestPath(file)), apps: result.manifest?.apps.count ?? 0,
                tasks: result.manifest?.tasks.count ?? 0,
                problems: problems))
        if problems.contains(where: { $0.severity == .error }) { throw ExitCode(1) }
    }
}
