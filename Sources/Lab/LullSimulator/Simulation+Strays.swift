import LullModel
import LullScheduler
import LullWire

/// How plugins misuse their worker's socket, and what a worker writes last.
extension Simulation {
    /// Misuses the socket within a run.
    mutating func stray(_ run: RunID, _ id: WorkerID) {
        let foreign = run.number &+ UInt64.random(in: 1...3, using: &wire)
        switch Int.random(in: 0...11, using: &wire) {
        case 0: write([], meaning: nil, by: id)
        case 1: write([UInt8.random(in: 128...255, using: &wire), 1, 2, 3], meaning: nil, by: id)
        case 2: writePart(of: .completed(run: run.number, success: true), by: id)
        case 3:
            write(WorkerFrame.launchReturned(run: run.number).encoded() + [0], meaning: nil, by: id)
        case 4: write(.completed(run: foreign, success: true), by: id)
        case 5:
            write(.launchReturned(run: foreign), by: id)
            write(.progress(run: foreign, completed: 1, total: 2, message: "half"), by: id)
            write(.titles(run: foreign, title: "Another's", subtitle: ""), by: id)
            write(.printed(run: foreign, stream: .error, part: [33]), by: id)
            write(.log(run: foreign, level: .notice, message: "Not mine."), by: id)
            write(
                .violation(run: foreign, identifier: "", sentence: "Not mine.", isFatal: false), by: id)
        case 6: write(.hello(Self.hello(plugin(of: id.app))), by: id)
        case 7: write(.registered(identifier: "net.example.Other.t0"), by: id)
        case 8: write(.activityEnded(activity: 7), by: id)
        case 9: submitTwice(by: id)
        case 10:
            write(WireRequest(kind: .refresh, identifier: "nothing"), by: id) { _ in false }
            write(.withdraw(sequence: 1 << 40), by: id)
            ask(by: id)
        default:
            ask(by: id)
            write(.printed(run: run.number, stream: .output, part: [46, 10]), by: id)
            write(.log(run: run.number, level: .info, message: "Half of it is done."), by: id)
        }
    }

    static func hello(_ plugin: PluginModel) -> WorkerFrame.Hello {
        .init(abiMajor: 1, abiMinor: 0, sdk: "simulated", buildID: "", runsAlone: plugin.runsAlone)
    }

    private mutating func ask(by id: WorkerID) {
        if let sequence = workers[id]?.makeSequence() { write(.pending(sequence: sequence), by: id) }
    }

    /// Submits twice with one number; the second is a violation if the first has no answer yet.
    private mutating func submitTwice(by id: WorkerID) {
        guard let task = workers[id]?.permits.first, let sequence = workers[id]?.makeSequence() else {
            return
        }
        let request = WireRequest(kind: .refresh, identifier: task.text)
        for _ in 0..<2 where workers[id]?.phase != .leaving {
            workers[id]?.waits.insert(sequence)
            write(.submit(sequence: sequence, request: request), by: id)
        }
    }

    private mutating func writePart(of frame: WorkerFrame, by id: WorkerID) {
        let bytes = frame.encoded()
        write(Array(bytes.prefix(Int.random(in: 1..<bytes.count, using: &wire))), meaning: nil, by: id)
    }

    /// Submits many times at once, and waits for none of the answers.
    mutating func burst(_ task: TaskIdentifier, by id: WorkerID) {
        guard let number = workers[id]?.number else { return }
        for _ in 0..<Int.random(in: 17...40, using: &wire) where workers[id]?.number == number {
            let kind: WireKind = handler(of: task).milliseconds.lowerBound > 100 ? .processing : .refresh
            write(WireRequest(kind: kind, identifier: task.text), by: id) { _ in true }
        }
    }

    /// A process that ends in this moment may write a last frame, or a part of one, into the socket.
    mutating func lastWords(of id: WorkerID, _ run: RunID?) {
        guard world.wire.lastWords > 0, wire.chance(world.wire.lastWords) else { return }
        guard let run, workers[id]?.runs[run]?.isAtWork == true, wire.chance(0.5) else {
            return writePart(of: .completed(run: run?.number ?? 1, success: true), by: id)
        }
        workers[id]?.runs[run]?.isDone = true
        write(.completed(run: run.number, success: true), by: id)
    }
}
