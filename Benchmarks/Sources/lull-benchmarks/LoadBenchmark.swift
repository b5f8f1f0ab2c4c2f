import Foundation
import LullControl
import LullHistory
import LullModel
import LullScheduler
import Synchronization

/// More load than any host gets: a month of 10,000 tasks, 100,000 submits, 10,000 uses a second. A lost event is an
/// error.
struct LoadBenchmark {
    let workshop: Workshop
    private static let submits = 100_000
    private static let uses = 100_000
    private static let asked = 20_000

    func rows() throws -> [Row] {
        let write = Sample([try Durability(folder: workshop.folder).write(times: 200)])
        let disk = (name: "one fsync'd 4 KiB write", sample: write)
        return try submitRows(disk) + askRows(disk) + useRows(disk) + monthRows()
    }

    // MARK: - A month

    private func monthRows() throws -> [Row] {
        Progress.say("  a month of 10,000 tasks in 1,000 apps …")
        let watch = Stopwatch()
        var month = MonthWorld(apps: 1000, tasksPerApp: 10)
        month.run(days: 30)
        let took = watch.nanoseconds
        guard month.faults == 0, month.disagreements == 0 else {
            throw BenchmarkError("\(month.faults) faults and \(month.disagreements) requests lost in a month")
        }
        let spans = month.spans.sorted()
        let name = "a month, 10,000 tasks in 1,000 apps"
        let counts =
            "\(Figures.grouped(month.runs)) runs, \(Figures.grouped(month.uses)) uses, "
            + "\(Figures.grouped(month.events)) events; 0 lost"
        return [
            Row(name, Figures.time(took), against: counts, ratio: "–", aim: "–"),
            Row(
                "… one event in the scheduler, p50 and p99",
                "\(Figures.time(Self.quantile(spans, 0.5))), \(Figures.time(Self.quantile(spans, 0.99)))",
                against: "–", ratio: "–", aim: "–"),
            Row("… memory at its most", Self.peak(of: "self"), against: "–", ratio: "–", aim: "–"),
        ]
    }

    // MARK: - Submits and uses into scheduler and history

    /// As many clients as may connect at once; each asks again when it is answered.
    private static let clients = 256

    private struct Finding {
        var perSecond: Double
        var spans: [Double]
    }

    private func submitRows(_ disk: (name: String, sample: Sample)) throws -> [Row] {
        Progress.say("  100,000 submits …")
        let folder = try workshop.empty("submits")
        var world = try DecisionWorld(pending: 10_000, areDue: false)
        let before = world.recorded.count
        let finding = try feed(Self.submits, into: folder) { number in try world.record(submit: number) }
        let events = try SQLiteHistory.open(folder: folder, mode: .readOnly).events(
            matching: HistoryQuery(names: [.submitted]))
        guard Set(events.map(\.request)).count == Self.submits, before == 0 else {
            throw BenchmarkError("\(Self.submits) submits were acknowledged, and \(events.count) are there")
        }
        return rows("100,000 submits, scheduler and history, 256 at once", finding, disk)
    }

    private func useRows(_ disk: (name: String, sample: Sample)) throws -> [Row] {
        Progress.say("  100,000 uses …")
        let folder = try workshop.empty("uses")
        var world = try DecisionWorld(pending: 10_000, areDue: false)
        let finding = try feed(Self.uses, into: folder) { number in world.record(use: number) }
        let events = try SQLiteHistory.open(folder: folder, mode: .readOnly).events(
            matching: HistoryQuery(names: [.used]))
        guard events.count == Self.uses else {
            throw BenchmarkError("\(Self.uses) uses were acknowledged, and \(events.count) are there")
        }
        return rows("100,000 uses, scheduler and history, 256 at once", finding, disk, aim: "10,000 a second")
    }

