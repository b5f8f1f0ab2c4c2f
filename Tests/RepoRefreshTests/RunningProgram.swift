import Foundation

/// A process with its output and errors in one pipe; no read has a time limit, so a hang is the test's.
final class RunningProgram: Sendable {
    private let process: Process
    private let input = Pipe()
    private let combined = Pipe()

    init(_ program: String, _ arguments: [String]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = combined
        process.standardError = combined
        process.environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
        ]
        try process.run()
    }

    /// Reads on until `text` was printed, or nothing more comes.
    func output(until text: String) async -> String {
        await read { $0.contains(text) }
    }

    /// Reads to the end, which comes when the program and all that it started are gone.
    func output() async -> String {
        let rest = await read { _ in false }
        process.waitUntilExit()
        return rest
    }

    func say(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    var status: Int32 { process.terminationStatus }

    private func read(until isEnough: @escaping @Sendable (String) -> Bool) async -> String {
        let handle = combined.fileHandleForReading
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var all = Data()
                while !isEnough(String(decoding: all, as: UTF8.self)) {
                    let next = handle.availableData
                    guard !next.isEmpty else { break }
                    all += next
                }
                continuation.resume(returning: String(decoding: all, as: UTF8.self))
            }
        }
    }
}
