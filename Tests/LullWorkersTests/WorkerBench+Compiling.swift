import Foundation
import Testing

extension WorkerBench {
    /// Runs a compiler to its end. Without the compiler on this machine, the test is cancelled with that reason.
    func run(_ compiler: String, _ arguments: [String]) throws {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let tool = places.map { "\($0)/\(compiler)" }.first(where: FileManager.default.isExecutableFile)
        guard let tool else { try Test.cancel("there is no \(compiler) on this machine") }
        let process = Process()
        let output = folder + "/compiler.log"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.executableURL = URL(filePath: tool)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        let words = try String(contentsOfFile: output, encoding: .utf8)
        try #require(process.terminationStatus == 0, "\(compiler): \(words)")
    }

    /// A fixture built against a header in the folder `headers`.
    func compile(_ fixture: String, against headers: String, defining names: [String] = []) throws -> String {
        let fixtures = Self.root.appending(path: "Tests/Fixtures/Plugins").path
        try run(
            "gcc",
            ["-std=gnu17", "-Wall", "-Werror", "-shared", "-fPIC", "-pthread", "-I", headers, "-I", fixtures]
                + names.map { "-D\($0)" } + ["\(fixtures)/\(fixture).c", "-o", "\(fixture).so"])
        return "\(folder)/\(fixture).so"
    }
}
