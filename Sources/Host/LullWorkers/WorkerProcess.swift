internal import CLullShims
internal import Glibc
import Synchronization

/// A worker's process and its supervisor's, with the host's ends of their sockets and pipes.
///
/// The supervisor is the host's child, and the worker the supervisor's. All that the app starts descends from the
/// supervisor, whatever it does to get away; when the worker ends, the supervisor ends the rest and then itself. Until
/// `bury` both stay zombies, so that their pids can't be reused.
final class WorkerProcess {
    let supervisor: pid_t
    /// The supervisor's pidfd.
    let pidfd: Int32
    let socket: Int32
    let output: Int32
    let error: Int32
    /// The supervisor's leash: it ends all when this is closed.
    private var link: Int32
    /// The supervisor's report on the worker, which comes as soon as the worker is there; nil: not read yet.
    private var kept: lull_kept?

    /// The supervisors and workers of this process that are not buried: they are no orphans.
    static let living = Mutex<Set<pid_t>>([])
    private static let count = Mutex(0)

    init(supervisor: pid_t, pidfd: Int32, socket: Int32, output: Int32, error: Int32, link: Int32) {
        self.supervisor = supervisor
        self.pidfd = pidfd
        self.socket = socket
        self.output = output
        self.error = error
        self.link = link
    }

    /// `mark`: identifies the state, for a later host (`EarlierHosts`). `group`: a descriptor of the `cgroup.procs`
    /// that the worker is to write itself into; -1: none.
    static func spawn(_ executable: String, mark: String = "", group: Int32 = -1) throws(SpawnError)
        -> WorkerProcess
    {
        // Unique among the workers of this process, and of any other that lives.
        let marker = count.withLock { count in
            count += 1
            return "LULL_WORKER=\(getpid()).\(count)\(mark)"
        }
        var socket: [Int32] = [-1, -1]
        var output: [Int32] = [-1, -1]
        var error: [Int32] = [-1, -1]
        var link: [Int32] = [-1, -1]
        var pid: pid_t = 0
        // Twice the longest frame: a frame always fits into an empty socket.
        var fault = lull_frame_sockets(&socket, 256 << 10)
        if fault == 0 { fault = lull_frame_sockets(&link, 0) }
        if fault == 0 { fault = lull_output_pipe(&output) }
        if fault == 0 { fault = lull_output_pipe(&error) }
        if fault == 0 {
            fault = living.withLock { living in
                let fault = lull_spawn(
                    executable, marker, output[1], error[1], socket[1], link[1], group, &pid)
                if fault == 0 { living.insert(pid) }
                return fault
            }
        }
        let pidfd = fault == 0 ? lull_pidfd(pid) : -1
        for descriptor in [socket[1], output[1], error[1], link[1]] where descriptor >= 0 {
            close(descriptor)
        }
        guard fault == 0, pidfd >= 0 else {
            for descriptor in [socket[0], output[0], error[0], link[0]] where descriptor >= 0 {
                close(descriptor)
            }
            if fault == 0 { abandon(pid) }
            throw SpawnError(executable: executable, code: fault != 0 ? fault : -pidfd)
        }
        return WorkerProcess(
            supervisor: pid, pidfd: pidfd, socket: socket[0], output: output[0], error: error[0],
            link: link[0])
    }

    /// The worker; nil while there is none.
    var worker: pid_t? { learn().flatMap { $0.worker > 0 ? $0.worker : nil } }

    var isInGroup: Bool { learn()?.is_in_group == 1 }

    private func learn() -> lull_kept? {
        if kept != nil || link < 0 { return kept }
        var told = lull_kept()
        guard lull_receive(link, &told, MemoryLayout<lull_kept>.size, 0) == MemoryLayout<lull_kept>.size
        else { return nil }
        kept = told
        if told.worker > 0 { _ = Self.living.withLock { $0.insert(told.worker) } }
        return kept
    }

    /// Has the supervisor end all at that time since the boot, which counts sleep, unless it is told another before; nil: at none.
    func keep(until end: Duration?) {
        guard link >= 0 else { return }
        var end = end.map { max(1, $0.nanoseconds) } ?? 0
        // A supervisor that reads nothing keeps the time that it was told before.
        _ = lull_send(link, &end, MemoryLayout.size(ofValue: end), 0)
    }

    /// Ends the worker, and has its supervisor end all that it has started.
    func end() {
        if let worker { kill(-worker, SIGKILL) }
        // A stopped supervisor would never end.
        _ = lull_pidfd_signal(pidfd, SIGCONT)
        closeLink()
    }

    /// Ends a supervisor that does not end by itself; this process inherits its children then.
    func endSupervisor() { _ = lull_pidfd_signal(pidfd, SIGKILL) }

    /// How it ended; nil while its supervisor lives.
    var ending: WorkerEnding? {
        guard let supervisor = Self.wait(for: pidfd) else { return nil }
        guard let worker else {
            let fault = learn().map { -$0.worker }
            return WorkerEnding(
                worker: supervisor, supervisor: supervisor, forkFault: fault, hadWorker: false)
        }
        var status: Int32 = 0
        // It lives on where its supervisor was killed, until the kernel has ended it too.
        let isOver = lull_reap_pid(worker, 1, &status) == 1
        return WorkerEnding(
            worker: isOver ? Ending(waitStatus: status) : .signal(SIGKILL), supervisor: supervisor,
            forkFault: nil,
            hadWorker: true)
    }

    /// Where the supervisor has left a worker that still lives, that is an orphan like its processes.
    func disown() {
        var status: Int32 = 0
        guard let worker, lull_reap_pid(worker, 1, &status) != 1 else { return }
        _ = Self.living.withLock { $0.remove(worker) }
    }

    func bury() {
        let worker = worker
        closeLink()
        var status: Int32 = 0
        Self.living.withLock { living in
            _ = lull_reap(pidfd, 0, &status)
            living.remove(supervisor)
            guard let worker else { return }
            _ = lull_reap_pid(worker, 0, &status)
            living.remove(worker)
        }
        close(pidfd)
    }

    private func closeLink() {
        guard link >= 0 else { return }
        _ = learn()
        close(link)
        link = -1
    }

    private static func wait(for pidfd: Int32) -> Ending? {
        var status: Int32 = 0
        switch lull_reap(pidfd, 1, &status) {
        case 0: return nil
        case 1: return Ending(waitStatus: status)
        // Other code has waited for it: how it ended is not known.
        default: return .status(0)
        }
    }

    /// Spawned, but without a descriptor for it; it can only be killed and waited for, which is quick.
    private static func abandon(_ pid: pid_t) {
        var status: Int32 = 0
        kill(-pid, SIGKILL)
        waitpid(pid, &status, 0)
        _ = living.withLock { $0.remove(pid) }
    }
}