    /// Hands over the events that `decide` records, and measures the time until each is durable.
    private func feed(
        _ count: Int, into folder: String, decide: (Int) throws -> [HistoryEvent]
    ) throws -> Finding {
        let history = try SQLiteHistory.open(folder: folder, mode: .readWrite)
        let writer = HistoryWriter(history)
        let room = DispatchSemaphore(value: Self.clients)
        let ends = Mutex<(spans: [Double], failures: Int)>(([], 0))
        let whole = Stopwatch()
        for number in 0..<count {
            room.wait()
            let watch = Stopwatch()
            writer.submit(HistoryBatch(events: try decide(number))) { result in
                ends.withLock { ends in
                    ends.spans.append(watch.nanoseconds)
                    if case .failure = result { ends.failures += 1 }
                }
                room.signal()
            }
        }
        writer.flush()
        let took = whole.nanoseconds
        writer.close()
        try history.close()
        let (spans, failures) = ends.withLock { $0 }
        guard failures == 0, spans.count == count else { throw BenchmarkError("\(failures) commits failed") }
        return Finding(perSecond: Double(count) / took * 1e9, spans: spans.sorted())
    }

    // MARK: - Through the control socket

    private func askRows(_ disk: (name: String, sample: Sample)) throws -> [Row] {
        Progress.say("  20,000 submits through the control socket …")
        let manifest = NoOpManifest(plugin: workshop.plugin, apps: 100, tasksPerApp: 10, keepWarm: "0s")
        let host = try RealHost(workshop, name: "load", manifest: manifest.text)
        try host.settle(workers: "none")
        let tasks = (0..<1000).compactMap { TaskIdentifier(manifest.task($0)) }
        let begin = WallTime(seconds: 4_000_000_000)
        let found = Mutex<(spans: [Double], requests: Set<String>)>(([], []))
        let group = DispatchGroup()
        let clients = 8
        let state = host.state
        let whole = Stopwatch()
        for client in 0..<clients {
            group.enter()
            Thread {
                defer { group.leave() }
                guard let socket = try? ControlClient(stateFolder: state) else { return }
                for number in stride(from: client, to: Self.asked, by: clients) {
                    let watch = Stopwatch()
                    let order = Ask.Submit(tasks[number % tasks.count], earliestBegin: begin)
                    guard let sentence = try? socket.ask(order).sentence else { return }
                    let span = watch.nanoseconds
                    found.withLock { found in
                        found.spans.append(span)
                        found.requests.insert(sentence)
                    }
                }
            }.start()
        }
        group.wait()
        let took = whole.nanoseconds
        let memory = Self.peak(of: "\(host.pid)")
        host.stop()
        let (spans, requests) = found.withLock { $0 }
        let events = try SQLiteHistory.open(folder: state, mode: .readOnly).events(
            matching: HistoryQuery(names: [.submitted]))
        let known = Set(events.compactMap { event in event.request.map { "Accepted as request \($0)." } })
        guard requests.count == Self.asked, requests.isSubset(of: known) else {
            throw BenchmarkError("of \(requests.count) acknowledged submits some are not in the history")
        }
        let finding = Finding(perSecond: Double(Self.asked) / took * 1e9, spans: spans.sorted())
        return rows("20,000 submits through the control socket, 8 clients", finding, disk)
            + [Row("… memory of that host at its most", memory, against: "–", ratio: "–", aim: "–")]
    }

    // MARK: - Figures

    private func rows(
        _ name: String, _ finding: Finding, _ disk: (name: String, sample: Sample), aim: String = "–"
    ) -> [Row] {
        let median = Self.quantile(finding.spans, 0.5)
        return [
            Row(
                name, "\(Figures.grouped(Int(finding.perSecond))) a second", against: "0 lost", ratio: "–",
                aim: aim),
            Row(
                "… until durable, p50 and p99",
                "\(Figures.time(median)), \(Figures.time(Self.quantile(finding.spans, 0.99)))",
                against: "\(disk.name): \(Figures.time(disk.sample.median))",
                ratio: Figures.ratio(median / disk.sample.median), aim: "–"),
        ]
    }

    private static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// The peak memory of a process.
    private static func peak(of process: String) -> String {
        let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        return "\(Figures.number(kibibytes / 1024)) MiB"
    }
}
