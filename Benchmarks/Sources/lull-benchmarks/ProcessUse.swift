import Foundation

/// The resources that a process uses, without its children; from `/proc`.
struct ProcessUse {
    /// Processor time in nanoseconds.
    let time: Double
    /// Bytes.
    let resident: Double
    let threads: Int

    init(of pid: Int32) throws {
        let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        let fields = (stat.split(separator: ")").last ?? "").split(separator: " ")
        guard fields.count > 17, let user = Double(fields[11]), let system = Double(fields[12]),
            let threads = Int(fields[17])
        else { throw BenchmarkError("/proc/\(pid)/stat can't be read") }
        time = (user + system) * 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
        self.threads = threads
        let pages = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8).split(separator: " ")
        resident =
            (pages.dropFirst().first.flatMap { Double($0) } ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The children of a host's supervisors.
    static func workers(of host: Int32) throws -> [ProcessUse] {
        try children(of: host).flatMap { try children(of: $0) }.compactMap { try? ProcessUse(of: $0) }
    }

    /// The children with this name, started by any of its threads.
    static func children(of pid: Int32, named name: String) throws -> [Int32] {
        try threads(of: pid).flatMap { try children(of: pid, thread: $0) }.filter {
            (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == name + "\n"
        }
    }

    /// Context switches of all threads: each wake-up is at least one.
    static func switches(of pid: Int32) throws -> Int {
        try threads(of: pid).map { thread in
            let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
            return value("voluntary_ctxt_switches:", in: status)
                + value("nonvoluntary_ctxt_switches:", in: status)
        }.reduce(0, +)
    }

    /// The peak of resident bytes.
    static func highest(of pid: Int32) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        return Double(value("VmHWM:", in: status)) * 1024
    }

    /// The number on the line with this name; 0 if there is none.
    static func value(_ name: String, in text: String) -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            let words = line.dropFirst(name.count).split(whereSeparator: { $0 == " " || $0 == "\t" })
            return words.first.flatMap { Int($0) } ?? 0
        }
        return 0
    }

    private static func threads(of pid: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
    }

    private static func children(of pid: Int32, thread: String? = nil) throws -> [Int32] {
        try String(contentsOfFile: "/proc/\(pid)/task/\(thread ?? "\(pid)")/children", encoding: .utf8)
            .split(separator: " ").compactMap { Int32($0) }
    }
}
