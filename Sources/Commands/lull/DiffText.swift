import LullCommands
import LullManifest
import LullModel

/// A difference of manifests for people: additions, removals, changes, and what becomes of requests and runs.
struct DiffText {
    private let comparison: ManifestComparison

    init(_ comparison: ManifestComparison) { self.comparison = comparison }

    func rendered(for terminal: Terminal) -> String {
        let diff = comparison.diff
        guard !diff.isEmpty else {
            let isFirst = comparison.firstOn != nil
            let same =
                "\(comparison.new.path) changes nothing: "
                + (isFirst
                    ? "it permits nothing, and nothing is in force."
                    : comparison.preview == nil
                        ? "it means the same as \(old)." : "all of it is in force (\(comparison.old.path)).")
            return ([same] + outdated).joined(separator: "\n")
        }
        var lines: [String] = []
        if !diff.host.isEmpty {
            lines.append("~ the host")
            lines += diff.host.flatMap { self.lines($0).map { "    " + $0 } }
        }
        for app in diff.apps { lines += self.lines(app) }
        let painted = lines.map { line -> String in
            let text = line.terminalSafe
            switch text.drop(while: { $0 == " " }).first {
            case "+": return terminal.styled(text, .green)
            case "-": return terminal.styled(text, .red)
            case "~": return terminal.styled(text, .yellow)
            default: return text
            }
        }
        return (painted + [""] + summary.map(\.terminalSafe)).joined(separator: "\n")
    }

    private var old: String {
        comparison.preview == nil ? comparison.old.path : "the manifest in force (\(comparison.old.path))"
    }

    private func lines(_ app: ManifestDiff.App) -> [String] {
        var lines = [
            "\(sign(app.fate)) \(app.identifier)" + place(app.fate, app.definition.file, app.definition.line)
        ]
        if app.fate == .added {
            lines[0] += ": plugin \(app.definition.plugin)" + (app.definition.user.map { ", as \($0)" } ?? "")
        }
        lines += app.keys.flatMap { self.lines($0).map { "    " + $0 } }
        for task in app.tasks {
            let line =
                "  \(sign(task.fate)) \(task.identifier)"
                + place(task.fate, task.definition.file, task.definition.line)
            lines.append(
                task.fate == .changed ? line : line + ": " + ManifestDiff.summary(of: task.definition))
            lines += task.keys.flatMap { self.lines($0).map { "      " + $0 } }
        }
        return lines
    }

    private func sign(_ fate: ManifestDiff.Fate) -> String {
        switch fate {
        case .added: "+"
        case .removed: "-"
        case .changed, .same: "~"
        }
    }

    /// Only an entry of the new files has a place to go to.
    private func place(_ fate: ManifestDiff.Fate, _ file: String?, _ line: Int) -> String {
        fate == .removed ? "" : " (\(file ?? comparison.new.path):\(line))"
    }

    /// Whether the old value is unknown, because it may be a secret.
    private func isHidden(_ key: ManifestDiff.Key) -> Bool {
        comparison.preview != nil && key.name.hasPrefix("settings.")
    }

    /// One line; for a command also its old and its new text.
    private func lines(_ key: ManifestDiff.Key) -> [String] {
        guard let command = key.command else { return [self.key(key)] }
        let change =
            key.before == nil ? "was not given" : key.after == nil ? "no longer given" : "is another command"
        let commands = [("- ", command.before), ("+ ", command.after)].compactMap { sign, command in
            command.map { "  " + sign + $0 }
        }
        return ["\(key.name): \(change)" + place(of: key)] + commands
    }

    private func place(of key: ManifestDiff.Key) -> String {
        key.line.map { " (\(key.file ?? comparison.new.path):\($0))" } ?? ""
    }

    private func key(_ key: ManifestDiff.Key) -> String {
        let isHidden = isHidden(key)
        let change =
            switch (key.before, key.after) {
            case (_?, _?) where isHidden: "is another value"
            case (nil, _?) where isHidden: "was not given"
            case (_?, nil) where isHidden: "no longer given"
            case (let before?, let after?): "\(before) -> \(after)"
            case (nil, let after?): "\(after), was not given"
            case (let before?, nil): "no longer given, was \(before)"
            case (nil, nil): ""
            }
        let meaning = key.meaning.flatMap { $0.split(separator: "\n").first }.map { " – \($0)" } ?? ""
        return "\(key.name): \(change)\(place(of: key))\(meaning)"
    }

    private var summary: [String] {
        let diff = comparison.diff
        let tasks = diff.apps.flatMap(\.tasks)
        var parts: [String] = []
        for (fate, word) in [
            (ManifestDiff.Fate.added, "added"), (.removed, "removed"), (.changed, "changed"),
        ] {
            let apps = diff.apps.count { $0.fate == fate && (fate != .changed || !$0.keys.isEmpty) }
            let tasks = tasks.count { $0.fate == fate }
            let counts = [(apps, "app"), (tasks, "task")].filter { $0.0 > 0 }.map {
                $0.0 == 1 ? "1 \($0.1)" : "\($0.0) \($0.1)s"
            }
            if !counts.isEmpty { parts.append(counts.joined(separator: " and ") + " " + word) }
        }
        if !diff.host.isEmpty { parts.append("the host's own keys changed") }
        if let state = comparison.firstOn {
            let whole = parts.joined(separator: ", ")
            return [
                "No manifest is in force in \(state), because no host of this version has run there: "
                    + "all of \(comparison.new.path) is new, \(whole)."
            ] + fates
        }
        return ["Against \(old): " + parts.joined(separator: ", ") + "."] + unknown + fates
    }

    /// Where to see the old values of settings.
    private var unknown: [String] {
        let keys = comparison.diff.apps.flatMap { $0.keys + $0.tasks.flatMap(\.keys) }
        guard keys.contains(where: { isHidden($0) && $0.before != nil }) else { return [] }
        return [
            "`lull diff` shows no old values of settings, because they may be secret. `lull diff \(comparison.new.path) --against OLD` "
                + "shows them, where OLD is a copy of the old file."
        ]
    }

    /// The runs that do not use the manifest in force.
    private var outdated: [String] { OutdatedRuns.sentences(comparison.outdated).map(\.terminalSafe) }

    /// What would become of pending requests and of runs.
    private var fates: [String] {
        guard let preview = comparison.preview else { return [] }
        var lines = preview.ended.map { event in
            let end = event.event == .replaced ? "is replaced" : "is given up"
            return
                "Request \(event.request?.description ?? "?") of \(event.task?.text ?? event.app.text) \(end): "
                + (event.reason ?? "the manifest changes") + "."
        }
        if !preview.kept.isEmpty {
            lines.append(
                preview.kept.count == 1
                    ? "1 request keeps waiting." : "\(preview.kept.count) requests keep waiting.")
        }
        let older = Set(comparison.outdated.flatMap { $0.outdated ?? [] })
        lines += preview.running.filter { !older.contains($0.run) }.map {
            "Run \($0.run) of \($0.task) goes on to its end."
        }
        return lines + outdated
    }
}
