import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullWeb

/// The counts, in valid OpenMetrics.
struct MetricsTests {
    private let app: AppIdentifier
    private let task: TaskIdentifier
    private var labels: [String: String] { ["app": app.text, "task": task.text] }

    init() throws {
        app = try .of("com.example.App")
        task = try .of("com.example.App.nightly")
    }

    private func event(
        _ name: HistoryEvent.Name, _ time: WallTime, run: UInt64? = nil, gates: [String]? = nil,
        milliseconds: Int64? = nil, outcome: Outcome? = nil
    ) -> HistoryEvent {
        var event = HistoryEvent(
            name, at: time, app: app, task: task, run: run.map { RunID($0) }, outcome: outcome)
        event.gates = gates
        event.milliseconds = milliseconds
        return event
    }

    private func read(
        _ events: [HistoryEvent], report: StatusReport? = nil, loads: [WorkerLoad] = [], now: WallTime = at(8)
    ) throws
        -> OpenMetricsReader
    {
        var fold = MetricsFold()
        for event in events { fold.apply(event) }
        let text = MetricsText(
            fold: fold, isUp: report != nil, report: report, now: now, version: "1.2", loads: loads)
        return try OpenMetricsReader(text.rendered)
    }

    @Test func `runs count by their outcome and their time`() throws {
        let metrics = try read([
            event(.launched, at(1), run: 1),
            event(.completed, at(1), run: 1, milliseconds: 40, outcome: .succeeded),
            event(.launched, at(2), run: 2),
            event(.failed, at(2), run: 2, milliseconds: 7000, outcome: .crashed),
            event(.launched, at(3), run: 3), event(.interrupted, at(3), run: 3),
        ])
        #expect(metrics.value("lull_launches_total", labels.merging(["kind": "unknown"]) { $1 }) == 3)
        for outcome in ["succeeded", "crashed", "interrupted"] {
            #expect(metrics.value("lull_runs_total", labels.merging(["outcome": outcome]) { $1 }) == 1)
        }
        let duration = "lull_run_duration_seconds"
        #expect(metrics.value(duration + "_count", labels) == 2)
        #expect(metrics.value(duration + "_sum", labels) == 7.04)
        #expect(metrics.value(duration + "_bucket", labels.merging(["le": "5.0"]) { $1 }) == 1)
        #expect(metrics.value(duration + "_bucket", labels.merging(["le": "15.0"]) { $1 }) == 2)
    }

    @Test func `how late times of the clock are launched is counted once for each time`() throws {
        var first = event(.launched, at(1) + .seconds(2), run: 1)
        first.occurrence = Occurrence(time: at(1))
        (first.attempt, first.origin) = (Attempt(1, of: 3), nil)
        var again = event(.launched, at(1, 1), run: 2)
        again.occurrence = Occurrence(time: at(1))
        again.attempt = Attempt(2, of: 3)
        // The clock was set back.
        var early = event(.launched, at(2) + .seconds(-2), run: 3)
        early.occurrence = Occurrence(time: at(2))
        let metrics = try read([first, again, early, event(.launched, at(3), run: 4)])
        let delay = "lull_launch_delay_seconds"
        #expect(metrics.value(delay + "_count", labels) == 2)
        #expect(metrics.value(delay + "_sum", labels) == 2)
        #expect(metrics.value(delay + "_bucket", labels.merging(["le": "1.0"]) { $1 }) == 1)
    }

    @Test func `what runs cost is added up where it is known`() throws {
        let costs = [
            RunCost(processor: 1500, memory: 1, read: 4096, written: 0), RunCost(processor: 40, read: 1),
            RunCost(sharers: 2),
        ]
        let metrics = try read(
            costs.enumerated().map { index, cost in
                var end = event(.completed, at(index), run: UInt64(index + 1), outcome: .succeeded)
                end.cost = cost
                return end
            })
        #expect(metrics.value("lull_task_processor_seconds_total", labels) == 1.54)
        for (direction, bytes) in [("read", 4097.0), ("written", 0)] {
            let labels = labels.merging(["direction": direction]) { $1 }
            #expect(metrics.value("lull_task_storage_bytes_total", labels) == bytes)
        }
    }

    @Test func `a run of exactly a bound counts up to it`() throws {
        let metrics = try read([event(.completed, at(1), run: 1, milliseconds: 5000, outcome: .succeeded)])
        let bucket = labels.merging(["le": "5.0"]) { $1 }
        #expect(metrics.value("lull_run_duration_seconds_bucket", bucket) == 1)
    }

