import Foundation
import LullCommands
import LullELF
import LullHost
import LullManifest
import LullModel
import LullNotices
import LullUsage
import LullWorkers

/// Promises of a readable manifest that this machine or its plugins can't keep, each at its key.
struct ManifestCheck {
    let options: StateOptions
    let manifest: Manifest
    private let places: KeyPlaces

    /// The severity of what this machine lacks: an error only if this machine is to run the manifest.
    private let lack: Diagnostic.Severity

    /// `places`: where the manifest's keys stand. `isForHost`: this machine is to run it.
    init(_ manifest: Manifest, options: StateOptions, places: KeyPlaces, isForHost: Bool = false) {
        lack = isForHost ? .error : .warning
        self.manifest = manifest
        self.options = options
        self.places = places
    }

    /// The faults that the plugins' schemas find in their settings.
    var settings: [ManifestNote] { SettingsCheck(manifest, places: places).notes }

    /// The parts of the manifest that this machine can't carry out.
    var shortcomings: [ManifestNote] {
        let accounts = Accounts.localNames()
        return unreachable + unlikely + lasting + events + neverStarted + unusable
            + manifest.apps.filter(\.enabled).flatMap { app in
                Enforcement.ofThisMachine.shortcomings(of: app, accounts: accounts).map { shortcoming in
                    note(
                        shortcoming.isError ? .error : shortcoming.isOfMachine ? lack : .warning,
                        shortcoming.key, of: app,
                        shortcoming.message, fix: shortcoming.fix)
                }
            }
    }

    /// Daemons and tunnels that a task starts at each boot: a task has to end.
    private var lasting: [ManifestNote] {
        manifest.tasks.filter { $0.enabled && $0.at?.isAtBoot == true }.compactMap { task in
            guard case .object(let settings) = task.settings, let limit = task.timeLimit else { return nil }
            let command: String
            switch settings["run"] {
            case .string(let line): command = line
            case .array(let words):
                command = words.compactMap { if case .string(let word) = $0 { word } else { nil } }
                    .joined(separator: " ")
            default: return nil
            }
            return LastingCommand.sign(in: command).map { sign in
                note(
                    .warning, ["settings", "run"], of: task,
                    LastingCommand.message(sign, limit: Phrase.span(limit)),
                    fix: LastingCommand.fix)
            }
        }
    }

    /// Logs from which no use is learned.
    private var unusable: [ManifestNote] {
        manifest.apps.filter(\.enabled).flatMap { app -> [ManifestNote] in
            guard case .sources(let sources) = app.usage else { return [] }
            return sources.compactMap(UsageFault.init(against:)).map {
                note(
                    .warning, ["usage"], of: app, $0.message.withoutFullStop,
                    fix: "name the file that the lines are written to")
            }
        }
    }

    /// Commands that nothing starts by itself: the plugin Command submits no requests.
    private var neverStarted: [ManifestNote] {
        let commands = manifest.apps.filter { $0.enabled && $0.plugin.hasSuffix("/libCommand.so") }
        let idle = commands.flatMap(\.tasks).filter {
            $0.enabled && $0.kind == .processing && $0.repeat == nil && $0.at == nil
        }
        // A task that only follows tasks that are never started is never started either.
        var stuck = Set(idle.filter { $0.on.allSatisfy { $0.kind == .after } }.map(\.identifier))
        let off = Set(
            manifest.apps.flatMap { app in app.tasks.filter { !app.enabled || !$0.enabled } }.map(
                \.identifier))
        var followers: [TaskIdentifier: [TaskDefinition]] = [:]
        for task in idle {
            for link in task.on.flatMap(\.links) { followers[link.task, default: []].append(task) }
        }
        var looks = idle
        while let task = looks.popLast() {
            guard stuck.contains(task.identifier),
                task.on.contains(where: { trigger in
                    trigger.links.allSatisfy { !stuck.contains($0.task) && !off.contains($0.task) }
                })
            else { continue }
            stuck.remove(task.identifier)
            looks += followers[task.identifier] ?? []
        }
        return idle.filter { stuck.contains($0.identifier) }.map { task in
            note(
                .warning, [], of: task,
                task.on.isEmpty
                    ? "nothing starts this task but `lull launch` and `lull submit`: it has no `repeat`, `at` or `on`"
                    : "nothing starts this task: what it comes after is never started",
                fix: "write `repeat: 1d`, or `at: \"30 2 * * *\"`")
        }
    }

    /// Events of `on` that can't come here, each at the task that waits for them.
    private var events: [ManifestNote] {
        manifest.apps.filter(\.enabled).flatMap { app in
            app.tasks.filter(\.enabled).flatMap { task in
                task.on.compactMap { trigger in
                    EventObstacle.sentence(on: trigger, of: app, roots: options.roots).map { sentence, fix in
                        note(lack, ["on"], of: task, sentence, fix: fix)
                    }
                }
            }
        }
    }

    /// The expectations that the constraints did not allow lately.
    private var unlikely: [ManifestNote] {
        guard manifest.tasks.contains(where: { $0.expect != nil }),
            let folder = try? options.checkedFolder().path
        else { return [] }
        return PastConditions(folder, manifest).obstacles(of: manifest).map { task, sentence in
            note(
                .warning, ["expect"], of: task, sentence,
                fix: "require less, or expect less of it")
        }
    }

