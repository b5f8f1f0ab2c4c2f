import Foundation
import Glibc

/// The processes that share a command's process group.
///
/// The group is named by its leader's pid, which stays taken for as long as the leader is not reaped. So all
/// of this is asked and done while the leader is at least a zombie, and a signal can't reach a stranger.
struct ProcessGroup: Sendable {
    let leader: pid_t

    /// Blocks a thread of its own until the leader has ended, and leaves it to be reaped by who started it.
    func leaderEnded() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var info = siginfo_t()
                while waitid(P_PID, id_t(leader), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
                continuation.resume()
            }
        }
    }

    func send(_ signal: Int32) {
        _ = kill(-leader, signal)
    }

    /// How many processes of the group still live, the leader not counted.
    func livingFollowers() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.count { name in
            guard let pid = pid_t(name), pid != leader else { return false }
            return isMember(pid)
        }
    }

    private func isMember(_ pid: pid_t) -> Bool {
        guard let stat = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return false }
        // "pid (name) state parent group …", and a name may hold anything.
        let text = String(decoding: stat, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return false }
        let fields = text[end...].dropFirst().split(separator: " ")
        guard fields.count > 2 else { return false }
        return fields[2] == "\(leader)" && fields[0] != "Z" && fields[0] != "X"
    }
}
