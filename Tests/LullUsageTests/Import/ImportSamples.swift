import Foundation
import LullModel
import TestSupport

@testable import LullUsage

/// Files and options for the tests of the import.
enum ImportSample {
    /// 21 November 2026, 08:00 UTC.
    static let now = WallTime(seconds: 1_795_248_000)

    static func app(_ text: String = "com.example.App") throws -> AppIdentifier {
        guard let app = AppIdentifier(text) else { throw Bad(text: text) }
        return app
    }

    static func options(_ change: (inout ImportOptions) -> Void = { _ in }) throws -> ImportOptions {
        var options = ImportOptions(app: try app(), now: now)
        change(&options)
        return options
    }

    static func read(_ text: String, _ change: (inout ImportOptions) -> Void = { _ in }) throws -> UsageImport
    {
        let input = ImportInput(name: "uses", bytes: Array(text.utf8))
        return try UsageImport.read(input, options: try options(change))
    }

    /// The sessions of one app, as seconds since 1970.
    static func sessions(_ read: UsageImport, of text: String = "com.example.App") throws -> [Int64] {
        read.apps[try app(text)]?.times.sessions().map(\.seconds) ?? []
    }

    struct Bad: Error { let text: String }
}

/// Files of uses, and programs that make them.
extension TemporaryFolder {
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
        return path + "/" + name
    }

    func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// Runs a program in the folder to its end.
    func run(_ arguments: String..., at seconds: Int64 = 0) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        var environment = ProcessInfo.processInfo.environment
        for variable in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
            environment[variable] = "\(seconds) +0000"
        }
        environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ImportSample.Bad(text: arguments.joined(separator: " "))
        }
    }
}
