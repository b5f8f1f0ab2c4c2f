import ArgumentParser
import LullConditions
import LullControl
import LullHost
import LullModel
import LullWorkers

struct StatusCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show every app and task: what runs, what waits, and why.",
        discussion: """
            Of the running host or, when none runs, of the state that it left, judged now.

            JSON has times as RFC 3339 in UTC and spans in milliseconds; what is unknown or does not apply is absent.

            Examples:
              lull status
              lull status --watch
              lull status --json | jq -r '.tasks[] | select(.verdict.may_run) | .task'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Flag(help: "Print JSON.") var json = false
    @Flag(help: "Stay, and show anew what changes; q quits.") var watch = false
    var manifest: String? { manifestOption.path }

    func validate() throws {
        if watch, json {
            throw ValidationError(
                "--watch is for people and --json for programs: give one. `lull history --json` has each event."
            )
        }
    }

    func run() throws {
        if watch {
            let instead = "`lull status` prints it once, and `lull status --json` is for programs."
            let screen = try Screen(command: "lull status --watch", instead: instead)
            return try LiveLoop.show(StatusWatch(), on: screen, options)
        }
        let report = try status()
        if json { return try Output.json(StatusJSON(report)) }
        Output.answer(styled: StatusText(report: report, phrases: options.phrases).rendered(for: .output))
    }
}

/// A status report for people.
struct StatusText {
    let report: StatusReport
    let phrases: Phrases

    func rendered(for terminal: Terminal) -> String {
        var out = ""
        for remark in report.remarks ?? [] {
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
        var table = Table(header: ["TASK", "KIND", "STATE", "LAST RUN", "WHY"])
        for task in report.tasks {
            let line = TaskLine(status: task, phrases: phrases)
            table.rows.append([
                .init(task.task.text), .init(task.kind.rawValue), line.state, line.lastRun, .init(line.why),
            ])
        }
        return table
    }
}
