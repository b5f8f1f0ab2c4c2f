import Foundation
import Testing

/// A folder with a manifest, plugins and a state of its own, in which the real executables run.
package final class Workshop {
    package let folder: String
    package let state: String

    package init() throws {
        folder =
            FileManager.default.temporaryDirectory.appendingPathComponent("lull-e2e-\(UUID().uuidString)")
            .path
        state = folder + "/state"
        try FileManager.default.createDirectory(
            atPath: folder + "/plugins", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The folder with the executables: where this test runs from.
    package static let products: URL = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let candidates =
            [URL(fileURLWithPath: own).deletingLastPathComponent()]
            + [".build/debug", ".build/release"].map(root.appendingPathComponent)
        let arguments = CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
        return (candidates + arguments).first {
            FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("lull-worker").path)
        }
            ?? root.appendingPathComponent(".build/debug")
    }()

    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    package func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }

    /// Compiles a fixture as an author would, outside the repository, against the header alone.
    package func compile(_ fixture: String, as name: String, defining names: [String] = []) throws {
        let source = Self.root.appendingPathComponent("Tests/Fixtures/Plugins/\(fixture).c").path
        let header = Self.root.appendingPathComponent("Sources/C/CLullPlugin/include").path
        let result = try Program.run(
            "/usr/bin/env",
            [
                "gcc", "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                "-pthread", "-I", header,
                source, "-o", folder + "/plugins/lib\(name).so",
            ] + names.map { "-D" + $0 })
        #expect(result.status == 0, "gcc: \(result.error)")
    }

    /// A workshop with the fixture Tasks and this manifest.
    package convenience init(tasks manifest: String) throws {
        try self.init()
        try compile("Tasks", as: "Tasks")
        try write(manifest, to: "jobs.yaml")
    }

    /// The path of a shipped plugin.
    package static func shipped(_ plugin: String) -> String {
        products.appendingPathComponent("lib\(plugin).so").path
    }

    /// Makes shipped plugins available by their names.
    package func link(_ plugins: String...) throws {
        for plugin in plugins {
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/plugins/lib\(plugin).so", withDestinationPath: Self.shipped(plugin))
        }
    }

    /// Makes the sysfs of a laptop on battery under `sys`; returns the folder of its power supplies.
    @discardableResult
    package func runOnBattery() throws -> String {
        let supplies = folder + "/sys/class/power_supply"
        for (supply, files) in [
            ("AC", ["type": "Mains", "online": "0"]),
            ("BAT0", ["type": "Battery", "status": "Discharging", "capacity": "80", "present": "1"]),
        ] {
            try FileManager.default.createDirectory(
                atPath: supplies + "/" + supply, withIntermediateDirectories: true)
            for (name, value) in files {
                try write(value + "\n", to: "sys/class/power_supply/\(supply)/\(name)")
            }
        }
        return supplies
    }

    /// Runs `lull` with this workshop's state and plugins until it ends.
    @discardableResult
    package func lull(_ arguments: String..., input: String? = nil) throws -> Program.Result {
        try Program.run(
            Self.products.appendingPathComponent("lull").path, with(arguments), in: folder, input: input)
    }

    @discardableResult
    package func lull(_ arguments: [String]) throws -> Program.Result {
        try Program.run(Self.products.appendingPathComponent("lull").path, with(arguments), in: folder)
    }

    /// Runs `lull` without the options for state and plugins.
    package func bare(_ arguments: [String]) throws -> Program.Result {
        try Program.run(Self.products.appendingPathComponent("lull").path, arguments, in: folder)
    }

    /// Runs `lull` from a folder without a manifest.
    package func elsewhere(_ arguments: String...) throws -> Program.Result { try elsewhere(arguments) }

    package func elsewhere(_ arguments: [String]) throws -> Program.Result {
        try Program.run(Self.products.appendingPathComponent("lull").path, with(arguments), in: "/")
    }

    /// Starts `lull` and leaves it running; `through`: a command prefix to start it with.
    package func start(
        _ arguments: String..., through: [String] = [], environment: [String: String] = [:]
    ) throws -> Program {
        let lull = Self.products.appendingPathComponent("lull").path
        return try Program(
            "/usr/bin/env", through + [lull] + with(arguments), in: folder, environment: environment)
    }

    private func with(_ arguments: [String]) -> [String] {
        arguments + ["--state", state, "--plugins", folder + "/plugins"]
    }
}

/// A process that the test started; its standard error is read line by line.
package final class Program {
    package struct Result {
        package let status: Int32
        package let output: String
        package let error: String
    }

    package let process = Process()
    private let errors = Pipe()
    private var unread = Data()
    /// Everything read so far.
    package private(set) var said = ""

    package init(
        _ path: String, _ arguments: [String], in folder: String, environment: [String: String] = [:]
    ) throws {
        if !environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try errors.fileHandleForWriting.close()
    }

    /// Reads until a line of standard error contains `words`; fails the test if none does.
    @discardableResult
    package func waitForLine(containing words: String) throws -> String {
        while true {
            let line = try readLine(waitingFor: words)
            if line.contains(words) { return line }
        }
    }

    /// Waits for several lines, in any order.
    package func waitForLines(containing words: Set<String>) throws {
        var missing = words
        while let next = missing.min() {
            let line = try readLine(waitingFor: next)
            missing = missing.filter { !line.contains($0) }
        }
    }

    /// The next line of standard error; fails the test when none comes.
    @discardableResult
    package func readLine(waitingFor words: String = "anything more") throws -> String {
        while true {
            if let end = unread.firstIndex(of: 10) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = Data(unread[unread.index(after: end)...])
                said += line + "\n"
                return line
            }
            var readable = pollfd(
                fd: errors.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let isSilent = poll(&readable, 1, Int32(hangLimit / .milliseconds(1))) == 0
            let more = isSilent ? Data() : errors.fileHandleForReading.availableData
            guard !more.isEmpty else {
                let end = isSilent ? "waits" : "ended"
                Issue.record("It \(end) without saying '\(words)'. It said:\n\(said)")
                if isSilent { process.terminate() }
                throw CancellationError()
            }
            unread.append(more)
        }
    }

    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for its end; returns the exit status, or minus the signal.
    package func end() -> Int32 {
        let rest = errors.fileHandleForReading.readDataToEndOfFile()
        said += String(decoding: unread + rest, as: UTF8.self)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Runs a program to its end.
    package static func run(
        _ path: String, _ arguments: [String], in folder: String = "/", input: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Result {
        let process = Process()
        if !environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        // Files, not pipes: no pipe can fill up, and there are no two streams to read at once.
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("lull-\(UUID().uuidString)")
            .path
        defer {
            for suffix in [".in", ".out", ".err"] {
                try? FileManager.default.removeItem(atPath: base + suffix)
            }
        }
        _ = FileManager.default.createFile(atPath: base + ".in", contents: Data((input ?? "").utf8))
        _ = FileManager.default.createFile(atPath: base + ".out", contents: nil)
        _ = FileManager.default.createFile(atPath: base + ".err", contents: nil)
        process.standardInput = FileHandle(forReadingAtPath: base + ".in")
        process.standardOutput = FileHandle(forWritingAtPath: base + ".out")
        process.standardError = FileHandle(forWritingAtPath: base + ".err")
        try process.run()
        process.waitUntilExit()
        let status =
            process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return Result(
            status: status, output: try String(contentsOfFile: base + ".out", encoding: .utf8),
            error: try String(contentsOfFile: base + ".err", encoding: .utf8))
    }
}

extension String {
    /// The words of a text that was wrapped to the terminal's columns.
    package var unwrapped: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
