import LullConditions
import LullModel
import LullWorkers

/// A status report for people.
package struct StatusText {
    let report: StatusReport
    let phrases: Phrases
    let enforcement: Enforcement

    package init(report: StatusReport, phrases: Phrases, enforcement: Enforcement = .ofThisMachine) {
        self.report = report
        self.phrases = phrases
        self.enforcement = enforcement
    }

    package func rendered(for terminal: Terminal) -> String {
        var out = ""
        for remark in [report.historyTrouble].compactMap({ $0 }) + report.allRemarks + deafSinks
            + heldNotices
        {
            out +=
                wrapped(phrases.remedy(remark), to: terminal.columns).map {
                    terminal.styled($0, .yellow) + "\n"
                }
                .joined() + "\n"
        }
        for sentence in pauses {
            out +=
                wrapped(phrases.remedy(sentence), to: terminal.columns)
                .map { terminal.styled($0, .yellow) + "\n" }.joined()
        }
        out +=
            wrapped(summary, to: terminal.columns).map { terminal.styled($0, .bold) + "\n" }.joined()
        out += (inForce.map { wrapped($0, to: terminal.columns).joined(separator: "\n") + "\n" } ?? "") + "\n"
        if !failing.isEmpty { out += failures(terminal).rendered(for: terminal) + "\n" }
        if let conditions = report.conditions {
            let readings = conditions.readings(at: phrases.now).map(\.text)
            out +=
                wrapped("Host: " + readings.joined(separator: "; ") + ".", to: terminal.columns)
                .joined(separator: "\n") + "\n"
        }
        if let unkept = enforcement.unkept {
            out += wrapped(unkept, to: terminal.columns).joined(separator: "\n") + "\n"
        }
        out += "\n" + apps.rendered(for: terminal)
        let tasks = tasks
        if !tasks.rows.isEmpty || failing.isEmpty { out += "\n" + tasks.rendered(for: terminal) }
        return out
    }

    /// More pauses than this are reported in one sentence.
    private static let fewPauses = 3

    private var pauses: [String] {
        let pauses = report.pauses ?? []
        guard pauses.count > Self.fewPauses else { return pauses.map(sentence(of:)) }
        let named = pauses.prefix(Self.fewPauses).map { $0.scope.phrase }.joined(separator: ", ")
        return [
            "\(pauses.count) pauses hold tasks back: \(named) and \(pauses.count - Self.fewPauses) more. `lull why NAME` says by "
                + "whom and until when, `lull resume NAME` ends one."
        ]
    }

    private func sentence(of pause: Pause) -> String {
        let end =
            pause.until.map { "until \(phrases.time($0)), \(phrases.relative($0))" }
            ?? "until somebody resumes it"
        let what = pause.scope.phrase.sentenceCased
        return
            "\(what) is paused \(end), \(pause.words ?? "by an operator"). `lull resume \(pause.scope.argument)` ends it."
    }

    /// The notice sinks that fail, with the reason and the remedy.
    package var deafSinks: [String] {
        (report.sinks ?? []).filter { $0.failures > 0 }.map { sink in
            let trouble = (sink.trouble ?? "it does not answer").terminalSafe.withoutFullStop
            let waiting =
                sink.waiting == 0
                ? "" : sink.waiting == 1 ? " 1 notice waits for it." : " \(sink.waiting) notices wait for it."
            return sink.sink.hasPrefix("heartbeat ")
                ? "\(sink.sink) could not be reached: \(trouble). Fix it, or take it out of the manifest; the next sign of life tries it again."
                : "\(sink.sink) could not be notified: \(trouble).\(waiting) Fix it and try it with `lull notify test`, or take it out of `notify`."
        }
    }

    /// The notice sinks whose notices are held back for a summary.
    package var heldNotices: [String] {
        (report.sinks ?? []).compactMap { sink in
            guard let held = sink.held, let until = sink.heldUntil else { return nil }
            return
                "\(Phrase.count(held, "notice")) for \(sink.sink) \(held == 1 ? "is" : "are") held back, because there were too many; "
                + "one summary follows at \(phrases.time(until)). `lull history --event notice` shows them."
        }
    }

    private var apps: Table {
        var table = Table(header: ["APP", "LAST USED", "WORKER", "REMARKS"])
        for app in report.apps {
            table.rows.append([
                .init(app.app.text),
                .init(app.lastUsed.map(phrases.relative) ?? "never"),
                .init(app.worker),
                .init(
                    remarks(app),
                    app.isIdle || app.trouble != nil || app.fault != nil || stopsSoon(app) ? .yellow : nil),
            ])
        }
        return table
    }

    /// An app that stops later than this gets no remark, which would be noise; `--json` has it.
    private static let near: Duration = .hours(72)

    private func stopsSoon(_ app: StatusReport.AppStatus) -> Bool {
        app.idlesAt.map { $0 - phrases.now < Self.near } ?? false
    }

    package func remarks(_ app: StatusReport.AppStatus) -> String {
        var remarks: [String] = []
        if let trouble = app.trouble { remarks.append(trouble) }
        if let fault = app.fault, let at = app.faultAt {
            remarks.append(
                "a worker ended \(phrases.relative(at)): \(PrintedLast(fault).inOneLine.terminalSafe)")
        }
        if !app.isEnabled {
            remarks.append(phrases.remedy("disabled: `lull enable \(app.app)` lets it run again"))
        }
        if app.isIdle {
            remarks.append("idle: not launched until it is used again")
        } else if let idlesAt = app.idlesAt, stopsSoon(app) {
            remarks.append("stops in \(Phrase.about(idlesAt - phrases.now)) unless used")
        }
        if let words = app.transfers?.words { remarks.append(words) }
        return remarks.isEmpty ? "–" : remarks.joined(separator: "; ")
    }

    private var tasks: Table {
        let others = report.tasks.filter { !$0.isFailing }
        // A column that says the same everywhere says nothing.
        let hasKinds = Set(others.map(\.kind)).count > 1
        let name = failing.isEmpty ? "TASK" : "OTHER TASK"
        var table = Table(header: [name] + (hasKinds ? ["KIND"] : []) + ["STATE", "LAST RUN", "WHY"])
        for task in others {
            let line = TaskLine(status: task, phrases: phrases, lacksHost: report.lacksHost)
            let kind = hasKinds ? [Table.Cell(task.kind.rawValue)] : []
            table.rows.append([.init(task.task.text)] + kind + [line.state, line.lastRun, .init(line.why)])
        }
        return table
    }

    private var failing: [StatusReport.TaskStatus] { report.tasks.filter(\.isFailing) }

    /// More failing tasks than this get one line of their output each, and more than `few` get three.
    private static let most = 20
    private static let few = 3

    private func failures(_ terminal: Terminal) -> Table {
        var table = Table(header: ["FAILING TASK", "LAST RUN", "WHY"])
        table.isStacked = true
        let lines = failing.count > Self.most ? 1 : failing.count > Self.few ? LastLines.few : LastLines.most
        for task in failing {
            let line = TaskLine(status: task, phrases: phrases, lacksHost: report.lacksHost)
            let cause = line.cause(quoting: lines, in: terminal.columns - Table.below)
            table.rows.append([.init(task.task.text), line.failure, .init(cause)])
        }
        return table
    }

    /// "60 tasks: 3 failing, 1 late, 2 running, 54 waiting."
    private var summary: String {
        let counts = TaskCounts(report.tasks, phrases: phrases)
        let parts = (failing.isEmpty ? ["none failing"] : []) + counts.parts
        return Phrase.count(counts.total, "task") + ": " + parts.joined(separator: ", ") + "."
    }

    /// "/etc/lull/jobs.yaml is in force since 10:04: 1 app, 9 tasks.", or that it is an earlier one.
    private var inForce: String? {
        report.inForce.map {
            ($0.trouble == nil
                ? "\($0.path) is in force since \(phrases.time($0.since)): "
                : "The manifest of \(phrases.time($0.since)) is in force, not \($0.path) as it is now: ")
                + "\(Phrase.count($0.apps, "app")), \(Phrase.count($0.tasks, "task"))."
        }
    }
}
