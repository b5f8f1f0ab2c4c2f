internal import CLullShims
internal import Glibc

/// Why the kernel makes no more processes (`EAGAIN`): which limit is reached, and whose it is.
public enum ProcessShortage {
    /// A limit that is nearly reached counts as the cause: what was in the way may have ended since.
    struct Limit {
        let whose: String
        let used: Int
        let most: Int
        let remedy: String

        var isReached: Bool { used + most / 10 >= most || used + 2 >= most }
        var sentence: String {
            "\(whose) \(used) processes and threads, and the limit is \(most). \(remedy)"
        }
    }

    public static var sentence: String {
        let limits = [limitOfUser()].compactMap { $0 } + limitsOfGroups() + limitsOfMachine()
        return limits.first(where: \.isReached)?.sentence
            ?? "the kernel makes no more processes. See `ulimit -u`, TasksMax= of the service, and kernel.threads-max."
    }

    /// The limit of this user; root has none.
    private static func limitOfUser() -> Limit? {
        var limit = rlimit()
        guard geteuid() != 0, getrlimit(__rlimit_resource_t(6), &limit) == 0, limit.rlim_cur != .max,
            let most = Int(exactly: limit.rlim_cur)
        else { return nil }
        let user = getuid()
        var used = 0
        ProcessTable.forEach { pid in
            var status = stat()
            guard stat("/proc/\(pid)", &status) == 0, status.st_uid == user else { return }
            used += ProcessTable.entry(of: pid)?.threads ?? 0
        }
        return Limit(
            whose: "this user has", used: used, most: most,
            remedy: "Raise `ulimit -u` (LimitNPROC= of a service), or end some of them.")
    }

    /// The limits of this process's own group and of those above it.
    private static func limitsOfGroups() -> [Limit] {
        let lines = text("/proc/self/cgroup").split(separator: "\n")
        var found: [Limit] = []
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[1].isEmpty || parts[1] == "pids" else { continue }
            let root = parts[1].isEmpty ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids"
            var path = parts[2]
            while true {
                let folder = root + (path == "/" ? "" : path)
                if let most = number(folder + "/pids.max"), let used = number(folder + "/pids.current") {
                    found.append(
                        Limit(
                            whose: "the control group \(path) has", used: used, most: most,
                            remedy: "Raise TasksMax= of the service or container."))
                }
                guard path != "/", let end = path.lastIndex(of: "/") else { break }
                path = end == path.startIndex ? "/" : path[..<end]
            }
        }
        return found
    }

    private static func limitsOfMachine() -> [Limit] {
        // "0.00 0.01 0.05 1/123 4567"
        let words = text("/proc/loadavg").split(separator: " ")
        guard words.count > 3, let used = words[3].split(separator: "/").last.flatMap({ Int($0) }) else {
            return []
        }
        return ["threads-max", "pid_max"].compactMap { name in
            number("/proc/sys/kernel/\(name)").map {
                Limit(
                    whose: "this machine has", used: used, most: $0,
                    remedy: "Raise it with `sysctl kernel.\(name)`, or end some of them.")
            }
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: ProcessTable.contents(of: path, atMost: 64 << 10) ?? [], as: UTF8.self)
    }

    /// Nil: there is none, or it is `max`.
    private static func number(_ path: String) -> Int? {
        text(path).split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }
}
