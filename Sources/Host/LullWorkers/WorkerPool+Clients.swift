private import Glibc
public import LullModel

/// Whether a client of the host is one of the apps that it runs.
extension WorkerPool {
    /// Why a process may not command the host, as a sentence; nil: no app has started it, or an app that keeps its
    /// user's privileges.
    ///
    /// Processes of a worker stay below its supervisor, a child of the host, however often they fork. A supervisor has
    /// a session of its own, and no process can go back into the host's.
    public func refusal(ofClient process: Int32) -> String? {
        guard let ancestor = ancestor(of: process) else { return nil }
        let remedy =
            "An app asks through its own `submit` and `cancel`; to let it command the host, write "
            + "`limits: { privileges: keep }`."
        guard let worker = worker(keptBy: ancestor) else {
            return getsid(ancestor) == getsid(0)
                ? nil
                : "Process \(process) was left behind by an app, and may not command the host that runs it. "
                    + remedy
        }
        return worker.spec.confinement.limits.keepsPrivileges
            ? nil
            : "Process \(process) was started by \(worker.app), and may not command the host that runs it. "
                + remedy
    }

    /// The worker that has started the process, or is it; nil: none of these.
    public func worker(ofProcess process: Int32) -> WorkerID? {
        ancestor(of: process).flatMap(worker(keptBy:))?.id
    }

    /// The child of this process that it descends from; nil: it is no descendant, or this process itself.
    private func ancestor(of process: Int32) -> Int32? {
        let own = getpid()
        // A process in between may end during the look, and its children get another parent: then start again.
        for _ in 0..<64 {
            var current = process
            var last: Int32 = 0
            while current > 1, current != own, let entry = ProcessTable.entry(of: current) {
                (last, current) = (current, entry.parent)
            }
            if current == own { return last == 0 ? nil : last }
            // A process that is hidden from this user belongs to another, and is none of a confined app's.
            if current <= 1 || Glibc.kill(current, 0) != 0 && errno == EPERM { return nil }
        }
        // Its parents keep changing, or it is gone and can't read an answer.
        return process
    }
}
