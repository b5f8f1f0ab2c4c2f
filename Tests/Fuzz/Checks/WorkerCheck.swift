import Glibc
import LullModel
import LullSystem
import LullWire

@testable import LullWorkers

/// A worker that sends any frames, while the host does anything that it may do.
///
/// There is no process: its number is one that Linux never assigns, so signals to it reach no process. Every event belongs
/// to a run that was launched here, each run completes once, and after a fatal violation no frame is read.
enum WorkerCheck {
    static func run(_ bytes: [UInt8]) throws {
        let stage = try WorkerStage()
        defer { stage.close() }
        for piece in pieces(of: bytes) {
            guard let first = piece.first else { continue }
            switch first {
            case 0...31: try stage.act(first, piece.dropFirst())
            default: try stage.deliver(piece)
            }
            try stage.check()
        }
    }
}

/// One worker without its process, and the events that it caused.
private final class WorkerStage {
    private let loop: EventLoop
    private let pool: WorkerPool
    private let worker: Worker
    private let peer: Int32
    private let ear = Ear()
    private var launched: UInt64 = 0

    /// A process number beyond the largest that Linux assigns.
    private static let nobody = Int32.max
    private static let app = "com.example.App"
    private static let tasks: [(String, Kind)] = [
        ("com.example.App.refresh", .refresh), ("com.example.App.clean", .processing),
        ("com.example.App.export.*", .continued),
    ]

    init() throws {
        var sockets: [Int32] = [-1, -1]
        var output: [Int32] = [-1, -1]
        var error: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &sockets) == 0, pipe(&output) == 0,
            pipe(&error) == 0, let identifier = AppIdentifier(Self.app)
        else { throw Broken("no descriptors: \(errno)") }
        peer = sockets[1]
        var app = App(identifier: identifier, plugin: "/usr/lib/app.so")
        for (name, kind) in Self.tasks {
            guard let task = TaskIdentifier(name) else { throw Broken("'\(name)' is no identifier") }
            app.tasks.append(TaskDefinition(identifier: task, app: identifier, kind: kind))
        }
        app.limits.keepsPrivileges = true
        loop = try EventLoop()
        pool = try WorkerPool(loop: loop, executable: "/nowhere", stateFolder: "/nowhere") { [ear] in
            ear.hear($1)
        }
        // Any descriptor that the loop takes; the loop never runs.
        let living = dup(sockets[1])
        worker = Worker(
            spec: WorkerSpec(app: app, stateFolder: "/nowhere"),
            process: WorkerProcess(
                supervisor: Self.nobody, pidfd: living, socket: sockets[0], output: output[0],
                error: error[0],
                link: -1), group: nil,
            pool: pool)
        // Closed at once, so that reading the other ends never waits.
        _ = Glibc.close(output[1])
        _ = Glibc.close(error[1])
        try worker.begin()
    }

    func close() {
        worker.closeAll()
        _ = Glibc.close(worker.process.pidfd)
        _ = Glibc.close(peer)
    }

    /// Delivers a frame from the worker, or bytes that resemble one.
    func deliver(_ frame: ArraySlice<UInt8>) throws {
        let before = ear.heard
        let isDeaf = worker.socket < 0
        _ = frame.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        // Reads on, however much the worker sends.
        worker.deadlines[.listen] = nil
        worker.readFrames(atMost: 1)
        try hold(!isDeaf || ear.heard == before, "it was heard after its socket had been closed")
        if let wire = try? frame.withUnsafeBytes({ try WorkerFrame(decoding: $0) }) {
            switch wire {
            case .submit(let sequence, _), .notify(let sequence, _), .setBadge(let sequence, _),
                .transfer(let sequence, _), .transferAct(let sequence, _, _),
                .transferAnswer(let sequence, _, _):
                ear.asked.insert(sequence)
            default: break
            }
        }
    }

    /// Makes the host do something to the worker.
    func act(_ what: UInt8, _ rest: ArraySlice<UInt8>) throws {
        let number = rest.first ?? 0
        switch what {
        case 0:
            launched += 1
            let name = Self.tasks[Int(number) % 2].0
            guard !worker.session.isEnding, let task = TaskIdentifier(name) else { return }
            ear.launched.insert(launched)
            worker.launch(
                RunID(launched), task: task, kind: .refresh, deadline: MonotonicTime(nanoseconds: 1),
                label: nil, origin: nil, push: nil)
        case 1: worker.expire(RunID(UInt64(number)), reason: String(decoding: rest, as: UTF8.self))
        case 2:
            guard !ear.submits.isEmpty else { return }
            let refusal = number & 1 == 0 ? nil : Refusal(.unavailable, "No.")
            let (id, sequence) = ear.submits.remove(at: Int(number) % ear.submits.count)
            worker.answer(id, sequence, refusal)
        case 3:
            guard !ear.questions.isEmpty else { return }
            ear.questions.remove(at: Int(number) % ear.questions.count)(worker)
        case 4: worker.evict()
        case 5: worker.suspend()
        case 6: worker.wake()
        case 7: worker.kill(reason: "the check wants it")
        case 8: worker.expireActivities()
        case 9: worker.endActivities()
        case 10: worker.flush()
        case 11: try drain()
        default:
            // Measuring would scan all processes of the machine, and none is this worker's.
            worker.deadlines[.measure] = nil
            worker.ring(MonotonicTime(nanoseconds: .max))
        }
    }

    /// The worker's side can decode every frame that the host sent.
    func drain() throws {
        var buffer = [UInt8](repeating: 0, count: Limits.frameBytes)
        while true {
            let count = recv(peer, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            let frame: HostFrame
            do {
                frame = try buffer[..<count].withUnsafeBytes { try HostFrame(decoding: $0) }
            } catch {
                throw Broken("the host sent what its worker refuses: \(error)")
            }
            if case .submitReply(let sequence, _, _) = frame {
                try hold(ear.asked.contains(sequence), "an answer to submit \(sequence), which nobody made")
            }
        }
    }

    func check() throws {
        if let broken = ear.broken { throw Broken(broken) }
        let session = worker.session
        try hold(session.activities.count <= Limits.activities, "\(session.activities.count) activities")
        try hold(
            session.submits.count <= WorkerSession.openSubmits, "\(session.submits.count) open submits")
        try hold(session.runs.isSubset(of: ear.launched), "a run that nobody launched")
        try hold(worker.freeRuns.isSubset(of: session.runs), "a run that is over is still free of limits")
    }
}

