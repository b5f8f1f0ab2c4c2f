import Foundation
import TestSupport

/// The plugin and a small host, both built with gcc from nothing but the header and libc.
struct FakeHost {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let plugin: String
    private let executable: String
    private let state: String

    /// Builds both into `folder`, in which the app's state is as well.
    init(in folder: String) throws {
        plugin = folder + "/libMirror.so"
        executable = folder + "/fake_host"
        state = folder + "/state"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent().path
        let strict = [
            "gcc", "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-pthread",
            "-I", root + "/Sources/C/CLullPlugin/include",
        ]
        let sources = try FileManager.default.contentsOfDirectory(atPath: root + "/plugins/Mirror")
            .filter { $0.hasSuffix(".c") }.map { root + "/plugins/Mirror/" + $0 }
        try Self.check(strict + ["-fPIC", "-shared", "-o", plugin] + sources)
        // pedantic forbids the cast of dlsym's result, which POSIX demands; it is to an object here.
        try Self.check(strict + ["-o", executable, tests.path + "/fake_host.c"])
    }

    /// Does what the lines say; the lines that were printed.
    func obey(_ lines: [[String]]) throws -> [String] {
        let input = lines.map { $0.joined(separator: "\t") + "\n" }.joined()
        let (status, output) = try Self.run([executable, plugin, state], input: input)
        guard status == 0 else { throw Failure(description: "the host ended with \(status): \(output)") }
        return output.split(separator: "\n").map(String.init)
    }

    private static func check(_ command: [String]) throws {
        let (status, output) = try run(["/usr/bin/env"] + command)
        guard status == 0 else {
            throw Failure(description: "\(command.joined(separator: " ")): \(output)")
        }
    }

    private static func run(_ command: [String], input: String = "") throws -> (Int32, String) {
        let process = Process()
        let (given, said) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = given
        process.standardOutput = said
        process.standardError = said
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
        let output = said.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
