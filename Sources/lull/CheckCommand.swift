import ArgumentParser
import Foundation
import LullELF
import LullHost
import LullModel
import LullNotices
import LullWorkers

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
    @Argument(help: "The manifest, or its folder; ./jobs.yaml when it is left out.") var file: String?
    @Flag(help: "Do not start the plugins.") var noPlugins = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        if json { return try report() }
        let manifest = try options.readManifest(file, showsWarnings: true)
        var faults = shortcomings(of: manifest)
        // Where a worker can't be confined it does not start, and says the same.
        if !faults.contains(where: { $0.severity == .error }) {
            faults += noPlugins ? inspect(manifest) : try discover(manifest)
        }
        for fault in faults { Output.error(styled: fault.rendered(for: .error)) }
        guard !faults.contains(where: { $0.severity == .error }) else { throw ExitCode(1) }
        let plugins = noPlugins ? "" : "; every plugin registers what is permitted"
        Output.answer("\(manifest.path) is right: \(Sentences.size(of: manifest))\(plugins).")
    }

    private struct Report: Encodable {
        let apps: Int
        let tasks: Int
        let problems: [ManifestNote]
    }

    private func report() throws {
        let result = options.read(file)
        var problems = result.diagnostics.map(ManifestNote.init)
        if let manifest = result.manifest {
            problems += shortcomings(of: manifest)
            problems += noPlugins ? inspect(manifest) : try discover(manifest)
        }
        try Output.json(
            Report(
                apps: result.manifest?.apps.count ?? 0, tasks: result.manifest?.tasks.count ?? 0,
                problems: problems))
        if problems.contains(where: { $0.severity == .error }) { throw ExitCode(1) }
    }

    /// What the manifest promises and this machine can't keep.
    private func shortcomings(of manifest: Manifest) -> [ManifestNote] {
        unreachable(of: manifest) + unlikely(of: manifest)
            + manifest.apps.filter(\.enabled).flatMap { app in
                Enforcement.ofThisMachine.shortcomings(of: app).map { shortcoming in
                    ManifestNote(
                        shortcoming.isError ? .error : .warning, app.file ?? manifest.path,
                        line: app.line,
                        "\(app.identifier): \(shortcoming.message)", fix: shortcoming.fix)
                }
            }
    }

    /// What is expected, and the constraints did not allow lately.
    private func unlikely(of manifest: Manifest) -> [ManifestNote] {
        guard manifest.tasks.contains(where: { $0.expect != nil }),
            let folder = try? options.checkedFolder().path
        else { return [] }
        return PastConditions(folder, manifest).obstacles(of: manifest).map { task, sentence in
            ManifestNote(
                .warning, task.file ?? manifest.path, line: task.line, "\(task.identifier): \(sentence)",
                fix: "require less, or expect less of it")
        }
    }

    /// Whom nobody can tell anything from here, each once.
    private func unreachable(of manifest: Manifest) -> [ManifestNote] {
        var seen: Set<NoticeSink.Target> = []
        let beats = ([manifest.heartbeat] + manifest.tasks.map(\.heartbeat)).compactMap(\.self)
        let silent = beats.first.flatMap { Post.obstacle(to: .webhook($0.url)) }.map {
            ManifestNote(.warning, manifest.path, line: 1, "no sign of life can be given: \($0)", fix: nil)
        }
        return (silent.map { [$0] } ?? [])
            + manifest.apps.flatMap { app -> [ManifestNote] in
                let told = [(app.line, app.notify)] + app.tasks.map { ($0.line, $0.notify) }
                return told.flatMap { line, sinks in
                    sinks.compactMap { sink -> ManifestNote? in
                        guard seen.insert(sink.target).inserted, let obstacle = Post.obstacle(to: sink.target)
                        else { return nil }
                        return ManifestNote(
                            .warning, app.file ?? manifest.path, line: line,
                            "\(sink.name) can't be told anything: \(obstacle)",
                            fix: "`lull notify test` tries every one of them")
                    }
                }
            }
    }

    /// What the plugins' files tell by themselves.
    private func inspect(_ manifest: Manifest) -> [ManifestNote] {
        manifest.apps.filter(\.enabled).compactMap { app in
            do throws(PluginFault) {
                let file = try FileBytes(opening: app.plugin)
                _ = try PluginFacts(of: file)
                if let pinned = app.sha256 {
                    let found = try file.digest()
                    guard found == pinned else { throw .otherDigest(found, pinned: pinned) }
                }
                return nil
            } catch {
                return ManifestNote(
                    .error, app.file ?? manifest.path, line: app.line,
                    "\(app.identifier): \(error.message(about: app.plugin))", fix: error.fix(for: app.plugin))
            }
        }
    }

    /// Starts every plugin with a state of its own that is thrown away.
    private func discover(_ manifest: Manifest) throws -> [ManifestNote] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-check-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var scratch = options
        scratch.state = folder.path
        let report = try HostRun(options: scratch, manifest: manifest, goal: .discovery).run().report
        var faults: [ManifestNote] = []
        for app in manifest.apps where app.enabled {
            if let trouble = report.apps.first(where: { $0.app == app.identifier })?.trouble {
                faults.append(
                    ManifestNote(
                        .error, app.file ?? manifest.path, line: app.line, "\(app.identifier): \(trouble)",
                        fix: "put \(app.plugin) right, or leave the plugins out with `--no-plugins`"))
                continue
            }
            // A continued task may be registered when it is needed.
            for task in app.tasks where task.enabled && task.kind != .continued {
                guard let verdict = report.tasks.first(where: { $0.task == task.identifier })?.verdict,
                    let gate = verdict.gates.first(where: { $0.gate == .registered && !$0.isOpen })
                else { continue }
                faults.append(
                    ManifestNote(
                        .error, task.file ?? manifest.path, line: task.line,
                        "\(task.identifier): \(gate.reason)",
                        fix: gate.remedy))
            }
        }
        return faults
    }
}