/// Records what the pool reports to its host.
private final class Ear {
    var heard = 0
    var launched: Set<UInt64> = []
    var asked: Set<UInt64> = []
    var submits: [(SubmitID, sequence: UInt64)] = []
    var questions: [(Worker) -> Void] = []
    private(set) var broken: String?
    private var completed: Set<UInt64> = []
    private var submitted: Set<SubmitID> = []
    private var fatal = 0
    private var ready = 0

    func hear(_ event: WorkerEvent) {
        heard += 1
        switch event {
        case .ready:
            ready += 1
            demand(ready == 1, "ready twice")
        case .submit(let id, let sequence, let request):
            demand(submitted.insert(id).inserted, "two submits of one number")
            demand(!request.task.isWildcard, "a submit of a wildcard")
            submits.append((id, sequence))
        case .notify(let id, let sequence, _), .setBadge(let id, let sequence, _),
            .transferAct(let id, let sequence, _, _), .transferAnswer(let id, let sequence, _, _):
            demand(submitted.insert(id).inserted, "two questions of one number")
            submits.append((id, sequence))
        case .transfer(let id, let sequence, let order):
            demand(submitted.insert(id).inserted, "two questions of one number")
            demand(order.fault == nil, "an order that nobody could carry out")
            questions.append { $0.answerTransfer(id, sequence, .success(TransferID(id.number))) }
        case .transfersQuery(let sequence, _): questions.append { $0.answerTransfers(sequence, next: 1, []) }
        case .withdrawn(let id): demand(submitted.contains(id), "a submit withdrawn that was none")
        case .cancel(let sequence, _): questions.append { $0.answerCancel(sequence) }
        case .pendingQuery(let sequence): questions.append { $0.answerPending(sequence, []) }
        case .completed(let run, _, _):
            demand(isOpen(run), "run \(run) completed, which is not open")
            completed.insert(run.number)
        case .violation(let run, _, let sentence, let isFatal):
            demand(!sentence.isEmpty, "a violation without a sentence")
            if let run {
                demand(launched.contains(run.number), "a violation of run \(run), which is not its own")
            }
            if isFatal { fatal += 1 }
            demand(fatal <= 1, "two fatal violations")
        case .registered(let task):
            demand(!task.isWildcard || task.text.hasPrefix("com.example.App."), "\(task)")
        default:
            if case .printed(_, _, let bytes) = event { demand(!bytes.isEmpty, "output of no bytes") }
            if let run = event.run { demand(isOpen(run), "news of run \(run), which is not open: \(event)") }
        }
    }

    private func isOpen(_ run: RunID) -> Bool {
        launched.contains(run.number) && !completed.contains(run.number)
    }

    private func demand(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
        if !condition, broken == nil { broken = otherwise() }
    }
}
