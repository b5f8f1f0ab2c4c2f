import Foundation

/// The cost of one small durable write on this disk: the lower limit for all that must be recorded before it takes effect.
final class Durability {
    private let file: Int32
    private let page = [UInt8](repeating: 7, count: 4096)

    init(folder: String) throws {
        file = open(folder + "/durable", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw BenchmarkError("no file in \(folder): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(file) }

    /// Nanoseconds for one write of 4 KiB at the file's end and its fsync.
    func write(times: Int) throws -> Double {
        try Stopwatch.time {
            for _ in 0..<times {
                guard Glibc.write(file, page, page.count) == page.count, fsync(file) == 0 else {
                    throw BenchmarkError("a write or its fsync failed: \(String(cString: strerror(errno)))")
                }
            }
        } / Double(times)
    }
}
