internal import CLullShims
internal import Glibc
import LullModel

/// What a worker and all its descendants use, from `/proc`.
struct Consumption: Equatable {
    /// Bytes that are not shared.
    var memory: Int64 = 0
    /// Processor time, including that of ended processes that were waited for.
    var time: Duration = .zero
    /// Threads and zombies count, as in the kernel's own limits.
    var processes = 0

    init(memory: Int64 = 0, time: Duration = .zero, processes: Int = 0) {
        self.memory = memory
        self.time = time
        self.processes = processes
    }

    /// Of all descendants of a supervisor, of those that it has reaped, and of the supervisor itself, which changes
    /// files for the app.
    init(ofSupervisor supervisor: pid_t) {
        self.init(of: ProcessTable.descendants(of: supervisor), supervisor: supervisor)
    }

    /// `members`: all descendants of the supervisor, as just found.
    init(of members: [ProcessTable.Entry], supervisor: pid_t) {
        processes = members.reduce(0) { $0 + $1.threads }
        memory = members.reduce(0) { $0 + ($1.isZombie ? 0 : Self.memory(of: $1)) }
        let supervisors = ProcessTable.entry(of: supervisor)?.used ?? 0
        let ticks = members.reduce(supervisors) { $0 + $1.used }
        time = .milliseconds(Self.milliseconds(ticks))
    }

    static func milliseconds(_ ticks: Int64) -> Int64 { ticks * 1000 / ticksPerSecond }

    private static func memory(of entry: ProcessTable.Entry) -> Int64 {
        let text =
            entry.hasLostLeader
            ? ProcessTable.contents(ofProcess: entry.pid, "statm", atMost: 256)
            : ProcessTable.contents(of: "/proc/\(entry.pid)/statm", atMost: 256)
        let pages = (text ?? []).split(separator: UInt8(ascii: " ")).prefix(3)
            .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        return pages.count == 3 ? max(0, pages[1] - pages[2]) * pageSize : 0
    }

    private static let pageSize = Int64(sysconf(Int32(_SC_PAGESIZE)))
    static let ticksPerSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
}
