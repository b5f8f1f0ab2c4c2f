import LullModel
import LullScheduler
import LullWire

/// Frames on their way: the shipping code writes, reads and judges them, with the delays of a socket between.
extension Simulation {
    /// A worker writes a frame.
    mutating func write(_ frame: WorkerFrame, by id: WorkerID) {
        write(frame.encoded(), meaning: frame, by: id)
    }

    /// A worker writes to its socket; `meaning` nil: it is no frame.
    mutating func write(_ bytes: [UInt8], meaning: WorkerFrame?, by id: WorkerID) {
        guard let number = workers[id]?.number else { return }
        if let meaning { links[id]?.watch.writes(meaning) }
        let datagram = VirtualQueue<WorkerFrame>.Datagram(bytes: bytes, meaning: meaning)
        let wait = delay()
        if wait == .zero, links[id]?.isNothingOnItsWay(toHost: true) == true {
            return hear(datagram, of: id, worker: number)
        }
        guard let due = links[id]?.toHost.add(datagram, due: clock.monotonic + wait) else { return }
        tell { "~ on its way to the host: \(meaning.map { "\($0)" } ?? "no frame")" }
        agenda.add(.heard(id, worker: number), at: due)
    }

    /// The host writes a frame to a worker.
    mutating func send(_ frame: HostFrame, to id: WorkerID) {
        guard let worker = workers[id] else { return }
        links[id]?.watch.sends(frame)
        // The process has ended, and the host does not know that yet.
        if worker.phase == .leaving { return takeWireFaults(of: id) }
        let datagram = VirtualQueue<HostFrame>.Datagram(bytes: frame.encoded(), meaning: frame)
        let wait = delay()
        if wait == .zero, links[id]?.isNothingOnItsWay(toHost: false) == true {
            return read(datagram, by: id)
        }
        guard let due = links[id]?.toWorker.add(datagram, due: clock.monotonic + wait) else { return }
        tell { "~ on its way to \(id): \(frame)" }
        agenda.add(.read(id, worker: worker.number), at: due)
    }

    private mutating func delay() -> Duration {
        guard world.wire.delays > 0, wire.chance(world.wire.delays) else { return .zero }
        return .milliseconds(Int64.random(in: world.wire.milliseconds, using: &wire))
    }

    /// The host reads a datagram, and does what follows from it.
    private mutating func hear(
        _ datagram: VirtualQueue<WorkerFrame>.Datagram, of id: WorkerID, worker number: Int
    ) {
        if case .submit? = datagram.meaning { owesAnswers = true }
        let deeds = links[id]?.hear(datagram, submits: &submitCount) ?? []
        perform(deeds, id, worker: number)
        guard workers[id]?.number == number else { return }
        note(links[id]?.hasHeard() ?? [], of: id)
    }

    mutating func hearNext(of id: WorkerID, worker number: Int, upTo time: MonotonicTime?) {
        guard let datagram = links[id]?.toHost.takeFirst(upTo: time) else { return }
        hear(datagram, of: id, worker: number)
    }

    /// As in the pool, all that a process wrote before its end is read before the end is reported.
    mutating func hearLastWords(of id: WorkerID, worker number: Int) {
        while workers[id]?.number == number, links[id]?.toHost.isEmpty == false {
            hearNext(of: id, worker: number, upTo: nil)
        }
    }

    private mutating func read(_ datagram: VirtualQueue<HostFrame>.Datagram, by id: WorkerID) {
        let frame = links[id]?.read(datagram)
        takeWireFaults(of: id)
        if let frame = frame ?? nil { obey(frame, id) }
    }

    /// Frames in the socket of a suspended process wait with it.
    mutating func readNext(by id: WorkerID) {
        guard let phase = workers[id]?.phase, phase != .suspended, phase != .leaving,
            let datagram = links[id]?.toWorker.takeFirst(upTo: clock.monotonic)
        else { return }
        read(datagram, by: id)
    }

    /// Carries out what follows from a frame, in its order, as long as the worker is the same.
    private mutating func perform(_ deeds: [SessionDeed], _ id: WorkerID, worker number: Int) {
        for deed in deeds where workers[id]?.number == number {
            switch deed {
            case .say(let news):
                links[id]?.watch.heard(news)
                take(news, of: id)
            case .send(let frame): reply(frame, to: id)
            case .sendWaiting:
                for frame in links[id]?.session.takeWaiting() ?? [] { send(frame, to: id) }
            case .kill(let reason): end(id, "killed by the host: \(reason)")
            // There is neither a descriptor nor a pipe, and the time of activities is not simulated.
            case .closeSocket, .readOutput, .letPrint, .rest, .watchActivities, .forgetActivities: break
            }
        }
    }

    /// An answer lets a stopped worker go on for a while.
    mutating func reply(_ frame: HostFrame, to id: WorkerID) {
        if workers[id]?.phase == .suspended, let number = workers[id]?.number {
            proceed(id)
            agenda.add(.suspends(id, worker: number), at: clock.monotonic + .seconds(1))
        }
        send(frame, to: id)
    }

    /// Kills the worker's process.
    mutating func end(_ id: WorkerID, _ reason: String) {
        links[id]?.session.end(reason: reason)
        links[id]?.watch.ends()
        if workers[id]?.phase != .leaving {
            leave(id, "ended by signal 9 (SIGKILL)", after: .milliseconds(5))
        }
    }

    mutating func takeWireFaults(of id: WorkerID) {
        note(links[id]?.watch.takeFaults() ?? [], of: id)
    }

    private mutating func note(_ faults: [String], of id: WorkerID) {
        if faults.isEmpty { return }
        for sentence in faults { invariants.fault("\(id): \(sentence)") }
        takeFaults()
    }

    /// Called when nothing is on its way to the history: each submit has to have an answer.
    mutating func checkAnswers() {
        guard owesAnswers else { return }
        owesAnswers = false
        for id in links.keys.sorted() {
            links[id]?.watch.checkAnswered()
            takeWireFaults(of: id)
        }
    }
}
