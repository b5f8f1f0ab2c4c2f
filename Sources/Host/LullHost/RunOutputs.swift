import LullControl
import LullHistory
import LullModel

/// The output of plugins, kept with each run that was open when it was printed.
///
/// A byte printed while several runs of a worker are open can belong to any of them: it is kept with each and marked as
/// shared. The first bytes of a run go to the history with whatever is written next; of the rest the last ones are kept
/// until the run ends, so that a flood costs memory and disk no more than its limit.
struct RunOutputs {
    private struct Output {
        let worker: WorkerID
        var headRoom: Int
        /// Written already, or about to be; kept for clients that follow the run.
        var head: [OutputChunk] = []
        var tail: [OutputChunk] = []
        var tailBytes = 0
        var dropped = 0
        /// All that it has printed, in bytes.
        var total = 0
        var lastLogged: String?
        var leftRunning: String?
        /// The last lines that only this run can have printed.
        var lastLines = LastLines()
        /// For the client that launched the run by hand and waits; nil: it was not launched by hand.
        var printed: PrintedByRun.Reader?
        /// The run has printed on standard output or error, and no other run can have.
        var hasPrinted = false
        /// The output says that something was not permitted.
        var wasDenied = false
        var lackedProcesses = false

        /// More than any run prints, and a sum of them is still a number.
        private static let mostSkipped: UInt64 = 1 << 50

        mutating func skip(_ bytes: UInt64) {
            headRoom = 0
            cut(to: 0)
            let skipped = min(Int(min(bytes, Self.mostSkipped)), Int(Self.mostSkipped) - dropped)
            dropped += skipped
            total += skipped
        }

        /// Leaves the last bytes of the tail.
        mutating func cut(to room: Int) {
            var surplus = tailBytes - room
            guard surplus > 0 else { return }
            var whole = 0
            while surplus > 0, whole < tail.count, tail[whole].bytes.count <= surplus {
                surplus -= tail[whole].bytes.count
                whole += 1
            }
            tail.removeFirst(whole)
            if surplus > 0 { tail[0].bytes.removeFirst(surplus) }
            dropped += tailBytes - room
            tailBytes = room
        }
    }

    private var open: [WorkerID: [RunID]] = [:]
    private var outputs: [RunID: Output] = [:]
    /// In each worker the run that ended last, and how much of what is printed after it is kept with it.
    private var last: [WorkerID: (run: RunID, room: Int)] = [:]
    /// The output of the runs that were launched by hand and ended last.
    private var lately: [(run: RunID, printed: PrintedByRun)] = []
    /// The output of runs whose ends are not durable yet.
    private var ending: [RunID: Output] = [:]
    private static let mostLately = 64
    /// Bytes kept of each run: half of them from its beginning, half from its end. The manifest's `output_size`.
    var limit = RunOutput.headBytes + RunOutput.tailBytes
    /// Runs whose last lines have changed since they were taken.
    private var haveNews: Set<RunID> = []
    /// To be written with the next events.
    private var ready: [OutputChunk] = []
    private var written: [AppIdentifier: Int] = [:]

    mutating func begin(_ run: RunID, of worker: WorkerID, isByHand: Bool = false) {
        open[worker, default: []].append(run)
        last[worker] = nil
        outputs[run] = Output(worker: worker, headRoom: limit / 2, printed: isByHand ? .init() : nil)
    }

    /// The run's last bytes become ready to be written.
    mutating func end(_ run: RunID, at time: WallTime) {
        guard var output = outputs.removeValue(forKey: run) else { return }
        open[output.worker]?.removeAll { $0 == run }
        if open[output.worker]?.isEmpty == true {
            open[output.worker] = nil
            last[output.worker] = (run, limit / 2)
        }
        output.cut(to: limit / 2)
        ending[run] = output
        // Not shown as text here, which would count as printed: the reader of the history shows it.
        if output.dropped > 0, output.tail.isEmpty {
            output.tail = [OutputChunk(run: run, stream: .log, time: time, bytes: [])]
        }
        if output.dropped > 0 { output.tail[0].skipped = output.dropped }
        ready += output.tail
        guard let printed = output.printed else { return }
        if lately.count == Self.mostLately { lately.removeFirst() }
        lately.append((run, printed.told(dropped: output.dropped)))
    }

