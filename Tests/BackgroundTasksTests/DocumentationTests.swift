import Foundation
import Testing

/// The documentation for authors: the comments of the two modules, and the DocC catalogue.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs one of the toolchain's programs; `env` exits with 127 if it is missing.
    @discardableResult
    private static func run(_ program: String, _ arguments: [String]) throws -> (
        status: Int32, output: String
    ) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    private static let hasDocC = (try? run("docc", ["--help"]).status) == 0

    /// Writes the public symbols of a module built beside these tests into a new folder.
    private static func symbols(of module: String) throws -> URL {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let products = URL(filePath: own).deletingLastPathComponent()
        let folder = FileManager.default.temporaryDirectory.appending(path: "lull-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #if arch(x86_64)
            let machine = "x86_64"
        #else
            let machine = "aarch64"
        #endif
        let extracted = try run(
            "swift-symbolgraph-extract",
            [
                "-module-name", module, "-target", machine + "-unknown-linux-gnu", "-output-dir", folder.path,
                "-minimum-access-level", "public", "-I", products.appending(path: "Modules").path, "-I",
                root.appending(path: "Sources/C/CLullPlugin/include").path, "-I",
                root.appending(path: "Sources/C/CLullEntry/include").path,
            ])
        try #require(extracted.status == 0, "\(extracted.output)")
        return folder
    }

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Identifier: Decodable { let precise: String }
            struct Comment: Decodable {}
            let identifier: Identifier
            let pathComponents: [String]
            let docComment: Comment?
        }
        let symbols: [Symbol]
    }

    @Test(arguments: ["BackgroundTasks", "BackgroundTasksUI"])
    func `every public symbol says what it is`(module: String) throws {
        let folder = try Self.symbols(of: module)
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try Data(contentsOf: folder.appending(path: module + ".symbols.json"))
        let graph = try JSONDecoder().decode(Graph.self, from: data)
        #expect(graph.symbols.count > 20)
        for symbol in graph.symbols where symbol.docComment == nil {
            // Symbols that the compiler synthesises can't have a comment.
            if symbol.identifier.precise.contains("::SYNTHESIZED::") { continue }
            Issue.record("\(symbol.pathComponents.joined(separator: ".")) has no comment")
        }
    }

    @Test(.enabled(if: hasDocC, "the toolchain has no docc"))
    func `the catalogue converts without a warning, and each of its links leads somewhere`() throws {
        let folder = try Self.symbols(of: "BackgroundTasks")
        defer { try? FileManager.default.removeItem(at: folder) }
        let converted = try Self.run(
            "docc",
            [
                "convert", Self.root.appending(path: "Sources/SDK/BackgroundTasks/BackgroundTasks.docc").path,
                "--additional-symbol-graph-dir", folder.path, "--fallback-display-name", "BackgroundTasks",
                "--fallback-bundle-identifier", "lull.BackgroundTasks", "--warnings-as-errors",
                // docc fails to copy the toolchain's browser pages unless the user owns them.
                "--no-transform-for-static-hosting",
                "--output-path", folder.appending(path: "out").path,
            ])
        #expect(converted.status == 0, "\(converted.output)")
    }
}
