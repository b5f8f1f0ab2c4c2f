import ArgumentParser
import Foundation
import LullCommands
import LullControl
import LullHost
import LullManifest
import LullModel
import LullScheduler

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what another manifest would change.",
        usage: "lull diff [<options>] [<new>]",
        discussion: """
            Compares NEW with the manifest in force: the one that the running host has read, or, if none is \
            running, the last host. If no host has run yet, all of NEW is new. The command changes nothing, and \
            runs no plugin code.

            It shows the apps and tasks that are added (+), removed (-) and changed (~), each changed key with \
            its line in the new file, and what would happen to waiting requests. Comments and the order of \
            keys make no difference. Current runs go on to their end, whatever the manifest says.

            Exits with 0 if there is no difference, with 1 if there is one, and with 2 if it can't tell.

            Examples:
              lull diff                        what would change if it read jobs.yaml now?
              lull diff new.yaml
              lull diff new.yaml --against old.yaml
            """)

    @OptionGroup var options: StateOptions
    @Argument(help: StateOptions.manifestHelp("The new manifest"), completion: .file()) var new: String?
    @Option(help: ArgumentHelp("Compare with this manifest instead of the one in force.", valueName: "file"))
    var against: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let comparison: ManifestComparison
        do {
            comparison = try compare()
        } catch let failure as Failure {
            Output.error("Error: \(failure.sentence)")
            throw ExitCode(2)
        } catch is ExitCode {
            throw ExitCode(2)
        }
        json
            ? try Output.json(DiffJSON(comparison))
            : Output.answer(styled: DiffText(comparison).rendered(for: .output))
        if !comparison.diff.isEmpty { throw ExitCode(1) }
    }

    private func compare() throws -> ManifestComparison {
        options.noteManifest(self.new)
        let new = try options.readManifest(self.new, showsWarnings: false)
        let state = try options.checkedFolder()
        let inForce = against == nil ? state.manifestInForce : nil
        let isFirst = against == nil && inForce == nil
        let old =
            try against.map { try options.readManifest($0, showsWarnings: false) } ?? inForce ?? Manifest()
        // Of the manifest in force no secrets are known, only whether they changed.
        let compared = against == nil ? new.withoutSecrets : new
        let diff = ManifestDiff(from: old, to: compared, places: KeyPlaces(of: new))
        let schemas = PluginSchemas(of: diff.apps.filter(\.hasSettings).map(\.definition.plugin))
        var comparison = ManifestComparison(
            new: new, old: old,
            diff: diff.explained(from: against == nil ? nil : old, to: new) {
                try? schemas[$0.plugin]?.get()
            },
            firstOn: isFirst ? state.path : nil)
        // Two files have no requests and no runs.
        guard against == nil else { return comparison }
        do {
            // Requests that wait on a state without a host wait for this manifest.
            let host = OfflineHost(state: state, manifest: isFirst ? new : old, roots: options.roots)
            comparison.preview = try host.preview(of: new)
        } catch {
            throw Failure(error.message)
        }
        // Runs that ended with their host are over, though the history does not say so yet.
        if let client = try? ControlClient(stateFolder: state.path) {
            if let report = try? client.ask(Ask.Report(of: .all, isBrief: true)) {
                comparison.outdated = report.tasks.filter { $0.outdated != nil }
            }
        } else {
            comparison.preview?.running = []
        }
        return comparison
    }
}

/// Two manifests, their difference, and what a host would do about it.
struct ManifestComparison {
    let new: Manifest
    let old: Manifest
    let diff: ManifestDiff
    /// The state on which no manifest is in force, so that the old one is empty; nil: there is one.
    var firstOn: String?
    /// Nil: the old one is a file that was named.
    var preview: ManifestPreview?
    /// Tasks with runs that use a manifest before the one in force.
    var outdated: [StatusReport.TaskStatus] = []
}