    /// The worker has ended: nothing more comes of it.
    mutating func forget(_ worker: WorkerID) { last[worker] = nil }

    /// Output that comes while nothing runs is most likely the last run's. It goes to the history with whatever is
    /// written next.
    private mutating func appendToLast(
        _ bytes: [UInt8], _ stream: OutputChunk.Stream, of worker: WorkerID, at time: WallTime
    ) {
        guard let (run, room) = last[worker], room > 0, !bytes.isEmpty else { return }
        ready.append(OutputChunk(run: run, stream: stream, time: time, bytes: Array(bytes.prefix(room))))
        last[worker]?.room -= bytes.count
    }

    /// The run's end is durable, and its output with it.
    mutating func forget(_ run: RunID) { ending[run] = nil }

    /// The output of an open run from a position on, as far as it is kept; nil: it is not open, and the history has it.
    func part(of run: RunID, from place: Int) -> PrintedPart? {
        guard let output = outputs[run] ?? ending[run] else { return nil }
        var part = PrintedPart(total: output.total)
        func add(_ chunks: [OutputChunk], at start: Int) {
            var start = start
            for chunk in chunks {
                let known = min(max(0, place - start), chunk.bytes.count)
                if known < chunk.bytes.count {
                    part.add(
                        chunk.bytes[known...], stream: chunk.stream.rawValue, at: start + known,
                        isShared: chunk.isShared)
                }
                start += chunk.bytes.count
            }
        }
        add(output.head, at: 0)
        add(output.tail, at: output.total - output.tailBytes)
        return part
    }

    /// The output of a run that has ended; nil: only the history has it.
    func printed(by run: RunID) -> PrintedByRun? { lately.last { $0.run == run }?.printed }

    mutating func takeReady() -> [OutputChunk] {
        defer { ready = [] }
        for chunk in ready {
            let worker = (outputs[chunk.run] ?? ending[chunk.run])?.worker
            let app = (worker ?? last.first { $0.value.run == chunk.run }?.key)?.app
            if let app { written[app, default: 0] += chunk.bytes.count }
        }
        return ready
    }

    /// Bytes that went to the history since the last call, by app.
    mutating func takeWritten() -> [AppIdentifier: Int] {
        defer { written = [:] }
        return written
    }

    /// Adds bytes of the plugin's standard output or error, or a line that it logged for no particular run. Returns the
    /// run that has now printed for the first time, if no other can have.
    @discardableResult
    mutating func append(
        _ bytes: [UInt8], _ stream: OutputChunk.Stream, of worker: WorkerID, at time: WallTime
    ) -> RunID? {
        let runs = open[worker] ?? []
        if runs.isEmpty { appendToLast(bytes, stream, of: worker, at: time) }
        for run in runs {
            add(OutputChunk(run: run, stream: stream, time: time, bytes: bytes, isShared: runs.count > 1))
        }
        guard runs.count == 1, stream != .log, !bytes.isEmpty, notePrinting(runs[0]) else { return nil }
        return runs[0]
    }

    /// Adds bytes that only this run printed. Returns whether they are its first.
    mutating func append(
        _ bytes: [UInt8], _ stream: OutputChunk.Stream, run: RunID, at time: WallTime
    ) -> Bool {
        add(OutputChunk(run: run, stream: stream, time: time, bytes: bytes))
        return notePrinting(run)
    }

    /// The worker left out so many bytes before those that it sends next; the tail before them is dropped too.
    mutating func skip(_ bytes: UInt64, run: RunID) {
        guard var output = outputs.removeValue(forKey: run) else { return }
        output.skip(bytes)
        outputs[run] = output
    }

