import LullCommands
import LullModel

/// How an app fares, and each of its tasks in a line.
struct AppWhyText {
    let app: StatusReport.AppStatus
    let tasks: [StatusReport.TaskStatus]
    let pauses: [Pause]
    /// Why the host can record nothing.
    let historyTrouble: String?
    /// Problems with the sources of the app's uses.
    let remarks: [String]
    let lacksHost: Bool
    let phrases: Phrases

    init?(_ name: AppIdentifier, in report: StatusReport, phrases: Phrases) {
        guard let app = report.apps.first(where: { $0.app == name }) else { return nil }
        self.app = app
        tasks = report.tasks.filter { $0.app == name }
        pauses = (report.pauses ?? []).filter { $0.scope == .all || $0.scope == .app(name) }
        historyTrouble = report.historyTrouble
        remarks = report.remarks(on: name)
        lacksHost = report.lacksHost
        self.phrases = phrases
    }

    func rendered(for terminal: Terminal) -> String {
        var out = wrapped(headline, to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }.joined()
        for text in [historyTrouble].compactMap(\.self) + remarks {
            out += wrapped(phrases.remedy(text), to: terminal.columns).joined(separator: "\n  ") + "\n"
        }
        if let first {
            out +=
                wrapped(phrases.remedy("→ " + first), to: terminal.columns).joined(separator: "\n  ") + "\n"
        }
        out += wrapped(facts, to: terminal.columns).joined(separator: "\n") + "\n\n"
        var table = Table(header: ["TASK", "STATE", "LAST RUN", "WHY"])
        for task in tasks {
            let line = TaskLine(status: task, phrases: phrases, lacksHost: lacksHost)
            table.rows.append([.init(name(of: task)), line.state, line.lastRun, .init(line.why)])
        }
        return out + table.rendered(for: terminal)
    }

    private func name(of task: StatusReport.TaskStatus) -> String {
        let prefix = app.app.text + "."
        return task.task.text.hasPrefix(prefix)
            ? String(task.task.text.dropFirst(prefix.count)) : task.task.text
    }

    var headline: String {
        if let trouble = app.trouble { return "\(app.app) does not run: \(trouble)." }
        if !app.isEnabled { return "\(app.app) is disabled: none of its tasks is launched." }
        if let pause = pauses.first {
            let end = pause.until.map { " until \(phrases.time($0))" } ?? ""
            return "\(app.app) is paused\(end)\(pause.words.map { " \($0)" } ?? "")."
        }
        if app.isIdle {
            let sign = app.lastUsed.map { "last used \(phrases.relative($0))" } ?? "never used"
            return "\(app.app) is idle: \(sign), so none of its tasks is launched."
        }
        let running = tasks.count { !$0.running.isEmpty }
        if running > 0 { return "\(app.app) runs: \(running) of \(tasks.count) tasks." }
        let late = tasks.count { $0.lateness != nil }
        if late > 0 { return "\(app.app) is enabled: \(late) of its \(tasks.count) tasks are late." }
        return "\(app.app) is enabled; none of its tasks runs at the moment."
    }

    /// The one thing to do first.
    var first: String? {
        if app.trouble != nil {
            return "Fix the plugin, then try it: `lull launch \(tasks.first?.task.text ?? "TASK")`."
        }
        if !app.isEnabled {
            return "Let it run again: `lull enable \(app.app)`, unless the manifest disables it."
        }
        if let pause = pauses.first { return "End the pause: `lull resume \(pause.scope.argument)`." }
        if app.isIdle { return "Use the app, or record a use: `lull used \(app.app)`." }
        return nil
    }

    private var facts: String {
        var facts = ["Worker: \(app.worker)."]
        if !app.isIdle {
            facts.append(app.lastUsed.map { "Last used \(phrases.relative($0))." } ?? "Never used.")
        }
        if let idlesAt = app.idlesAt {
            facts.append("Idle \(phrases.relative(idlesAt)) unless it is used (`idle_after`).")
        }
        // All of its refreshes share the budget.
        let budget = tasks.first { $0.kind == .refresh }?.verdict.gates.first { $0.gate == .budget }
        if let budget { facts.append("Budget: \(budget.reason).") }
        if let count = app.pendingNotifications {
            let next = app.nextNotification.map { ", the next \(phrases.relative($0))" } ?? ""
            facts.append(
                "\(Phrase.count(count, "notification")) scheduled\(next) (`lull notifications \(app.app)`).")
        }
        if let words = app.transfers?.words {
            facts.append("\(words.sentenceCased) (`lull transfers \(app.app)`).")
        }
        return facts.joined(separator: " ")
    }
}

/// `lull why APP --json`: the app as `lull status --json` has it, and its tasks.
struct AppWhyJSON: Encodable {
    let app: AppJSON
    let pauses: [PauseJSON]
    let historyTrouble: String?
    let headline: String
    let tasks: [TaskJSON]

    init(_ text: AppWhyText) {
        app = AppJSON(text.app)
        pauses = text.pauses.map(PauseJSON.init)
        historyTrouble = text.historyTrouble
        headline = text.headline
        tasks = text.tasks.map(TaskJSON.init)
    }

    private enum CodingKeys: CodingKey { case pauses, historyTrouble, headline, tasks }

    func encode(to encoder: any Encoder) throws {
        try app.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(pauses, forKey: .pauses)
        try container.encodeIfPresent(historyTrouble, forKey: .historyTrouble)
        try container.encode(headline, forKey: .headline)
        try container.encode(tasks, forKey: .tasks)
    }
}
