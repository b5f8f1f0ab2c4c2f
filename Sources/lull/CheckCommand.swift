import ArgumentParser
import Foundation
import LullHost
import LullModel

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the manifest, and that each plugin registers what it permits.",
        discussion: """
            Reports every problem at once as FILE:LINE:COLUMN with the line, a caret and the remedy; then starts each \
            plugin in a worker of its own against a recording host and compares what it registers. Nothing is \
            launched and nothing is remembered. Exits with 1 when anything is wrong.
            """)

    @OptionGroup var options: StateOptions
    @Argument(help: "The manifest; ./jobs.yaml when it is left out.") var file: String?
    @Flag(help: "Do not start the plugins.") var noPlugins = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let manifest = try options.readManifest(file, showsWarnings: true)
        let faults = noPlugins ? [] : try discover(manifest)
        if json {
            try Output.json(Report(apps: manifest.apps.count, tasks: manifest.tasks.count, faults: faults))
        } else {
            for fault in faults {
                Output.error("\(fault.file):\(fault.line):1: error: \(fault.sentence)")
            }
            let what = "\(manifest.apps.count) apps, \(manifest.tasks.count) tasks"
            let plugins = noPlugins ? "" : "; every plugin registers what is permitted"
            if faults.isEmpty { Output.answer("\(manifest.path) is right: \(what)\(plugins).") }
        }
        if !faults.isEmpty { throw ExitCode(1) }
    }

    private struct Report: Encodable {
        let apps: Int
        let tasks: Int
        let faults: [Fault]
    }

    private struct Fault: Encodable {
        let file: String
        let line: Int
        let sentence: String
    }

    /// Starts every plugin with a state of its own that is thrown away.
    private func discover(_ manifest: Manifest) throws -> [Fault] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-check-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var scratch = options
        scratch.state = folder.path
        let report = try HostRun(options: scratch, manifest: manifest, goal: .discovery).run().report
        var faults: [Fault] = []
        for app in manifest.apps where app.enabled {
            if let trouble = report.apps.first(where: { $0.app == app.identifier })?.trouble {
                faults.append(
                    Fault(file: manifest.path, line: app.line, sentence: "\(app.identifier): \(trouble)"))
                continue
            }
            for task in app.tasks where task.enabled {
                guard let verdict = report.tasks.first(where: { $0.task == task.identifier })?.verdict,
                    let gate = verdict.gates.first(where: { $0.gate == .registered && !$0.isOpen })
                else { continue }
                let remedy = gate.remedy.map { " " + $0 } ?? ""
                faults.append(Fault(file: manifest.path, line: task.line, sentence: gate.reason + remedy))
            }
        }
        return faults
    }
}
