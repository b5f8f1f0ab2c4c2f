import LullModel
import LullScheduler
import LullSession
import LullWire

/// Frames on their way: written, read and judged by what ships, with the delays of a socket between.
extension Simulation {
    /// A worker says something.
    mutating func write(_ frame: WorkerFrame, by app: AppIdentifier) {
        write(frame.encoded(), meaning: frame, by: app)
    }

    /// A worker writes to its socket; `meaning` nil: it is no frame.
    mutating func write(_ bytes: [UInt8], meaning: WorkerFrame?, by app: AppIdentifier) {
        guard let number = workers[app]?.number else { return }
        if let meaning { links[app]?.watch.writes(meaning) }
        let datagram = VirtualQueue<WorkerFrame>.Datagram(bytes: bytes, meaning: meaning)
        let wait = delay()
        if wait == .zero, links[app]?.isNothingOnItsWay(toHost: true) == true {
            return hear(datagram, of: app, worker: number)
        }
        guard let due = links[app]?.toHost.add(datagram, due: clock.monotonic + wait) else { return }
        tell { "~ on its way to the host: \(meaning.map { "\($0)" } ?? "no frame")" }
        agenda.add(.heard(app, worker: number), at: due)
    }

    /// The host says something to a worker.
    mutating func send(_ frame: HostFrame, to app: AppIdentifier) {
        guard let worker = workers[app] else { return }
        links[app]?.watch.sends(frame)
        // To a process that has ended without the host's knowing.
        if worker.phase == .leaving { return takeWireFaults(of: app) }
        let datagram = VirtualQueue<HostFrame>.Datagram(bytes: frame.encoded(), meaning: frame)
        let wait = delay()
        if wait == .zero, links[app]?.isNothingOnItsWay(toHost: false) == true {
            return read(datagram, by: app)
        }
        guard let due = links[app]?.toWorker.add(datagram, due: clock.monotonic + wait) else { return }
        tell { "~ on its way to \(app): \(frame)" }
        agenda.add(.read(app, worker: worker.number), at: due)
    }

    private mutating func delay() -> Duration {
        guard world.wire.delays > 0, wire.chance(world.wire.delays) else { return .zero }
        return .milliseconds(Int64.random(in: world.wire.milliseconds, using: &wire))
    }

    /// The host reads a datagram, and does what follows from it.
    private mutating func hear(
        _ datagram: VirtualQueue<WorkerFrame>.Datagram, of app: AppIdentifier, worker number: Int
    ) {
        if case .submit? = datagram.meaning { owesAnswers = true }
        let deeds = links[app]?.hear(datagram, submits: &submitCount) ?? []
        perform(deeds, app, worker: number)
        guard workers[app]?.number == number else { return }
        note(links[app]?.hasHeard() ?? [], of: app)
    }

    mutating func hearNext(of app: AppIdentifier, worker number: Int, upTo time: MonotonicTime?) {
        guard let datagram = links[app]?.toHost.takeFirst(upTo: time) else { return }
        hear(datagram, of: app, worker: number)
    }

    /// As the pool does: what a process has written before its end is read before that is told.
    mutating func hearLastWords(of app: AppIdentifier, worker number: Int) {
        while workers[app]?.number == number, links[app]?.toHost.isEmpty == false {
            hearNext(of: app, worker: number, upTo: nil)
        }
    }

    private mutating func read(_ datagram: VirtualQueue<HostFrame>.Datagram, by app: AppIdentifier) {
        let frame = links[app]?.read(datagram)
        takeWireFaults(of: app)
        if let frame = frame ?? nil { obey(frame, app) }
    }

    /// What stands in the socket of a stopped process waits with it.
    mutating func readNext(by app: AppIdentifier) {
        guard let phase = workers[app]?.phase, phase != .suspended, phase != .leaving,
            let datagram = links[app]?.toWorker.takeFirst(upTo: clock.monotonic)
        else { return }
        read(datagram, by: app)
    }

    /// What follows from a frame, in its order; all of it is over once the host is another.
    private mutating func perform(_ deeds: [SessionDeed], _ app: AppIdentifier, worker number: Int) {
        for deed in deeds where workers[app]?.number == number {
            switch deed {
            case .say(let news):
                links[app]?.watch.heard(news)
                take(news, of: app)
            case .send(let frame): reply(frame, to: app)
            case .sendWaiting:
                for frame in links[app]?.session.takeWaiting() ?? [] { send(frame, to: app) }
            case .kill(let reason): end(app, "killed by the host: \(reason)")
            // There is neither a descriptor nor a pipe, and the time of activities is not simulated.
            case .closeSocket, .readOutput, .rest, .watchActivities, .forgetActivities: break
            }
        }
    }

    /// An answer lets a stopped worker go on for a while.
    mutating func reply(_ frame: HostFrame, to app: AppIdentifier) {
        if workers[app]?.phase == .suspended, let number = workers[app]?.number {
            proceed(app)
            agenda.add(.suspends(app, worker: number), at: clock.monotonic + .seconds(1))
        }
        send(frame, to: app)
    }

    /// Kills the worker's process.
    mutating func end(_ app: AppIdentifier, _ reason: String) {
        links[app]?.session.end(reason: reason)
        links[app]?.watch.ends()
        if workers[app]?.phase != .leaving {
            leave(app, "ended by signal 9 (SIGKILL)", after: .milliseconds(5))
        }
    }

    mutating func takeWireFaults(of app: AppIdentifier) {
        note(links[app]?.watch.takeFaults() ?? [], of: app)
    }

    private mutating func note(_ faults: [String], of app: AppIdentifier) {
        if faults.isEmpty { return }
        for sentence in faults { invariants.fault("\(app): \(sentence)") }
        takeFaults()
    }

    /// Nothing is on its way to the history.
    mutating func checkAnswers() {
        guard owesAnswers else { return }
        owesAnswers = false
        for app in links.keys.sorted() {
            links[app]?.watch.checkAnswered()
            takeWireFaults(of: app)
        }
    }
}
