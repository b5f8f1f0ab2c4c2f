import LullConditions
import LullModel
import LullWorkers

/// A status report for people.
struct StatusText {
    let report: StatusReport
    let phrases: Phrases

    func rendered(for terminal: Terminal) -> String {
        var out = ""
        for remark in [report.historyTrouble].compactMap({ $0 }) + (report.remarks ?? []) {
            out +=
                wrapped(phrases.remedy(remark), to: terminal.columns).map {
                    terminal.styled($0, .yellow) + "\n"
                }
                .joined() + "\n"
        }
        for pause in report.pauses ?? [] {
            let end =
                pause.until.map { "until \(phrases.time($0)), \(phrases.relative($0))" }
                ?? "until somebody resumes it"
            let what = pause.scope.phrase.prefix(1).uppercased() + pause.scope.phrase.dropFirst()
            let sentence =
                "\(what) is paused \(end), \(pause.reason ?? "by an operator"). `lull resume \(pause.scope.argument)` ends it."
            out +=
                wrapped(phrases.remedy(sentence), to: terminal.columns)
                .map { terminal.styled($0, .yellow) + "\n" }.joined()
        }
        out +=
            wrapped(summary, to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }.joined() + "\n"
        if !failing.isEmpty { out += failures(terminal).rendered(for: terminal) + "\n" }
        if let conditions = report.conditions {
            let readings = conditions.readings(at: phrases.now).map(\.text)
            out +=
                wrapped("Host: " + readings.joined(separator: "; ") + ".", to: terminal.columns)
                .joined(separator: "\n") + "\n"
        }
        out +=
            wrapped(Enforcement.ofThisMachine.sentence, to: terminal.columns).joined(separator: "\n") + "\n\n"
        out += apps.rendered(for: terminal) + "\n" + tasks.rendered(for: terminal)
        for sink in report.sinks ?? [] where sink.failures > 0 {
            let waiting =
                sink.waiting > 0
                ? "; \(sink.waiting) notice\(sink.waiting == 1 ? "" : "s") wait\(sink.waiting == 1 ? "s" : "")"
                : ""
            out +=
                "\n" + terminal.styled("\(sink.sink) can't be told anything:", .red)
                + phrases.remedy(
                    " \((sink.trouble ?? "it does not answer").harmless)\(waiting). `lull notify test` tries it.\n"
                )
        }
        return out
    }

    private var apps: Table {
        var table = Table(header: ["APP", "LAST USED", "WORKER", "REMARKS"])
        for app in report.apps {
            table.rows.append([
                .init(app.app.text),
                .init(app.lastUsed.map(phrases.relative) ?? "never"),
                .init(app.worker),
                .init(remarks(app), app.isIdle || app.trouble != nil || stopsSoon(app) ? .yellow : nil),
            ])
        }
        return table
    }

    /// Earlier, that an app might one day stop is no remark but noise; it stands in `--json`.
    private static let near: Duration = .hours(72)

    private func stopsSoon(_ app: StatusReport.AppStatus) -> Bool {
        app.idlesAt.map { $0 - phrases.now < Self.near } ?? false
    }

    func remarks(_ app: StatusReport.AppStatus) -> String {
        var remarks: [String] = []
        if let trouble = app.trouble { remarks.append(trouble) }
        if !app.isEnabled {
            remarks.append(phrases.remedy("disabled: `lull enable \(app.app)` lets it run again"))
        }
        if app.isIdle {
            remarks.append("idle: not launched until it is used again")
        } else if let idlesAt = app.idlesAt, stopsSoon(app) {
            remarks.append("stops in \(Phrases.span(idlesAt - phrases.now)) unless used")
        }
        return remarks.isEmpty ? "–" : remarks.joined(separator: "; ")
    }

    private var tasks: Table {
        var table = Table(header: [
            failing.isEmpty ? "TASK" : "OTHER TASK", "KIND", "STATE", "LAST RUN", "WHY",
        ])
        for task in report.tasks where !task.isFailing {
            let line = TaskLine(status: task, phrases: phrases)
            table.rows.append([
                .init(task.task.text), .init(task.kind.rawValue), line.state, line.lastRun, .init(line.why),
            ])
        }
        return table
    }

    private var failing: [StatusReport.TaskStatus] { report.tasks.filter(\.isFailing) }

    /// More than so many are told with one line each of what they printed.
    private static let most = 20

    private func failures(_ terminal: Terminal) -> Table {
        var table = Table(header: ["FAILING TASK", "LAST RUN", "WHY"])
        table.isStacked = true
        let lines = failing.count > Self.most ? 1 : LastLines.most
        for task in failing {
            let line = TaskLine(status: task, phrases: phrases)
            let cause = line.cause(quoting: lines, in: terminal.columns - Table.below)
            table.rows.append([.init(task.task.text), line.failure, .init(cause)])
        }
        return table
    }

    /// "60 tasks: 3 fail, 1 is late, 2 run, 54 wait."
    private var summary: String {
        let tasks = report.tasks.filter { !$0.task.isWildcard }
        let others = tasks.filter { !$0.isFailing }.map { TaskLine(status: $0, phrases: phrases).state.text }
        func count(_ state: String, _ one: String, _ many: String) -> String? {
            let count = others.count { $0 == state }
            return count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
        }
        let fail =
            failing.isEmpty ? "none fails" : "\(failing.count) \(failing.count == 1 ? "fails" : "fail")"
        let parts = [
            fail, count("late", "is late", "are late"), count("stopped", "is stopped", "are stopped"),
            count("runs", "runs", "run"), count("ready", "is ready", "are ready"),
            count("waits", "waits", "wait"),
        ]
        let head = tasks.count == 1 ? "1 task" : "\(tasks.count) tasks"
        return head + ": " + parts.compactMap { $0 }.joined(separator: ", ") + "."
    }
}
