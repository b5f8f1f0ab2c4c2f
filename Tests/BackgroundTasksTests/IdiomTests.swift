import Foundation
import Testing

/// Code as authors write it for iOS, against the module built beside these tests.
@Suite struct IdiomTests {
    private struct Compiler {
        let status: Int32
        let output: String

        /// Type-checks one of the fixtures, as an author's compiler would.
        init(_ fixture: String, _ options: String...) throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let products = URL(filePath: own).deletingLastPathComponent()
            let folders = [
                products.appending(path: "Modules"), root.appending(path: "Sources/C/CLullPlugin/include"),
                root.appending(path: "Sources/C/CLullEntry/include"),
            ]
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments =
                ["swiftc", "-typecheck", "-parse-as-library", "-module-name", "Idioms"]
                + folders.flatMap { ["-I", $0.path] } + options
                + [root.appending(path: "Tests/Fixtures/Idioms/\(fixture).swift").path]
            process.standardError = pipe
            process.standardOutput = pipe
            try process.run()
            output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            status = process.terminationStatus
        }
    }

    @Test(arguments: ["Compiles", "Preconcurrency", "StandIns", "Surface"], ["5", "6"])
    func `code for iOS compiles without a warning`(fixture: String, version: String) throws {
        let compiler = try Compiler(fixture, "-swift-version", version, "-warnings-as-errors")
        #expect(compiler.status == 0, "\(compiler.output)")
    }

    @Test func `what Apple makes unavailable does not compile`() throws {
        let compiler = try Compiler("Refused", "-swift-version", "6")
        #expect(compiler.status != 0)
        let refused = Set(
            compiler.output.matches(of: /Refused\.swift:(\d+):\d+: error:/).compactMap { Int($0.1) })
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Idioms/Refused.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
        let marked = Set(lines.indices.filter { lines[$0].hasSuffix("// refused") }.map { $0 + 1 })
        #expect(refused == marked, "\(compiler.output)")
    }
}
