internal import CLullShims
internal import Glibc
import LullModel

/// What a worker and all that it has started use, from `/proc`.
struct Consumption: Equatable {
    /// Bytes that nobody else shares.
    var memory: Int64 = 0
    /// Of the processors, also by children that have ended and were waited for.
    var time: Duration = .zero
    var processes = 0

    init(memory: Int64 = 0, time: Duration = .zero, processes: Int = 0) {
        self.memory = memory
        self.time = time
        self.processes = processes
    }

    init(of worker: WorkerProcess, in table: ProcessTable) {
        add(worker.pid)
        for entry in table.leftBehind(by: worker.pid, isMarked: { Remnants.isMarked($0, worker.marker) })
        where !entry.isZombie { add(entry.pid) }
    }

    private mutating func add(_ pid: pid_t) {
        guard let memory = Self.memory(of: pid), let time = Self.time(of: pid) else { return }
        self.memory += memory
        self.time += time
        processes += 1
    }

    private static func memory(of pid: pid_t) -> Int64? {
        guard let text = ProcessTable.contents(of: "/proc/\(pid)/statm", atMost: 256) else { return nil }
        let pages = text.split(separator: UInt8(ascii: " ")).prefix(3)
            .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        return pages.count == 3 ? max(0, pages[1] - pages[2]) * pageSize : nil
    }

    private static func time(of pid: pid_t) -> Duration? {
        guard let text = ProcessTable.contents(of: "/proc/\(pid)/stat", atMost: 1024),
            let end = text.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        // Behind the name: the state, and from the twelfth on the ticks of itself and of its children.
        let fields = text[text.index(after: end)...].split(separator: UInt8(ascii: " "), maxSplits: 16)
        guard fields.count > 15 else { return nil }
        let ticks = fields[11...14].compactMap { Int64(String(decoding: $0, as: UTF8.self)) }.reduce(0, +)
        return .milliseconds(ticks * 1000 / ticksPerSecond)
    }

    private static let pageSize = Int64(sysconf(Int32(_SC_PAGESIZE)))
    private static let ticksPerSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
}
