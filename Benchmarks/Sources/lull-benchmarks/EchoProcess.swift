import CBenchmarks
import Foundation

/// This program again, at the other end of a socket pair, which echoes what it gets: the bare cost of a request to
/// another process.
final class EchoProcess {
    static let role = "--echo"
    static let frameBytes = 64
    private let descriptor: Int32
    private let process = Process()

    init() throws {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            throw BenchmarkError("no socket pair: \(String(cString: strerror(errno)))")
        }
        descriptor = pair[0]
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
        process.arguments = [Self.role]
        process.standardInput = FileHandle(fileDescriptor: pair[1], closeOnDealloc: true)
        try process.run()
        close(pair[1])
    }

    deinit {
        close(descriptor)
        process.waitUntilExit()
    }

    var pid: Int32 { process.processIdentifier }

    /// Nanoseconds for one round trip.
    func roundTrip(times: Int) throws -> Double {
        var result: Int32 = 0
        let spent = Stopwatch.time {
            result = benchmarks_round_trips(descriptor, Self.frameBytes, Int64(times))
        }
        guard result == 0 else { throw BenchmarkError("the echo process is gone") }
        return spent / Double(times)
    }
}
