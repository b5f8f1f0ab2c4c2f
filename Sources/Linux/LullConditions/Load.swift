/// How busy the host is: the load average of a minute per core, and pressure.
struct Load: Equatable {
    let perCore: Double
    let cpuPressure: Double?
    let memoryPressure: Double?
    /// Why the load is not known and counts as too busy for anything.
    let fault: String?

    /// The value of a load that can't be read: `Conditions.load` can't be unknown, and too busy is the safe side.
    static let unreadable = 1000.0

    init(procfs: String, sysfs: String) {
        cpuPressure = Pressure.share(procfs: procfs, resource: "cpu")
        memoryPressure = Pressure.share(procfs: procfs, resource: "memory")
        do throws(Unreadable) {
            let path = procfs + "/loadavg"
            let word = try HostFile.text(path).prefix { !$0.isWhitespace }
            guard let load = Double(word), load.isFinite, load >= 0 else {
                throw Unreadable(path: path, fault: "says \(HostFile.quoted(word)), not a load average")
            }
            perCore = min(load / Double(Self.cores(procfs: procfs, sysfs: sysfs)), Self.unreadable)
            fault = nil
        } catch {
            perCore = Self.unreadable
            fault = error.reason
        }
    }

    /// Processors online; 1 where it is not known, which makes the load look higher, not lower.
    static func cores(procfs: String, sysfs: String) -> Int {
        if let list = try? HostFile.word(sysfs + "/devices/system/cpu/online"), let count = Self.count(list) {
            return count
        }
        let info = (try? HostFile.text(procfs + "/cpuinfo")) ?? ""
        let processors = info.split(separator: "\n").filter { $0.hasPrefix("processor") && $0.contains(":") }
        return max(processors.count, 1)
    }

    /// How many a list such as `0-3,8` names.
    static func count(_ list: String) -> Int? {
        var count = 0
        for range in list.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            switch (ends.count, ends.first ?? nil, ends.last ?? nil) {
            case (1, .some, _): count += 1
            case (2, let first?, let last?) where 0 <= first && first <= last && last < 1 << 20:
                count += last - first + 1
            default: return nil
            }
        }
        return count
    }
}

/// PSI: the share of time in which some task waited for a resource.
enum Pressure {
    /// Over the last ten seconds; nil where the kernel has no PSI or its file has no valid share.
    static func share(procfs: String, resource: String) -> Double? {
        guard let text = try? HostFile.text("\(procfs)/pressure/\(resource)") else { return nil }
        return share(text)
    }

    static func share(_ text: String) -> Double? {
        for line in text.split(separator: "\n") where line.hasPrefix("some ") {
            for field in line.split(separator: " ") where field.hasPrefix("avg10=") {
                guard let percent = Double(field.dropFirst(6)), (0...100).contains(percent) else {
                    return nil
                }
                return percent / 100
            }
        }
        return nil
    }
}
