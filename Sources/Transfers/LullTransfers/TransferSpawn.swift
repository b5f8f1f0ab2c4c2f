internal import CLullShims
internal import Glibc

/// A process `lull-transfer`: its pid and pidfd, and the host's ends of its socket and its standard error.
struct TransferSpawn {
    let pid: pid_t
    let pidfd: Int32
    let socket: Int32
    let errors: Int32

    /// Why it could not be started.
    struct Refusal: Error { let sentence: String }

    init(_ executable: String, mark: String, environment: [String]) throws(Refusal) {
        var ends: [Int32] = [-1, -1]
        var pipes: [Int32] = [-1, -1]
        var pid: pid_t = 0
        // Twice the longest frame: a frame always fits into an empty socket.
        var fault = lull_frame_sockets(&ends, 256 << 10)
        if fault == 0 { fault = lull_output_pipe(&pipes) }
        if fault == 0 {
            let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
            fault = lull_spawn_transfer(executable, mark, variables, pipes[1], ends[1], &pid)
            for text in variables { free(text) }
        }
        let pidfd = fault == 0 ? lull_pidfd(pid) : -1
        for descriptor in [ends[1], pipes[1]] where descriptor >= 0 { close(descriptor) }
        guard fault == 0, pidfd >= 0 else {
            for descriptor in [ends[0], pipes[0]] where descriptor >= 0 { close(descriptor) }
            // Without its socket it ends by itself; waiting for that is quick.
            if fault == 0 { waitpid(pid, nil, 0) }
            throw Refusal(sentence: Self.sentence(executable, fault != 0 ? fault : -pidfd))
        }
        (self.pid, self.pidfd, socket, errors) = (pid, pidfd, ends[0], pipes[0])
    }

    /// Reaps it. Returns how it ended; nil: it lives.
    func reap() -> String? {
        var status: Int32 = 0
        switch lull_reap(pidfd, 0, &status) {
        case 0: return nil
        case 1:
            let signal = status & 0x7F
            return signal == 0 ? "exited with \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
        // Other code has waited for it: how it ended is not known.
        default: return "has ended"
        }
    }

    private static func sentence(_ executable: String, _ code: Int32) -> String {
        switch code {
        case ENOENT: "There is no '\(executable)'. Install lull-transfer beside lull."
        case EACCES: "This user may not run '\(executable)'. Change its permissions."
        default: "'\(executable)' can't be started: \(String(cString: strerror(code)))."
        }
    }
}
