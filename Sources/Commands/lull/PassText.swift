import LullCommands
import LullHost
import LullModel

/// The result of a pass, for people: a row for each task of the manifest.
struct PassText {
    let result: HostResult
    let phrases: Phrases

    func rendered(for terminal: Terminal) -> String {
        var table = Table(header: ["TASK", "RESULT", "DETAILS"])
        for task in result.report.tasks {
            let runs = result.pass.ended.filter { $0.task == task.task }
            if runs.isEmpty {
                let line = TaskLine(status: task, phrases: phrases)
                table.rows.append([.init(task.task.text), line.state, .init(line.why + lastRun(task))])
            }
            for run in runs { table.rows.append([.init(task.task.text), outcome(run), .init(details(run))]) }
        }
        // A task under a wildcard is listed only while it waits or runs.
        let listed = Set(result.report.tasks.map(\.task))
        for run in result.pass.ended {
            guard let task = run.task, !listed.contains(task) else { continue }
            table.rows.append([.init(task.text), outcome(run), .init(details(run))])
        }
        let failed = result.pass.ended.count(where: \.isFailure)
        let ran = result.pass.ended.count - failed
        let rest = result.report.tasks.filter { task in
            !result.pass.ended.contains { $0.task == task.task }
        }
        let waits = TaskCounts(rest, phrases: phrases, tellsFailing: false).parts
        let counts = ["\(ran) ran", "\(failed) failed"] + waits
        return table.rendered(for: terminal)
            + "\n\(counts.joined(separator: ", ")). `lull why TASK` says why a task waits.\n"
    }

    private func outcome(_ event: HistoryEvent) -> Table.Cell {
        let outcome = event.outcome ?? .failed
        return outcome.isSuccess ? .init("ran", .green) : .init(outcome.rawValue, .red)
    }

    private func details(_ event: HistoryEvent) -> String {
        var parts: [String] = []
        if let milliseconds = event.milliseconds { parts.append(Phrase.about(.milliseconds(milliseconds))) }
        if let reason = event.reason, !reason.isEmpty { parts.append(PrintedLast(reason).quoted) }
        return parts.joined(separator: ": ")
    }

    /// A pass knows the runs of earlier passes.
    private func lastRun(_ task: StatusReport.TaskStatus) -> String {
        guard let launched = task.lastLaunched else { return "" }
        return "; last run \(phrases.relative(launched))"
    }
}

/// The result of a pass, for programs.
struct PassReport: Encodable {
    /// The ends of its runs.
    let events: [EventJSON]
    let tasks: [TaskJSON]

    init(_ result: HostResult) {
        events = result.pass.ended.map(EventJSON.init)
        tasks = result.report.tasks.map(TaskJSON.init)
    }
}
