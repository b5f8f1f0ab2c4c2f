public import LullModel

/// The figures of a host as OpenMetrics: the counts of the history, and the present state.
public struct MetricsText {
    let fold: MetricsFold
    /// Whether a host answers.
    let isUp: Bool
    let report: StatusReport?
    let now: WallTime
    let version: String
    let loads: [WorkerLoad]

    public init(
        fold: MetricsFold, isUp: Bool, report: StatusReport?, now: WallTime, version: String,
        loads: [WorkerLoad] = []
    ) {
        self.fold = fold
        self.isUp = isUp
        self.report = report
        self.now = now
        self.version = version
        self.loads = loads
    }

    /// The names of all families, against which dashboards are checked.
    static var families: [String] {
        var all: [String] = []
        let text = MetricsText(
            fold: MetricsFold(), isUp: false, report: nil, now: WallTime(seconds: 0), version: ""
        ).rendered
        for line in text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            all.append(String(line.split(separator: " ")[2]))
        }
        return all
    }

    /// The whole text.
    public var rendered: String {
        var out = OpenMetrics()
        out.family("lull", .info, "The version of Lull.")
        out.sample([("version", version)], 1)
        out.family("lull_up", .gauge, "Whether the host answers.")
        out.sample([], isUp ? 1 : 0)
        counted(&out)
        tasks(&out)
        apps(&out)
        notices(&out)
        host(&out)
        return out.text
    }

    private func labels(_ key: MetricsFold.RunKey, _ detail: String) -> OpenMetrics.Labels {
        [("app", key.app.text), ("task", key.task.text), (detail, key.detail)]
    }

    private func counted(_ out: inout OpenMetrics) {
        func put(_ counts: [MetricsFold.RunKey: UInt64], _ detail: String) {
            for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
                out.sample(labels(key, detail), Double(count))
            }
        }
        func put(_ durations: [TaskIdentifier: MetricsFold.Durations]) {
            for (task, entry) in durations.sorted(by: { $0.key < $1.key }) {
                out.histogram(
                    [("app", entry.app.text), ("task", task.text)], bounds: MetricsFold.bounds,
                    counts: entry.counts, sum: entry.sum)
            }
        }
        out.family("lull_launches", .counter, "Runs launched, by the kind that they were launched as.")
        put(fold.launches, "kind")
        out.family("lull_runs", .counter, "Runs ended, by their outcome.")
        put(fold.runs, "outcome")
        out.family(
            "lull_run_duration_seconds", .histogram, unit: "seconds",
            "How long runs took, from launch to outcome.")
        put(fold.durations)
        out.family(
            "lull_launch_delay_seconds", .histogram, unit: "seconds",
            "From a time of `at` to its launch, `spread` included; first attempts only.")
        put(fold.delays)
        out.family(
            "lull_task_processor_seconds", .counter, unit: "seconds",
            "Of the processors, for ended runs of which it is known.")
        for (task, entry) in fold.processor.sorted(by: { $0.key < $1.key }) {
            out.sample([("app", entry.app.text), ("task", task.text)], entry.seconds)
        }
        out.family(
            "lull_task_storage_bytes", .counter, unit: "bytes",
            "What ended runs have read from storage and written to it, where it is known.")
        for (key, bytes) in fold.storage.sorted(by: { $0.key < $1.key }) {
            out.sample(labels(key, "direction"), bytes)
        }
        out.family(
            "lull_task_waiting_seconds", .counter, unit: "seconds",
            "For how long each closed gate has kept a task waiting; gates that were closed together count each."
        )
        for (key, seconds) in fold.waiting(at: now).sorted(by: { $0.key < $1.key }) {
            out.sample(labels(key, "gate"), seconds)
        }
        out.family("lull_uses", .counter, "Uses of an app.")
        for (app, count) in fold.uses.sorted(by: { $0.key < $1.key }) {
            out.sample([("app", app.text)], Double(count))
        }
        out.family("lull_violations", .counter, "Violations of the contract by plugins and workers.")
        // A series that begins with its first count shows no increase, so each app has one from the beginning.
        let none = Dictionary((report?.apps ?? []).map { ($0.app, UInt64(0)) }) { first, _ in first }
        for (app, count) in fold.violations.merging(none, uniquingKeysWith: max).sorted(by: {
            $0.key < $1.key
        }) {
            out.sample([("app", app.text)], Double(count))
        }
        out.family("lull_transfers_ended", .counter, "Transfers that ended, by their outcome.")
        for (key, count) in fold.transfers.sorted(by: { $0.key < $1.key }) {
            out.sample([("app", key.app.text), ("outcome", key.detail)], Double(count))
        }
        out.family(
            "lull_transferred_bytes", .counter, unit: "bytes",
            "Bytes that finished transfers received and sent.")
        for (key, bytes) in fold.transferred.sorted(by: { $0.key < $1.key }) {
            out.sample([("app", key.app.text), ("direction", key.detail)], bytes)
        }
        out.family("lull_history_events", .counter, "Events in the history, by their name.")
        for (name, count) in fold.events.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            out.sample([("event", name.rawValue)], Double(count))
        }
        out.family(
            "lull_host_absent_seconds", .counter, unit: "seconds",
            "For how long no host could launch anything: none ran, or it slept.")
        out.sample([], fold.absent)
        out.family("lull_refresh_price", .gauge, "The least gain that justified the last refresh launch.")
        if let price = fold.price { out.sample([], price) }
        out.family("lull_refresh_budget", .gauge, "Refresh launches a day that were allowed at the last one.")
        if let budget = fold.budget { out.sample([], budget) }
    }

    private func tasks(_ out: inout OpenMetrics) {
        let tasks = (report?.tasks ?? []).filter { !$0.task.isWildcard }
        func each(_ value: (StatusReport.TaskStatus) -> Double?) {
            for task in tasks {
                guard let value = value(task) else { continue }
                out.sample([("app", task.app.text), ("task", task.task.text)], value)
            }
        }
        out.family("lull_task_running", .gauge, "Runs under way.")
        each { Double($0.running.count) }
        out.family("lull_task_pending", .gauge, "Whether a request waits.")
        each { $0.pending == nil ? 0 : 1 }
        out.family("lull_task_may_run", .gauge, "Whether every gate is open.")
        each { $0.verdict.mayRun ? 1 : 0 }
        out.family("lull_task_gate_closed", .gauge, "1 for each gate that keeps a task from running now.")
        for task in tasks {
            for gate in task.verdict.closed {
                out.sample(
                    [("app", task.app.text), ("task", task.task.text), ("gate", gate.gate.rawValue)], 1)
            }
        }
        out.family(
            "lull_task_last_launch_timestamp_seconds", .gauge, unit: "seconds", "When it was last launched.")
        each { $0.lastLaunched.map { Double($0.milliseconds) / 1000 } }
        out.family(
            "lull_task_last_success_timestamp_seconds", .gauge, unit: "seconds",
            "When it last succeeded.")
        each { fold.lastSuccess[$0.task].map { Double($0.milliseconds) / 1000 } }
        out.family(
            "lull_task_known_since_timestamp_seconds", .gauge, unit: "seconds",
            "When it first appears in the history.")
        each { fold.knownSince[$0.task].map { Double($0.milliseconds) / 1000 } }
        out.family("lull_task_last_run_failed", .gauge, "Whether its last run failed.")
        each { $0.lastOutcome == nil ? nil : $0.isFailing ? 1 : 0 }
        out.family(
            "lull_task_late", .gauge,
            "Whether it is late, as in `lull status`: not launched by when it was expected, or short of its `expect`."
        )
        each { $0.lateness == nil ? 0 : 1 }
        out.family("lull_task_paused", .gauge, "Whether a pause of it, of its app or of all holds it back.")
        each { task in
            let scopes: [Pause.Scope] = [.all, .app(task.app), .task(task.task)]
            return report?.pauses?.contains { scopes.contains($0.scope) } == true ? 1 : 0
        }
    }

    private func apps(_ out: inout OpenMetrics) {
        let apps = report?.apps ?? []
        func each(_ value: (StatusReport.AppStatus) -> Double?) {
            for app in apps {
                guard let value = value(app) else { continue }
                out.sample([("app", app.app.text)], value)
            }
        }
        out.family("lull_app_enabled", .gauge, "Whether an app is enabled.")
        each { $0.isEnabled ? 1 : 0 }
        out.family("lull_app_idle", .gauge, "Whether an app is idle, and not launched until it is used.")
        each { $0.isIdle ? 1 : 0 }
        out.family("lull_app_trouble", .gauge, "Whether something keeps an app's plugin from loading.")
        each { $0.trouble == nil ? 0 : 1 }
        out.family(
            "lull_app_last_use_timestamp_seconds", .gauge, unit: "seconds", "When an app was last used.")
        each { $0.lastUsed.map { Double($0.milliseconds) / 1000 } }
        out.family(
            "lull_transfers", .gauge, "Transfers whose result the app has not received, by their state.")
        for app in apps {
            for (phase, count) in app.transfers?.phases ?? [] {
                out.sample([("app", app.app.text), ("phase", phase)], Double(count))
            }
        }
        out.family(
            "lull_worker_memory_bytes", .gauge, unit: "bytes",
            "Private memory of an app's worker and of all processes that it has started.")
        for load in loads { out.sample([("app", load.app.text)], Double(load.memory)) }
        out.family("lull_worker_processes", .gauge, "Processes: an app's worker and all that it has started.")
        for load in loads { out.sample([("app", load.app.text)], Double(load.processes)) }
        out.family(
            "lull_worker_cpu_seconds", .counter, unit: "seconds",
            "Processor time since the worker was started.")
        for load in loads { out.sample([("app", load.app.text)], Double(load.cpuMilliseconds) / 1000) }
    }

    private func notices(_ out: inout OpenMetrics) {
        func each(_ value: (StatusReport.SinkStatus) -> Int) {
            for sink in report?.sinks ?? [] { out.sample([("sink", sink.sink)], Double(value(sink))) }
        }
        out.family("lull_sink_failures", .gauge, "Tries in a row in which a sink took no notice.")
        each(\.failures)
        out.family("lull_sink_notices_waiting", .gauge, "Notices that wait for a sink.")
        each(\.waiting)
        out.family(
            "lull_sink_notices_held", .gauge,
            "Notices held back for one summary, because there were too many.")
        each { $0.held ?? 0 }
    }

    private func host(_ out: inout OpenMetrics) {
        out.family("lull_history_trouble", .gauge, "Whether the host can't record to its history.")
        if let report { out.sample([], report.historyTrouble == nil ? 0 : 1) }
        out.family(
            "lull_fleet_database_away_seconds", .gauge, unit: "seconds",
            "For how long the fleet's database has not answered this host; 0: it answers; absent: no fleet.")
        if let away = report?.fleetAway { out.sample([], away.inSeconds) }
        out.family(
            "lull_manifest_refused", .gauge,
            "Whether the manifest has errors, so that the previous one is still in force.")
        if let inForce = report?.inForce { out.sample([], inForce.trouble == nil ? 0 : 1) }
        let conditions = report?.conditions
        func one(_ value: Double?) {
            if let value { out.sample([], value) }
        }
        out.family("lull_host_load", .gauge, "Load average over a minute, per core.")
        one(conditions?.load)
        out.family(
            "lull_host_cpu_pressure_ratio", .gauge, unit: "ratio", "Share of time waited for a processor.")
        one(conditions?.cpuPressure)
        out.family(
            "lull_host_memory_pressure_ratio", .gauge, unit: "ratio", "Share of time waited for memory.")
        one(conditions?.memoryPressure)
        out.family("lull_host_disk_free_bytes", .gauge, unit: "bytes", "Free for the state folder.")
        one(conditions.map { Double($0.diskFree) })
        out.family("lull_host_external_power", .gauge, "Whether there is external power; absent if unknown.")
        one(conditions?.externalPower.value.map { $0 ? 1 : 0 })
        out.family("lull_host_battery_ratio", .gauge, unit: "ratio", "The charge; absent if unknown.")
        one(conditions?.battery.value)
        out.family("lull_host_network", .gauge, "1 for the network there is: none, metered or unmetered.")
        if let network = conditions?.network.value { out.sample([("network", network.rawValue)], 1) }
        out.family("lull_host_idle", .gauge, "Whether nobody is at the host; absent if unknown.")
        one(
            conditions?.presence.value.map { presence in
                if case .idle = presence { 1 } else { 0 }
            })
    }
}
