import LullHistory
import LullModel

/// What the plugins print while their runs are open, kept with each of those runs.
///
/// A byte printed while several runs of an app are open can belong to any of them: it is kept with each and marked as
/// shared. The first bytes of a run go to the history with whatever is written next; of the rest the last ones are kept
/// until the run ends, so that a flood costs memory and disk no more than its limit.
struct RunOutputs {
    private struct Output {
        var headRoom = RunOutput.headBytes
        var tail: [OutputChunk] = []
        var tailBytes = 0
        var dropped = 0
        var lastLine: String?
    }

    private var open: [AppIdentifier: [RunID]] = [:]
    private var outputs: [RunID: Output] = [:]
    /// To be written with the next events.
    private var ready: [OutputChunk] = []

    mutating func begin(_ run: RunID, of app: AppIdentifier) {
        open[app, default: []].append(run)
        outputs[run] = Output()
    }

    /// The run's last bytes become ready to be written.
    mutating func end(_ run: RunID, of app: AppIdentifier, at time: WallTime) {
        open[app]?.removeAll { $0 == run }
        if open[app]?.isEmpty == true { open[app] = nil }
        guard let output = outputs.removeValue(forKey: run) else { return }
        if output.dropped > 0 {
            let words = "\n… \(output.dropped) bytes not kept …\n"
            ready.append(OutputChunk(run: run, stream: .log, time: time, bytes: Array(words.utf8)))
        }
        ready += output.tail
    }

    mutating func takeReady() -> [OutputChunk] {
        defer { ready = [] }
        return ready
    }

    /// Bytes on the plugin's standard output or error, or a line that it logged for none of its runs in particular.
    mutating func append(
        _ bytes: [UInt8], _ stream: OutputChunk.Stream, of app: AppIdentifier, at time: WallTime
    ) {
        let runs = open[app] ?? []
        for run in runs {
            add(OutputChunk(run: run, stream: stream, time: time, bytes: bytes, isShared: runs.count > 1))
        }
    }

    /// A line that the handler logged for this run.
    mutating func log(_ line: String, run: RunID, at time: WallTime) {
        add(OutputChunk(run: run, stream: .log, time: time, bytes: Array((line + "\n").utf8)))
        outputs[run]?.lastLine = line
    }

    /// What the run said last: what it did, in a table's cell.
    func summary(of run: RunID) -> String? { outputs[run]?.lastLine }

    private mutating func add(_ chunk: OutputChunk) {
        guard var output = outputs.removeValue(forKey: chunk.run) else { return }
        defer { outputs[chunk.run] = output }
        if output.headRoom > 0 {
            output.headRoom -= chunk.bytes.count
            ready.append(chunk)
            return
        }
        output.tail.append(chunk)
        output.tailBytes += chunk.bytes.count
        // Twice the room before it is cut, so that a flood does not move the tail for each of its lines.
        guard output.tailBytes > 2 * RunOutput.tailBytes else { return }
        var index = 0
        while output.tailBytes > RunOutput.tailBytes, index < output.tail.count - 1 {
            output.tailBytes -= output.tail[index].bytes.count
            output.dropped += output.tail[index].bytes.count
            index += 1
        }
        output.tail.removeFirst(index)
    }
}
