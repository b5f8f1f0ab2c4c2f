import Foundation
import LullModel
import Testing

@testable import LullWorkers

/// A plugin loads whatever compiler made it; between it and the worker there is only C.
struct CompilerTests {
    private static let languages = WorkerBench.root.appending(path: "Tests/Fixtures/Languages").path
    private static let header = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/include").path

    private func run(_ bench: WorkerBench, _ plugin: String, sdk: String, line: String) throws {
        let app = try bench.app("good", plugin: plugin, tasks: ["now"])
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        #expect(try bench.waitForReady().plugin.sdk.hasPrefix(sdk))
        try bench.launch(1, "now", of: app.identifier)
        #expect(try bench.waitForCompletion(of: 1))
        #expect(bench.lines.contains(line))
    }

    @Test(arguments: ["gcc", "clang"])
    func `C`(compiler: String) throws {
        let bench = try WorkerBench()
        let fixtures = WorkerBench.root.appending(path: "Tests/Fixtures/Plugins").path
        try bench.run(
            compiler,
            [
                "-std=c17", "-O2", "-shared", "-fPIC", "-pthread", "-I", Self.header, fixtures + "/Good.c",
                "-o", "c.so",
            ])
        let app = try bench.app("good", plugin: bench.folder + "/c.so", tasks: ["thread"])
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        try bench.launch(1, "thread", of: app.identifier)
        #expect(try bench.waitForCompletion(of: 1))
    }

    /// Writes a file that the manual shows in full, as an author would copy it.
    private func copy(_ file: String, to bench: WorkerBench) throws {
        let manual = try String(
            contentsOf: WorkerBench.root.appending(path: "docs/plugin-in-c.md"), encoding: .utf8)
        let start = try #require(manual.firstRange(of: "`\(file)`:\n\n```"), "the manual shows no \(file)")
        let text = try #require(manual[start.upperBound...].firstMatch(of: /^[a-z]+\n((?s).*?)```/)).1
        try Data(text.utf8).write(to: URL(filePath: bench.folder + "/" + file))
    }

    @Test(arguments: [["g++"], ["clang++"], ["clang++", "-fuse-ld=lld"]])
    func `C++`(compiler: [String]) throws {
        let bench = try WorkerBench()
        try copy("Feed.cpp", to: bench)
        try bench.run(
            compiler[0],
            [
                "-std=c++17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden",
                "-pthread",
                "-I", Self.header, "Feed.cpp", "-o", "cpp.so",
            ]
                + compiler.dropFirst())
        try run(bench, bench.folder + "/cpp.so", sdk: "c++", line: "hello from C++")
    }

    private static let rust = WorkerBench.root.appending(path: "packaging/lull.rs")

    @Test func `Rust`() throws {
        let bench = try WorkerBench()
        try copy("lib.rs", to: bench)
        try FileManager.default.copyItem(atPath: Self.rust.path, toPath: bench.folder + "/lull.rs")
        try bench.run("rustc", ["--edition", "2021", "-D", "warnings", "lib.rs", "-o", "rust.so"])
        try run(bench, bench.folder + "/rust.so", sdk: "rust", line: "hello from Rust")
    }

    @Test func `the header in Rust asserts each size and offset that the header in C does`() throws {
        let pinned = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/Layout.c")
        let inC = try String(contentsOf: pinned, encoding: .utf8).matches(of: /\n(AT|BYTES)(\([^;]*);/)
            .map { $0.1.lowercased() + "!" + $0.2 }
        let inRust = try String(contentsOf: Self.rust, encoding: .utf8)
            .matches(of: /\n    (at!|bytes!)(\([^;]*);/).map { String($0.1 + $0.2) }
        #expect(inC == inRust && inC.count > 100)
    }

    @Test func `Go`() throws {
        let bench = try WorkerBench()
        try bench.run("go", ["version"])
        for file in ["feed.go", "feed.h", "feed.c"] { try copy(file, to: bench) }
        try Data("module example.com/feed\n\ngo 1.19\n".utf8).write(
            to: URL(filePath: bench.folder + "/go.mod"))
        try bench.run(
            "env",
            [
                "CGO_CFLAGS=-I\(Self.header)", "GOCACHE=\(bench.folder)/cache", "GOFLAGS=-mod=mod", "go",
                "build",
                "-buildmode=c-shared", "-o", "go.so", ".",
            ])
        try run(bench, bench.folder + "/go.so", sdk: "go", line: "hello from Go")
    }

    @Test func `Free Pascal`() throws {
        let bench = try WorkerBench()
        try copy("Feed.pas", to: bench)
        try bench.run("fpc", ["-O2", "-vew", "-opascal.so", "Feed.pas"])
        try run(bench, bench.folder + "/pascal.so", sdk: "pascal", line: "hello from Pascal")
    }

    /// The runtime is linked in, so the host's machine needs no Swift library.
    @Test func `Swift with its own runtime`() throws {
        let bench = try WorkerBench()
        let sources = WorkerBench.root.appending(path: "Sources")
        let modules = ["CLullPlugin", "CLullEntry"].flatMap {
            ["-I", sources.appending(path: "C/\($0)/include").path]
        }
        let folder = sources.appending(path: "SDK/BackgroundTasks").path
        let sdk = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }
        try bench.run(
            "swiftc",
            [
                "-swift-version", "6", "-wmo", "-static-stdlib", "-parse-as-library", "-package-name",
                "lull", "-module-name", "BackgroundTasks",
                "-emit-module", "-emit-library", "-static", "-o", "libBackgroundTasks.a",
            ] + modules + sdk)
        try bench.run(
            "clang", ["-c", "-fPIC", sources.path + "/C/CLullEntry/Entry.c", "-o", "Entry.o"] + modules)
        try bench.run(
            "swiftc",
            [
                "-swift-version", "6", "-static-stdlib", "-parse-as-library", "-emit-library", "-module-name",
                "Plugin",
                "-I", bench.folder, Self.languages + "/plugin.swift", "Entry.o", "libBackgroundTasks.a",
                "-o", "swift.so",
            ] + modules)
        let plugin = bench.folder + "/swift.so"
        try bench.run("readelf", ["-d", plugin])
        let libraries = try String(contentsOfFile: bench.folder + "/compiler.log", encoding: .utf8)
        #expect(!libraries.contains("libswift") && !libraries.contains("libFoundation"), "\(libraries)")
        try run(bench, plugin, sdk: "swift", line: "hello from Swift")
    }
}
