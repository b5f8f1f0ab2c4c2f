import Foundation
import TestSupport
import Testing

@testable import LullELF

/// Makes files to read: plugins compiled by the tests with the header alone.
final class Forge {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let plain = """
        #include "lull_plugin.h"
        static int32_t start(const lull_host *host) { (void)host; return 0; }
        static void launch(const lull_launch *launch) { (void)launch; }
        const lull_plugin lull_plugin_entry = {
            .size = sizeof(lull_plugin), .abi_major = LULL_ABI_MAJOR, .abi_minor = LULL_ABI_MINOR,
            .sdk = "c of the forge", .start = start, .launch = launch,
        };
        """

    private let temporary: TemporaryFolder
    var folder: String { temporary.path }

    init() throws { temporary = try TemporaryFolder() }

    /// Compiles `source`; returns the path of the result.
    func compile(
        _ source: String = Forge.plain, with compiler: String = "gcc",
        options: [String] = ["-shared", "-fPIC"],
        as name: String = "plugin.so"
    ) throws -> String {
        let input = folder + "/source.c"
        try source.write(toFile: input, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [compiler, "-w", "-I", Self.root.appending(path: "Sources/C/CLullPlugin/include").path, input]
            + options + ["-o", "\(folder)/\(name)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            try Test.cancel(
                "\(compiler) \(options.joined(separator: " ")) makes nothing of it on this machine")
        }
        return "\(folder)/\(name)"
    }

    func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// The fault of a file with these bytes; nil: none.
    static func fault(of bytes: [UInt8]) -> PluginFault? {
        do throws(PluginFault) {
            _ = try PluginFacts(MemoryBytes(content: bytes), exports: true)
            return nil
        } catch {
            return error
        }
    }

    static func fault(ofFile path: String) -> PluginFault? {
        do throws(PluginFault) {
            _ = try PluginFacts(ofFile: path)
            return nil
        } catch {
            return error
        }
    }
}

extension [UInt8] {
    /// A copy with these bytes at an offset.
    func with(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
        var result = self
        result.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return result
    }
}