    /// The notice sinks that can't be reached from here, each once.
    private var unreachable: [ManifestNote] {
        var seen: Set<NoticeSink.Target> = []
        func notes(_ sinks: [NoticeSink], _ note: (Int, String) -> ManifestNote) -> [ManifestNote] {
            sinks.enumerated().compactMap { number, sink in
                guard seen.insert(sink.target).inserted, !isMissing(sink.target),
                    let obstacle = Post.obstacle(to: sink.target)
                else { return nil }
                return note(number, "\(sink.name) can't be notified: \(obstacle)")
            }
        }
        let fix = "`lull notify test` tests every sink"
        return silent
            + manifest.apps.flatMap { app in
                notes(app.notify) {
                    note(lack, ["notify", String($0)], of: app, isNamed: false, $1, fix: fix)
                }
                    + app.tasks.flatMap { task in
                        notes(task.notify) {
                            note(lack, ["notify", String($0)], of: task, isNamed: false, $1, fix: fix)
                        }
                    }
            }
    }

    /// The reader has already reported a program that is missing.
    private func isMissing(_ target: NoticeSink.Target) -> Bool {
        guard case .command(let words) = target, let program = words.first else { return false }
        return program.contains("/") && access(program, F_OK) != 0
    }

    /// That no heartbeat can be sent, once for all.
    private var silent: [ManifestNote] {
        let task = manifest.tasks.first { $0.heartbeat != nil }
        guard let heartbeat = manifest.heartbeat ?? task?.heartbeat,
            let obstacle = Post.obstacle(to: .webhook(heartbeat.url))
        else { return [] }
        let message = "no heartbeat can be sent: \(obstacle)"
        guard manifest.heartbeat == nil, let task else {
            let place = places.place(of: ["heartbeat"], app: nil, in: manifest.files.first ?? manifest.path)
            return [
                ManifestNote(
                    lack, at: place ?? SourcePlace(path: manifest.path, line: 1, column: 1), message,
                    fix: nil)
            ]
        }
        return [note(lack, ["heartbeat"], of: task, isNamed: false, message, fix: nil)]
    }

    /// The faults that the plugins' files show without being started.
    var plugins: [ManifestNote] { manifest.apps.filter(\.enabled).compactMap { fault(of: $0) } }

    private func fault(of app: App) -> ManifestNote? {
        do throws(PluginFault) {
            let file = try FileBytes(opening: app.plugin)
            _ = try PluginFacts(of: file)
            if let pinned = app.sha256 {
                let found = try file.digest()
                guard found == pinned else { throw .otherDigest(found, pinned: pinned) }
            }
            return nil
        } catch {
            var key = "plugin"
            if case .otherDigest = error { key = "sha256" }
            return note(
                .error, [key], of: app, error.message(about: app.plugin),
                fix: error.fix(for: app.plugin))
        }
    }

    /// Starts every plugin with a state of its own that is thrown away.
    func discover() throws -> [ManifestNote] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-check-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var scratch = options
        scratch.state = folder.path
        let report = try HostRun(options: scratch, manifest: manifest, goal: .discovery).run().report
        let troubles = Dictionary(report.apps.map { ($0.app, $0.trouble) }) { first, _ in first }
        let verdicts = Dictionary(report.tasks.map { ($0.task, $0.verdict) }) { first, _ in first }
        return manifest.apps.filter(\.enabled).flatMap { app -> [ManifestNote] in
            if let trouble = troubles[app.identifier] ?? nil {
                // A fault that the file shows has the better remedy.
                let note =
                    fault(of: app)
                    ?? note(
                        .error, ["plugin"], of: app, trouble,
                        fix: "put \(app.plugin) right, or leave the plugins out with `--no-plugins`")
                return [note]
            }
            // A continued task may be registered when it is needed.
            return app.tasks.filter { $0.enabled && $0.kind != .continued }.compactMap { task in
                guard let verdict = verdicts[task.identifier],
                    let gate = verdict.gates.first(where: { $0.gate == .registered && !$0.isOpen })
                else { return nil }
                return note(.error, [], of: task, gate.reason, fix: gate.remedy)
            }
        }
    }

    private func note(
        _ severity: Diagnostic.Severity, _ key: [String], of app: App, isNamed: Bool = true, _ said: String,
        fix: String?
    ) -> ManifestNote {
        let file = app.file ?? manifest.files.first ?? manifest.path
        let place =
            places.place(of: key, app: app.identifier, in: file)
            ?? places.place(of: [], app: app.identifier, in: file)
        return ManifestNote(
            severity, at: place ?? SourcePlace(path: file, line: app.line, column: 1),
            of: isNamed ? app.identifier.text : nil, said, fix: fix)
    }

    private func note(
        _ severity: Diagnostic.Severity, _ key: [String], of task: TaskDefinition, isNamed: Bool = true,
        _ said: String,
        fix: String?
    ) -> ManifestNote {
        let file = task.file ?? manifest.files.first ?? manifest.path
        let place = places.place(of: key, app: task.app, task: task.identifier, in: file)
        return ManifestNote(
            severity, at: place ?? SourcePlace(path: file, line: task.line, column: 1),
            of: isNamed ? task.identifier.text : nil, said, fix: fix)
    }
}