    /// Whether the run is open and had printed nothing of its own before.
    private mutating func notePrinting(_ run: RunID) -> Bool {
        guard outputs[run]?.hasPrinted == false else { return false }
        outputs[run]?.hasPrinted = true
        return true
    }

    /// A line that the handler logged for this run.
    mutating func log(_ line: String, run: RunID, at time: WallTime) {
        add(OutputChunk(run: run, stream: .log, time: time, bytes: Array((line + "\n").utf8)))
        outputs[run]?.lastLogged = line
    }

    /// The last line that the run logged and what it left running, for a table's cell.
    func summary(of run: RunID) -> String? {
        let said = [outputs[run]?.lastLogged, outputs[run]?.leftRunning].compactMap { $0 }
        return said.isEmpty ? nil : said.joined(separator: " ")
    }

    /// Records what the run left running at its end.
    mutating func left(_ sentence: String, run: RunID, at time: WallTime) {
        note("lull: " + sentence, run: run, at: time)
        outputs[run]?.leftRunning = sentence
    }

    /// The last lines of each run that has printed something by itself since they were last taken.
    mutating func takeLastLines() -> [RunID: [String]] {
        guard !haveNews.isEmpty else { return [:] }
        defer { haveNews = [] }
        return Dictionary(
            uniqueKeysWithValues: haveNews.compactMap { run in
                outputs[run].map { (run, $0.lastLines.lines) }
            })
    }

    /// Whether the run printed that it was not permitted something, as the C library words it.
    func wasDenied(_ run: RunID) -> Bool { outputs[run]?.wasDenied ?? false }

    /// A line of the host's own.
    mutating func note(_ line: String, run: RunID, at time: WallTime) {
        add(OutputChunk(run: run, stream: .log, time: time, bytes: Array((line + "\n").utf8)))
    }

    func openRuns(of worker: WorkerID) -> [RunID] { open[worker] ?? [] }

    /// Whether the run printed that it could make no process.
    func lackedProcesses(_ run: RunID) -> Bool { outputs[run]?.lackedProcesses ?? false }

    private static let denials = ["Permission denied", "Operation not permitted"].map { Array($0.utf8) }
    private static let shortages = [
        "Resource temporarily unavailable", "Cannot fork", "failed to create new OS thread",
    ].map { Array($0.utf8) }

    private static func holds(_ sentences: [[UInt8]], _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            sentences.contains { denial in
                bytes.indices.dropLast(denial.count - 1).contains { start in
                    bytes[start] == denial[0] && bytes[start..<start + denial.count].elementsEqual(denial)
                }
            }
        }
    }

    private mutating func add(_ chunk: OutputChunk) {
        guard var output = outputs.removeValue(forKey: chunk.run) else { return }
        defer { outputs[chunk.run] = output }
        // A flood is not searched: a program that is denied something says so and ends.
        if output.dropped == 0 {
            output.wasDenied = output.wasDenied || Self.holds(Self.denials, chunk.bytes)
            output.lackedProcesses = output.lackedProcesses || Self.holds(Self.shortages, chunk.bytes)
        }
        if chunk.stream != .log { output.printed?.append(chunk.bytes) }
        if !chunk.isShared, chunk.stream != .log, !chunk.bytes.isEmpty {
            output.lastLines.append(chunk.bytes, isError: chunk.stream == .standardError)
            haveNews.insert(chunk.run)
        }
        var chunk = chunk
        output.total += chunk.bytes.count
        if output.headRoom > 0 {
            var head = chunk
            head.bytes = Array(chunk.bytes.prefix(output.headRoom))
            chunk.bytes.removeFirst(head.bytes.count)
            output.headRoom -= head.bytes.count
            ready.append(head)
            output.head.append(head)
        }
        guard !chunk.bytes.isEmpty else { return }
        output.tail.append(chunk)
        output.tailBytes += chunk.bytes.count
        // Twice the room before it is cut, so that a flood does not move the tail for each of its lines.
        if output.tailBytes > limit { output.cut(to: limit / 2) }
    }
}
