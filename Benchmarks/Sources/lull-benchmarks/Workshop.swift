import Foundation

/// Where the benchmarks find what they run: the executables, the plugin and a folder of their own.
final class Workshop {
    /// Removed with the workshop.
    let folder: String
    let plugin: String
    let lull: String
    let worker: String

    init(plugin: String, programs: String) throws {
        folder = NSTemporaryDirectory() + "lull-bench-\(ProcessInfo.processInfo.processIdentifier)"
        self.plugin = folder + "/NoOp.so"
        lull = programs + "/lull"
        worker = programs + "/lull-worker"
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try files.copyItem(atPath: plugin, toPath: self.plugin)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// An empty folder of this name; what was there is removed.
    func empty(_ name: String) throws -> String {
        let path = folder + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