    @Test func `each closed gate counts the seconds that it kept the task waiting, up to now`() throws {
        let events = [
            event(.deferred, at(1), gates: ["window"]),
            event(.deferred, at(2), gates: ["network", "window"]),
            event(.deferred, at(3), gates: []), event(.launched, at(4), run: 1),
            event(.deferred, at(7), gates: ["load"]),
        ]
        let metrics = try read(events)
        for (gate, hours) in [("window", 2.0), ("network", 1), ("moment", 1), ("load", 1)] {
            let waited = metrics.value(
                "lull_task_waiting_seconds_total", labels.merging(["gate": gate]) { $1 })
            #expect(waited == hours * 3600, "\(gate)")
        }
        // An open wait is counted further, and not twice.
        let later = try read(events, now: at(9))
        #expect(
            later.value("lull_task_waiting_seconds_total", labels.merging(["gate": "load"]) { $1 }) == 7200)
    }

    @Test func `a clock that is set back takes nothing from a count`() throws {
        let metrics = try read([event(.deferred, at(5), gates: ["load"]), event(.launched, at(4), run: 1)])
        #expect(
            metrics.value("lull_task_waiting_seconds_total", labels.merging(["gate": "load"]) { $1 }) == 0)
    }

    @Test func `transfers are counted by their end, and their bytes`() throws {
        func note(_ note: TransferNote) -> HistoryEvent {
            var event = HistoryEvent(.transfer, at: at(1), app: app)
            event.transfer = note
            return event
        }
        func finished(_ received: Int64, _ sent: Int64) -> HistoryEvent {
            note(
                .finished(
                    TransferID(1),
                    TransferResult(status: 200, url: "", headers: [], received: received, sent: sent)))
        }
        var status = StatusReport.AppStatus(
            app: app, isEnabled: true, isIdle: false, lastUsed: nil, discovered: nil, idlesAt: nil,
            worker: "none", trouble: nil)
        status.transfers = TransferTally([.active, .waiting, .waiting, .failed])
        let metrics = try read(
            [
                finished(1000, 0), finished(24, 5), note(.cancelled(TransferID(2), keepsPart: false)),
                note(.failed(TransferID(3), TransferFailure(code: -1, sentence: "no"))),
                note(.taken(TransferID(3))),
            ], report: StatusReport(time: at(8), conditions: nil, apps: [status], tasks: []))
        func value(_ name: String, _ label: String, _ value: String) -> Double? {
            metrics.value(name, ["app": app.text, label: value])
        }
        #expect(value("lull_transfers_ended_total", "outcome", "finished") == 2)
        #expect(value("lull_transfers_ended_total", "outcome", "failed") == 1)
        #expect(value("lull_transfers_ended_total", "outcome", "cancelled") == 1)
        #expect(value("lull_transferred_bytes_total", "direction", "received") == 1024)
        #expect(value("lull_transferred_bytes_total", "direction", "sent") == 5)
        #expect(value("lull_transfers", "phase", "waiting") == 2)
        #expect(value("lull_transfers", "phase", "active") == 1)
        #expect(value("lull_transfers", "phase", "over") == 1)
    }

    @Test func `how things stand`() throws {
        let closed = GateVerdict(.window, isOpen: false, reason: "it is \"outside\"\n\\")
        let status = StatusReport.AppStatus(
            app: app, isEnabled: true, isIdle: false, lastUsed: at(1), discovered: nil, idlesAt: nil,
            worker: "warm", trouble: nil)
        let report = StatusReport(
            time: at(8), conditions: Conditions(battery: .known(0.5), load: 0.25), apps: [status],
            tasks: [
                .init(
                    task: task, app: app, kind: .refresh, running: [RunID(1)], lastRun: nil,
                    lastLaunched: at(1),
                    lastOutcome: .failed, lastMilliseconds: nil, lastReason: nil, pending: nil,
                    verdict: Verdict(task: task, gates: [closed]))
            ])
        let load = WorkerLoad(app: app, pid: 3, processes: 2, memory: 12288, cpuMilliseconds: 1500)
        let metrics = try read([], report: report, loads: [load])
        #expect(metrics.value("lull_up") == 1)
        #expect(metrics.value("lull_info", ["version": "1.2"]) == 1)
        #expect(metrics.value("lull_task_running", labels) == 1)
        #expect(metrics.value("lull_task_gate_closed", labels.merging(["gate": "window"]) { $1 }) == 1)
        #expect(metrics.value("lull_task_last_run_failed", labels) == 1)
        #expect(metrics.value("lull_worker_memory_bytes", ["app": app.text]) == 12288)
        #expect(metrics.value("lull_worker_cpu_seconds_total", ["app": app.text]) == 1.5)
        #expect(metrics.value("lull_host_battery_ratio") == 0.5)
        #expect(metrics.value("lull_host_load") == 0.25)
        #expect(try read([]).value("lull_up") == 0)
    }

    @Test func `what is late, paused or not delivered`() throws {
        var late = StatusReport.TaskStatus(
            task: task, app: app, kind: .refresh, running: [], lastRun: nil, lastLaunched: nil,
            lastOutcome: nil, lastMilliseconds: nil, lastReason: nil, pending: nil,
            verdict: Verdict(task: task, gates: []))
        late.lateness = "it last succeeded on Monday"
        var other = late
        (other.task, other.lateness) = (try .of("com.example.App.tidy"), nil)
        var report = StatusReport(time: at(8), conditions: nil, apps: [], tasks: [late, other])
        report.pauses = [Pause(.task(other.task), since: at(7), until: nil, reason: "by alice")]
        var sink = StatusReport.SinkStatus(
            sink: "journal", delivered: nil, failures: 3, trouble: "no", waiting: 2)
        sink.held = 5
        report.sinks = [sink]
        report.historyTrouble = "The disk is full."
        report.fleetAway = .seconds(90)
        let metrics = try read([], report: report)
        let others = ["app": app.text, "task": other.task.text]
        #expect(metrics.value("lull_task_late", labels) == 1)
        #expect(metrics.value("lull_task_late", others) == 0)
        #expect(metrics.value("lull_task_paused", labels) == 0)
        #expect(metrics.value("lull_task_paused", others) == 1)
        #expect(metrics.value("lull_sink_failures", ["sink": "journal"]) == 3)
        #expect(metrics.value("lull_sink_notices_waiting", ["sink": "journal"]) == 2)
        #expect(metrics.value("lull_sink_notices_held", ["sink": "journal"]) == 5)
        #expect(metrics.value("lull_history_trouble") == 1)
        #expect(metrics.value("lull_fleet_database_away_seconds") == 90)
        for scope in [Pause.Scope.all, .app(app)] {
            report.pauses = [Pause(scope, since: at(7), until: nil, reason: "by alice")]
            #expect(try read([], report: report).value("lull_task_paused", labels) == 1)
        }
    }

    @Test func `labels are escaped, and the reader sees them whole`() throws {
        var out = OpenMetrics()
        out.family("x", .gauge, "A \"help\"\nwith \\ in it.")
        let wild = "a\"b\\c\nd{}=,ü"
        out.sample([("l", wild)], 1)
        #expect(try OpenMetricsReader(out.text).value("x", ["l": wild]) == 1)
    }

    @Test(arguments: [
        "x 1\n# EOF\n", "# TYPE x gauge\nx 1\n", "# TYPE x gauge\nx 1\nx 1\n# EOF\n",
        "# TYPE x counter\nx 1\n# EOF\n", "# TYPE x gauge\n# UNIT x seconds\n# EOF\n",
        "# TYPE x gauge\nx{a=\"b} 1\n# EOF\n", "# TYPE x gauge\nx one\n# EOF\n",
        "# TYPE x gauge\n# EOF\nx 1\n",
        "# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_count 1\n# EOF\n",
        "# TYPE x gauge\n# TYPE y gauge\nx 1\n# EOF\n",
    ])
    func `the reader refuses what is not OpenMetrics`(text: String) {
        #expect(throws: OpenMetricsReader.Fault.self) { try OpenMetricsReader(text) }
    }

    @Test(arguments: ["packaging/grafana/lull.json", "packaging/prometheus/lull-alerts.yaml"])
    func `what the dashboard and the alerts ask for is exported`(path: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let data = try Data(contentsOf: root.appendingPathComponent(path))
        if path.hasSuffix(".json") { _ = try JSONSerialization.jsonObject(with: data) }
        let text = String(decoding: data, as: UTF8.self)
        let families = Set(MetricsText.families)
        var count = 0
        for match in text.matches(of: /\blull_[a-z_]+/) {
            var name = String(match.0)
            for suffix in ["_total", "_bucket", "_count", "_sum", "_info"] where name.hasSuffix(suffix) {
                name = String(name.dropLast(suffix.count))
            }
            count += 1
            #expect(families.contains(name), "\(path) asks for \(match.0)")
        }
        #expect(count > 5)
    }
}
