import Foundation

/// The plugin and a small host, both built with gcc from nothing but the header and libc.
struct FakeHost {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let plugin: String
    private let executable: String

    /// Builds both into `folder`.
    init(in folder: String) async throws {
        plugin = folder + "/libRepoRefresh.so"
        executable = folder + "/fake_host"
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = tests.deletingLastPathComponent().deletingLastPathComponent().path
        let strict = [
            "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-pthread",
            "-I", root + "/Sources/C/CLullPlugin/include",
        ]
        try await Self.check(
            "gcc", strict + ["-fPIC", "-shared", "-o", plugin, root + "/plugins/RepoRefresh/RepoRefresh.c"]
        )
        // pedantic forbids the cast of dlsym's result, which POSIX demands; it is to an object here.
        try await Self.check("gcc", strict + ["-o", executable, tests.path + "/fake_host.c"])
    }

    /// `isOld`: of ABI 1.0.
    func start(tasks: Int = 1, isOld: Bool = false, _ repositories: [String]) throws -> RunningProgram {
        try RunningProgram(executable, [plugin, "\(tasks)" + (isOld ? "old" : "")] + repositories)
    }

    /// Runs to the end; all that was printed.
    func run(tasks: Int = 1, isOld: Bool = false, _ repositories: [String]) async throws -> String {
        try await start(tasks: tasks, isOld: isOld, repositories).output()
    }

    /// Runs a program that must succeed.
    static func check(_ program: String, _ arguments: [String]) async throws {
        let running = try RunningProgram("/usr/bin/env", [program] + arguments)
        let output = await running.output()
        guard running.status == 0 else {
            throw Failure(description: "\(program) \(arguments.joined(separator: " ")): \(output)")
        }
    }
}
