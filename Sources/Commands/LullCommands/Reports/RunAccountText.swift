import LullConditions
import LullHistory
import LullModel

extension RunAccount {
    /// The text below the table of its events: its cost, its origin, what changed since another run, and its output.
    ///
    /// `runs`: the task as the manifest has it now.
    package func text(against other: RunAccount?, runs: WhatRuns? = nil, phrases: Phrases) -> String {
        [runs.flatMap(text(of:)), origin(against: other, phrases: phrases), outputText].compactMap { $0 }
            .joined(separator: "\n\n")
            .terminalSafeLines
    }

    /// What it cost, where it came from, and what changed since another run; nil: nothing is recorded of that.
    package func origin(against other: RunAccount?, phrases: Phrases) -> String? {
        var parts: [String] = []
        if let params = launch?.params { parts.append("Params   " + TaskParam.words(params)) }
        if let cost = end?.cost { parts.append("Cost     " + cost.phrase) }
        if let triggerEvent = launch?.triggerEvent { parts.append("Event    " + triggerEvent.phrase) }
        if let provenance { parts.append(Self.text(of: provenance, at: launch?.time ?? phrases.now)) }
        if let other { parts.append(text(of: changes(since: other), since: other, phrases)) }
        return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
    }

    /// The manifest's command now, which may differ from the one that ran.
    private func text(of runs: WhatRuns) -> String? {
        guard runs.command != nil else { return nil }
        return isAsItWas(runs)
            ? "Runs     \(runs.text)" : "Runs now \(runs.text); changed in the manifest since this run"
    }

    /// Whether the manifest says the same of the task as at the run's launch; true where that is unknown.
    func isAsItWas(_ runs: WhatRuns) -> Bool { provenance?.entry.map { $0 == runs.digest } ?? true }

    private static func text(of provenance: Provenance, at time: WallTime) -> String {
        var lines = [
            "Task     \(provenance.place) (manifest \(provenance.manifest)), run by lull \(provenance.lull)"
        ]
        if let plugin = provenance.plugin {
            let build = plugin.buildID.map { "build \($0)" } ?? "without a build id"
            lines.append("Plugin   \(build), \(plugin.sdk), ABI \(plugin.abi)")
        }
        if let conditions = provenance.conditions {
            lines += conditions.readings(at: time).enumerated().map { index, reading in
                (index == 0 ? "Host     " : "         ") + reading.text
            }
        }
        return lines.joined(separator: "\n")
    }

    private func text(of changes: [Change], since other: RunAccount, _ phrases: Phrases) -> String {
        let when = other.launch.map { " of " + phrases.time($0.time) } ?? ""
        let tasks =
            task == other.task
            ? nil
            : "Run \(run) is of \(task?.text ?? "another task"), and run \(other.run) of \(other.task?.text ?? "another task"): "
                + "they are not runs of the same task."
        guard !changes.isEmpty || tasks != nil else {
            return "Nothing that is recorded differs from run \(other.run)\(when)."
        }
        return
            ([tasks, "Against run \(other.run)\(when):"].compactMap { $0 } + changes.map { "  " + $0.line })
            .joined(separator: "\n")
    }

    private var outputText: String {
        guard let output, output.total > 0 else {
            if isOpen { return "It has printed nothing yet." }
            return end == nil ? "No output of it is kept so far." : "No output of it is kept."
        }
        let isShared = output.pieces.contains(where: \.isShared)
        let shared = isShared ? " (other runs of the app were open: lines may be theirs)" : ""
        return "Output\(isOpen ? " so far" : "")\(shared):\n"
            + (wasCutOff ? output.textOfCutOff : output.text)
    }
}

/// A run for programs: `lull history RUN --json`.
package struct RunAccountJSON: Encodable {
    struct Printed: Encodable {
        /// The size of all output, in bytes.
        let bytes: Int
        let droppedBytes: Int
        let pieces: JSONValue
    }
    struct Comparison: Encodable {
        let run: RunID
        let changes: [RunAccount.Change]
    }

    let run: RunID
    let task: TaskIdentifier?
    let outcome: Outcome?
    /// The command that it ran, if the manifest still says the same of its task.
    let command: String?
    /// As `lull history --json` writes them, the launch's with its provenance.
    let events: [JSONValue]
    let output: Printed?
    let comparison: Comparison?

    package init(_ account: RunAccount, against other: RunAccount?, runs: WhatRuns?) {
        command = runs.flatMap { account.isAsItWas($0) ? $0.command : nil }
        run = account.run
        task = account.task
        outcome = account.end?.outcome
        events = account.events.map { HistoryLines.json(of: $0) }
        output = account.output.map { output in
            Printed(bytes: output.total, droppedBytes: output.dropped, pieces: output.json)
        }
        comparison = other.map { Comparison(run: $0.run, changes: account.changes(since: $0)) }
    }
}
