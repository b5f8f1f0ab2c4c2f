import CBenchmarks
import Foundation

/// `curl`, which transfers with the library that `lull-transfer` uses.
struct CurlReference {
    static let path = "/usr/bin/curl"
    private let folder: String
    private let authority: String?
    private let isDurable: Bool

    /// - Parameter isDurable: all files are synced in the end.
    init(to folder: String, authority: String?, isDurable: Bool) {
        self.folder = folder
        self.authority = authority
        self.isDurable = isDurable
    }

    /// Nanoseconds until all files are there.
    func fetch(_ urls: [String], atOnce: Int) throws -> Double {
        let words = try arguments(urls, atOnce).joined(separator: " ")
        let end = isDurable ? " && sync \(folder)/*.curl" : ""
        let spent = benchmarks_start_commands("\(Self.path) \(words)\(end)", 1)
        guard spent >= 0 else { throw BenchmarkError("curl \(words) failed") }
        return Double(spent)
    }

    /// The peak memory of `curl`, in bytes.
    func highest(_ urls: [String], atOnce: Int) throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = try arguments(urls, atOnce)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        var most = 0.0
        while process.isRunning {
            most = max(most, (try? ProcessUse.highest(of: process.processIdentifier)) ?? 0)
            usleep(20_000)
        }
        guard process.terminationStatus == 0 else { throw BenchmarkError("curl failed") }
        return most
    }

    private func arguments(_ urls: [String], _ atOnce: Int) throws -> [String] {
        if urls.count == 1, let url = urls.first { return ["-s", "-f", "-o", folder + "/1.curl", url] }
        let list = folder + "/list"
        let lines = urls.enumerated().map { "url = \"\($1)\"\noutput = \"\(folder)/\($0).curl\"\n" }
        try lines.joined().write(toFile: list, atomically: true, encoding: .utf8)
        return ["-s", "-f", "--parallel", "--parallel-max", "\(atOnce)", "-K", list]
            + (authority.map { ["--cacert", $0] } ?? [])
    }
}
