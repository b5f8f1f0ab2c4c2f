internal import CLullShims
internal import Glibc
import Synchronization

/// A worker's process with the host's ends of its socket and pipes.
///
/// Until `bury` the process stays a zombie when it ends, so that its number, and with it its group's and
/// session's, can't come to mean another process.
struct WorkerProcess {
    let pid: pid_t
    let pidfd: Int32
    let socket: Int32
    let output: Int32
    let error: Int32
    /// In the environment of the worker and of what it starts.
    let marker: String

    /// Every worker of this process that is not buried: not to be mistaken for somebody's orphan.
    static let living = Mutex<Set<pid_t>>([])
    private static let count = Mutex(0)

    static func spawn(_ executable: String) throws(SpawnError) -> WorkerProcess {
        // Unique among the workers of this process, and of any other that lives.
        let marker = count.withLock { count in
            count += 1
            return "LULL_WORKER=\(getpid()).\(count)"
        }
        var socket: [Int32] = [-1, -1]
        var output: [Int32] = [-1, -1]
        var error: [Int32] = [-1, -1]
        var pid: pid_t = 0
        // Twice the longest frame: a frame always fits into an empty socket.
        var fault = lull_frame_sockets(&socket, 256 << 10)
        if fault == 0 { fault = lull_output_pipe(&output) }
        if fault == 0 { fault = lull_output_pipe(&error) }
        if fault == 0 {
            fault = living.withLock { living in
                let fault = lull_spawn(executable, marker, output[1], error[1], socket[1], &pid)
                if fault == 0 { living.insert(pid) }
                return fault
            }
        }
        let pidfd = fault == 0 ? lull_pidfd(pid) : -1
        for descriptor in [socket[1], output[1], error[1]] where descriptor >= 0 { close(descriptor) }
        guard fault == 0, pidfd >= 0 else {
            for descriptor in [socket[0], output[0], error[0]] where descriptor >= 0 { close(descriptor) }
            if fault == 0 { abandon(pid) }
            throw SpawnError(executable: executable, code: fault != 0 ? fault : -pidfd)
        }
        return WorkerProcess(
            pid: pid, pidfd: pidfd, socket: socket[0], output: output[0], error: error[0], marker: marker)
    }

    func signalGroup(_ signal: Int32) { kill(-pid, signal) }

    /// How it ended; nil while it lives. It stays a zombie.
    var ending: Ending? {
        var status: Int32 = 0
        switch lull_reap(pidfd, 1, &status) {
        case 0: return nil
        case 1: return Ending(waitStatus: status)
        // Somebody else has waited for it: it is gone, and how is not known.
        default: return .status(0)
        }
    }

    func bury() {
        var status: Int32 = 0
        _ = Self.living.withLock { living in
            _ = lull_reap(pidfd, 0, &status)
            return living.remove(pid)
        }
        close(pidfd)
    }

    /// Spawned, but without a descriptor for it; it can only be killed and waited for, which is quick.
    private static func abandon(_ pid: pid_t) {
        var status: Int32 = 0
        kill(-pid, SIGKILL)
        waitpid(pid, &status, 0)
        _ = living.withLock { $0.remove(pid) }
    }
}

/// A worker that could not be started.
struct SpawnError: Error, Equatable {
    let executable: String
    let code: Int32

    var message: String {
        switch code {
        case ENOENT: "There is no worker at '\(executable)'. Install lull-worker beside lull."
        case EACCES: "The worker '\(executable)' may not be run by this user. Change its permissions."
        case EMFILE, ENFILE: "There are too many open files to start a worker. Raise the limit (`ulimit -n`)."
        default: "The worker '\(executable)' can't be started: \(String(cString: strerror(code)))."
        }
    }
}
