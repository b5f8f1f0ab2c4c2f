import Foundation

/// The files that the benchmarks use: the executables, the plugins and a folder of their own.
final class Workshop {
    /// Removed with the workshop.
    let folder: String
    let plugin: String
    let lull: String
    let worker: String
    let transfer: String
    /// The shipped plugins in C, and a command that records its begin time.
    let command: String
    let mirror: String
    let stamp: String
    /// A folder in memory; nil if this machine has no tmpfs for it.
    let memory: String?

    init(plugin: String, programs: String) throws {
        folder = NSTemporaryDirectory() + "lull-bench-\(ProcessInfo.processInfo.processIdentifier)"
        self.plugin = folder + "/NoOp.so"
        lull = programs + "/lull"
        worker = programs + "/lull-worker"
        transfer = programs + "/lull-transfer"
        command = folder + "/Command.so"
        mirror = folder + "/Mirror.so"
        stamp = folder + "/stamp"
        let own = URL(fileURLWithPath: folder).lastPathComponent
        memory = Self.isMemory("/dev/shm") ? "/dev/shm/" + own : nil
        let files = FileManager.default
        // Apps of a root host run as accounts of their own: they may pass through this folder, but not list it.
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o711])
        try files.copyItem(atPath: plugin, toPath: self.plugin)
        for name in ["Command.so", "Mirror.so", "stamp"] {
            try files.copyItem(atPath: programs + "/" + name, toPath: folder + "/" + name)
        }
        if let memory { try files.createDirectory(atPath: memory, withIntermediateDirectories: true) }
    }

    deinit {
        for path in [folder, memory].compactMap(\.self) { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Whether files there never reach a disk.
    private static func isMemory(_ path: String) -> Bool {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        return mounts.split(separator: "\n").contains { $0.contains(" \(path) tmpfs ") }
    }

    /// Returns the output of a program; throws if the program fails.
    func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("\(program) \(arguments) failed") }
        return output
    }

    /// Makes an empty folder with this name; removes an older one.
    func empty(_ name: String) throws -> String {
        let path = folder + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
