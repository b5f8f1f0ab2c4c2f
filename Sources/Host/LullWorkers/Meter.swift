internal import CLullShims
internal import Glibc
import LullModel

/// What the kernel has counted, up to a moment, of a worker and of all that it has started; an absent figure is unknown.
///
/// Nothing here is the worker's word. The times of processes that a parent does not wait for are lost, except in a control
/// group.
struct Meter: Equatable {
    /// Milliseconds on the processors.
    var processor: Int64?
    /// The most memory in bytes that one of the living processes, or of the ended ones, has had resident.
    var peak: Int64?
    /// Bytes from and to storage.
    var read: Int64?
    var written: Int64?
    /// Page faults of ended orphans, which the supervisor has waited for: nobody knows their peak.
    var orphanFaults: Int64 = 0

    /// Before anything has run.
    static let zero = Meter(processor: 0, read: 0, written: 0)

    /// Of the living, and of those that were waited for.
    ///
    /// `resetsPeak`: a process's peak is from now on that of the time after.
    init(below supervisor: pid_t, in group: AppGroup?, resetsPeak: Bool = false) {
        let members = ProcessTable.descendants(of: supervisor)
        let parent = ProcessTable.entry(of: supervisor)
        orphanFaults = parent?.childFaults ?? 0
        // Both moments of a run from one source: a group that does not tell leaves it unknown.
        processor =
            group.map(\.processorTime)
            ?? parent.map { Consumption.milliseconds(members.reduce($0.used) { $0 + $1.used }) }
        addTraffic(of: members, parent)
        let living = members.filter { !$0.isZombie }
        if !resetsPeak || !living.allSatisfy(Self.resetsPeak) {
            peak =
                living.compactMap {
                    Self.number(
                        "VmHWM:", in: ProcessTable.contents(ofProcess: $0.pid, "status", atMost: 4096))
                }.max().map { $0 << 10 }
        }
    }

    /// Of an ended supervisor and its worker that are not reaped yet; nil: they have not ended.
    init?(ofEnded supervisor: pid_t, _ worker: pid_t?, in group: AppGroup?) {
        var used = lull_used()
        guard lull_used_by_ended(supervisor, &used) == 1 else { return nil }
        self = .zero
        add(used)
        guard let worker else { return }
        guard lull_used_by_ended(worker, &used) == 1 else {
            self.init()
            return
        }
        add(used)
        peak = used.peak
        orphanFaults = ProcessTable.entry(of: supervisor)?.childFaults ?? 0
        if let group { processor = group.processorTime }
    }

    init(processor: Int64? = nil, peak: Int64? = nil, read: Int64? = nil, written: Int64? = nil) {
        (self.processor, self.peak, self.read, self.written) = (processor, peak, read, written)
    }

    private mutating func add(_ used: lull_used) {
        processor = (processor ?? 0) + used.microseconds / 1000
        read = (read ?? 0) + used.read
        written = (written ?? 0) + used.written
    }

    /// The traffic of a supervisor can be read only by root: it is that of processes that it has waited for.
    private mutating func addTraffic(of members: [ProcessTable.Entry], _ supervisor: ProcessTable.Entry?) {
        var sum = (read: Int64(0), written: Int64(0))
        for entry in members + [supervisor].compactMap(\.self) {
            // Of all its threads, also if the first has ended.
            let counts = ProcessTable.contents(of: "/proc/\(entry.pid)/io", atMost: 4096)
            guard let read = Self.number("read_bytes:", in: counts),
                let written = Self.number("write_bytes:", in: counts)
            else {
                // One that has just ended is its parent's.
                if ProcessTable.entry(of: entry.pid) == nil { continue }
                if entry == supervisor, entry.childFaults == 0 { continue }
                return
            }
            sum = (sum.read + read, sum.written + written)
        }
        guard supervisor != nil else { return }
        (read, written) = sum
    }

    private static func number(_ name: String, in text: [UInt8]?) -> Int64? {
        let lines = String(decoding: text ?? [], as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(name) }.flatMap {
            $0.dropFirst(name.count).split { " \t".contains($0) }.first
        }
        .flatMap { Int64($0) }
    }

    private static func resetsPeak(of entry: ProcessTable.Entry) -> Bool {
        AppGroups.write("5", to: "/proc/\(entry.pid)/clear_refs")
    }
}
