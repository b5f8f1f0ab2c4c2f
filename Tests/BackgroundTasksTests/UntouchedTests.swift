import Foundation
import Testing

/// Files for iOS with their imports unchanged, against the modules with Apple's names in `packaging/sdk`.
@Suite struct UntouchedTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func compile(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swiftc", "-parse-as-library"] + arguments
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    /// The modules, compiled once from their sources: the tests' package does not build them.
    private static let modules = Result { () throws -> [String] in
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let products = URL(filePath: own).deletingLastPathComponent()
        let made = FileManager.default.temporaryDirectory.appending(path: "lull-imports-\(getpid())")
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        let folders = [
            products.appending(path: "Modules"), root.appending(path: "Sources/C/CLullPlugin/include"),
            root.appending(path: "Sources/C/CLullEntry/include"),
            root.appending(path: "Sources/SDK/Imports/CLullImports/include"), made,
        ]
        let search = folders.flatMap { ["-I", $0.path] }
        for module in ["UIKit", "SwiftUI", "os", "OSLog", "Network"] {
            let folder = root.appending(path: "Sources/SDK/Imports/" + module)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0).path }
            let compiled = try compile(
                [
                    "-emit-module", "-emit-module-path", made.path + "/\(module).swiftmodule", "-module-name",
                    module, "-swift-version", "6", "-warnings-as-errors",
                ] + search + files)
            try #require(compiled.status == 0, "\(compiled.output)")
        }
        return search
    }

    @Test(arguments: ["Untouched", "UntouchedApp"], ["5", "6"])
    func `each name that files for iOS touch compiles with Apple's imports`(
        fixture: String, version: String
    ) throws {
        let fixture = Self.root.appending(path: "Tests/Fixtures/Idioms/\(fixture).swift").path
        let compiled = try Self.compile(
            ["-typecheck", "-module-name", "Idioms", "-swift-version", version, "-warnings-as-errors"]
                + Self.modules.get() + [fixture])
        #expect(compiled.status == 0, "\(compiled.output)")
    }

    /// The names in the first column of the manual's table, without their arguments.
    @Test func `each name that the manual lists is in a file that compiles`() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        }
        let files = try [
            "Idioms/Untouched.swift", "Untouched/AppDelegate.swift", "Untouched/BackgroundTaskManager.swift",
            "Untouched/SceneDelegate.swift",
        ].map { try text("Tests/Fixtures/" + $0) }.joined()
        let manual = try text("docs/from-ios-to-linux.md")
        let section = try #require(manual.split(separator: "## What else such files touch\n").last)
        let rows = section.prefix(upTo: section.range(of: "\n## ")?.lowerBound ?? section.endIndex)
            .split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(rows.count > 20)
        for row in rows {
            let cell = row.dropFirst(2).prefix { $0 != "|" }
            for name in cell.matches(of: /`([^`]+)`/).map(\.1) {
                let word = name.prefix { $0 != "(" }
                #expect(files.contains(word), "\(name) is in no fixture")
            }
        }
    }
}
