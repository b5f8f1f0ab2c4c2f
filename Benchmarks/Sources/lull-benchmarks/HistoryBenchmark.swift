import Foundation
import LullHistory
import LullModel

/// The size of a history on the disk, and its response time after a year.
///
/// Ten tasks run every minute. Each run is requested, launched and completed, as the host records it, and prints nothing.
struct HistoryBenchmark {
    let workshop: Workshop
    private static let tasks = 10
    private static let runs = 100_000
    private static let minutesOfYear = 365 * 24 * 60

    func rows() throws -> [Row] {
        try sizeRows() + yearRows()
    }

    // MARK: - Size

    private func sizeRows() throws -> [Row] {
        Progress.say("  \(Figures.grouped(Self.runs)) runs …")
        let folder = try workshop.empty("history-size")
        let history = try SQLiteHistory.open(folder: folder, mode: .readWrite)
        try fill(history, minutes: Self.runs / Self.tasks, batch: 20)
        let bytes = try Self.bytes(of: history)
        return [
            Row(
                "\(Figures.grouped(Self.runs)) runs without output: of the file for each",
                "\(Figures.number(Double(bytes) / Double(Self.runs))) bytes", against: "–", ratio: "–",
                aim: "400 bytes")
        ]
    }

    /// Closes the history first, so that all of it is in the main file.
    private static func bytes(of history: SQLiteHistory) throws -> Int {
        try history.close()
        let size = try FileManager.default.attributesOfItem(atPath: history.path)[.size] as? NSNumber
        return size?.intValue ?? 0
    }

    /// `batch`: the number of runs whose events are one commit.
    private func fill(_ history: SQLiteHistory, minutes: Int, batch: Int) throws {
        var world = HistoryWorld(tasks: Self.tasks)
        var batches: [HistoryBatch] = []
        for _ in 0..<minutes {
            for events in try world.minute() {
                batches.append(HistoryBatch(events: events))
                if batches.count >= batch {
                    try history.append(batches)
                    batches = []
                }
            }
        }
        try history.append(batches)
    }

    // MARK: - A year

    private func yearRows() throws -> [Row] {
        let count = Self.minutesOfYear * Self.tasks
        Progress.say("  a year of \(Figures.grouped(count)) runs …")
        let folder = try workshop.empty("history-year")
        let made = try SQLiteHistory.open(folder: folder, mode: .readWrite)
        try fill(made, minutes: Self.minutesOfYear, batch: 2000)
        let size = try Self.bytes(of: made)
        let end = HistoryWorld.start + .minutes(Self.minutesOfYear)
        let task = HistoryWorld(tasks: Self.tasks).task(3)
        func time(_ body: (SQLiteHistory) throws -> Void) throws -> Sample {
            let history = try SQLiteHistory.open(folder: folder, mode: .readOnly)
            return try Sample.of(9) {
                let watch = Stopwatch()
                try body(history)
                return watch.nanoseconds
            }
        }
        let reading = try Sample.of(9) {
            let watch = Stopwatch()
            _ = try SQLiteHistory.open(folder: folder, mode: .readOnly)
            return watch.nanoseconds
        }
        func writing(_ count: Int, _ prepare: () throws -> Void = {}) throws -> Sample {
            try Sample.of(count) {
                try prepare()
                let watch = Stopwatch()
                try SQLiteHistory.open(folder: folder, mode: .readWrite).close()
                return watch.nanoseconds
            }
        }
        let asClosed = try writing(9)
        // As after a host that was killed.
        let cutOff = try writing(3) { try FileManager.default.removeItem(atPath: made.path + "-seal") }
        let newest = try time { _ = try $0.events(matching: HistoryQuery(order: .newestFirst, limit: 50)) }
        let ofTask = try time {
            _ = try $0.events(matching: HistoryQuery(task: task, order: .newestFirst, limit: 50))
        }
        let failures = try time {
            _ = try $0.events(
                matching: HistoryQuery(names: [.failed, .interrupted], order: .newestFirst, limit: 50))
        }
        let run = try time { _ = try $0.events(matching: HistoryQuery(run: RunID(UInt64(count / 2)))) }
        let night = try time {
            try Self.night($0, (0..<Self.tasks).map(HistoryWorld(tasks: Self.tasks).task), end)
        }
        let conditions = try time {
            _ = try $0.events(matching: HistoryQuery(names: [.conditions], since: end - .days(29)))
        }
        let name = "a year of \(Figures.grouped(count)) runs (\(Figures.mebibytes(Double(size))))"
        func row(_ name: String, _ sample: Sample, aim: String) -> Row {
            Row(name, Figures.spread(sample), against: "–", ratio: "–", aim: aim)
        }
        return [
            row("\(name): opened for reading", reading, aim: "100 ms"),
            row("… opened for writing, as it was closed", asClosed, aim: "100 ms"),
            row("… the same after a host that was cut off: SQLite looks at each page", cutOff, aim: "–"),
            row("… the newest 50 events (`lull history`)", newest, aim: "50 ms"),
            row("… of one task (`lull history --task`)", ofTask, aim: "50 ms"),
            row("… the newest 50 failures", failures, aim: "50 ms"),
            row("… one run (`lull history RUN`)", run, aim: "50 ms"),
            row("… what `lull night` reads", night, aim: "50 ms"),
            row("… the conditions of 29 days, which `lull why` reads", conditions, aim: "50 ms"),
        ]
    }

    /// The query of `Timeline.read`.
    private static func night(_ history: SQLiteHistory, _ tasks: [TaskIdentifier], _ end: WallTime) throws {
        let names: Set<HistoryEvent.Name> = [
            .submitted, .deferred, .cancelled, .givenUp, .launched, .completed, .failed, .interrupted,
            .absent,
        ]
        let brief: Set<HistoryEvent.Name> = [.launched, .completed]
        let from = end - .hours(16)
        for task in tasks {
            var before = HistoryQuery(task: task, names: names, until: from, order: .newestFirst, limit: 12)
            before.brief = brief
            guard try history.events(matching: before).count == 12 else { throw BenchmarkError("no past") }
        }
        var within = HistoryQuery(names: names, since: from, until: end, order: .newestFirst, limit: 50_000)
        within.brief = brief
        guard try history.events(matching: within).count > 16 * 60 * 20 else {
            throw BenchmarkError("no night")
        }
        _ = try history.events(
            matching: HistoryQuery(names: Set(HistoryEvent.Name.allCases).subtracting([.used]), limit: 1))
    }
}
