import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullWeb

/// The shipped alerts, firing and not, as Prometheus' own tool judges them.
struct AlertRulesTests {
    private static let promtool = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
        .split(separator: ":").map { $0 + "/promtool" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("packaging/prometheus")

    @Test(.enabled(if: promtool != nil, "promtool is not there: apt-get install prometheus"))
    func `each rule fires when it has to, and only then`() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.promtool))
        process.arguments = ["test", "rules", "lull-alerts.test.yaml"]
        process.currentDirectoryURL = Self.folder
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
    }

    @Test func `each rule has a test in which it fires, and one in which it does not`() throws {
        func text(_ name: String) throws -> String {
            try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        }
        let tests = try text("lull-alerts.test.yaml")
        let rules = try text("lull-alerts.yaml").matches(of: /- alert: (\w+)/).map { String($0.1) }
        #expect(rules.count == 11)
        for rule in rules {
            let fires = try Regex("alertname: \(rule)\\n +eval_time: \\w+\\n +exp_alerts:\\n")
            let rests = try Regex("alertname: \(rule), eval_time: \\w+, exp_alerts: \\[\\]")
            #expect(tests.contains(fires) && tests.contains(rests), "\(rule)")
        }
    }

    /// Rules about a first time need series that exist before it.
    @Test func `an app without violations and a task that never succeeded have series`() throws {
        let (app, task) = (
            try AppIdentifier.of("com.example.App"), try TaskIdentifier.of("com.example.App.nightly")
        )
        var fold = MetricsFold()
        fold.apply(HistoryEvent(.submitted, at: at(1), app: app, task: task))
        fold.apply(HistoryEvent(.failed, at: at(2), app: app, task: task, run: RunID(1), outcome: .failed))
        let status = StatusReport.TaskStatus(
            task: task, app: app, kind: .processing, running: [], lastRun: RunID(1), lastLaunched: at(2),
            lastOutcome: .failed, lastMilliseconds: 1, lastReason: nil, pending: nil,
            verdict: Verdict(task: task, gates: []))
        let report = StatusReport(
            time: at(8), conditions: nil,
            apps: [
                .init(
                    app: app, isEnabled: true, isIdle: false, lastUsed: nil, discovered: nil, idlesAt: nil,
                    worker: "none", trouble: nil)
            ], tasks: [status])
        func read(_ fold: MetricsFold) throws -> OpenMetricsReader {
            let text = MetricsText(fold: fold, isUp: true, report: report, now: at(8), version: "1")
            return try OpenMetricsReader(text.rendered)
        }
        let labels = ["app": app.text, "task": task.text]
        #expect(try read(fold).value("lull_violations_total", ["app": app.text]) == 0)
        let known = try read(fold).value("lull_task_known_since_timestamp_seconds", labels)
        #expect(known == Double(at(1).milliseconds) / 1000)
        #expect(try read(fold).value("lull_task_last_success_timestamp_seconds", labels) == nil)
        fold.apply(HistoryEvent(.violation, at: at(3), app: app))
        #expect(try read(fold).value("lull_violations_total", ["app": app.text]) == 1)
    }
}
