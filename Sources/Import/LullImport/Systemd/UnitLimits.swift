/// `MemoryMax=`, `CPUQuota=` and `TasksMax=` of a service, as the `limits` of a task.
struct UnitLimits {
    private(set) var entries: [(key: String, value: YAMLText)] = []
    /// Limits that a manifest can't have, and why.
    private(set) var faults: [(line: UnitFile.Line, message: String)] = []

    /// The smallest memory that a manifest takes.
    private static let leastMemory: Int64 = 16 << 20

    init(_ service: UnitFile?) {
        // `MemoryLimit=` is what `MemoryMax=` was called.
        for (keys, name) in [
            (["MemoryMax", "MemoryLimit"], "memory"), (["CPUQuota"], "cpu"), (["TasksMax"], "processes"),
        ] {
            let lines = keys.compactMap { service?.last($0, in: "Service") }
            guard let line = lines.first, line.value != "infinity" else { continue }
            switch name {
            case "memory": memory(line)
            case "cpu":
                if line.value.hasSuffix("%"), let share = Int(line.value.dropLast()),
                    (1...100_000).contains(share)
                {
                    entries.append((name, .word("\(share)%")))
                } else {
                    faults.append((line, "'\(line.value)' is not a share of a processor"))
                }
            default:
                if let count = Int(line.value), (1...100_000).contains(count) {
                    entries.append((name, .word("\(count)")))
                } else {
                    faults.append((line, "'\(line.value)' is not a number of processes"))
                }
            }
        }
    }

    private mutating func memory(_ line: UnitFile.Line) {
        let units: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]
        let last = line.value.last ?? " "
        let shift = units[last] ?? 0
        let digits = units[last] == nil && last != "B" ? line.value : String(line.value.dropLast())
        guard let count = Int64(digits), count > 0, count <= Int64.max >> (shift + 1) else {
            faults.append((line, "'\(line.value)' is not a number of bytes"))
            return
        }
        let bytes = max(count << shift, Self.leastMemory)
        if bytes > count << shift {
            faults.append(
                (line, "'\(line.value)' is less than a worker needs, so the task gets `memory: 16MiB`"))
        }
        let unit = [("GiB", Int64(30)), ("MiB", 20), ("KiB", 10)].first { bytes & ((1 << $0.1) - 1) == 0 }
        entries.append(("memory", .word(unit.map { "\(bytes >> $0.1)\($0.0)" } ?? "\(bytes)B")))
    }
}
