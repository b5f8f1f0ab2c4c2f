import Foundation

/// What a process uses itself, without what it has started; from `/proc`.
struct ProcessUse {
    /// Nanoseconds of the processors.
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

    /// The children of a host's keepers.
    static func workers(of host: Int32) throws -> [ProcessUse] {
        try children(of: host).flatMap { try children(of: $0) }.compactMap { try? ProcessUse(of: $0) }
    }

    private static func children(of pid: Int32) throws -> [Int32] {
        try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
            .split(separator: " ").compactMap { Int32($0) }
    }
}
