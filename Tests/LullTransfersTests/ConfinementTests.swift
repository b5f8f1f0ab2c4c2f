import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullTransfers

/// A server that takes over `lull-transfer` gains access only to the transfers' folders.
struct ConfinementTests {
    /// The result of each attempt that Tests/Fixtures/transfer_probe.c makes in the confined process.
    private func attempts(of bench: TransferBench) throws -> [String: String] {
        try bench.run { bench.logged.contains("end: done") }
        let pairs = bench.logged.map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
    }

    @Test func `it reads no other file, writes nowhere else, and runs nothing`() throws {
        let server = try RudeServer { _, client in client.answer("200 OK", [], Data("new".utf8)) }
        let temporary = try TemporaryFolder()
        let secret = try temporary.file("secret", "kept")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/transfer_probe.c").path
        let probe = temporary.path + "/probe.so"
        _ = try Nginx.run(
            "/usr/bin/gcc", ["-std=gnu17", "-Wall", "-Werror", "-shared", "-fPIC", source, "-o", probe])
        let bench = try TransferBench { own in
            ["LD_PRELOAD=" + probe, "LULL_PROBE=" + temporary.path, "LULL_PROBE_OWN=" + own]
        }
        // The received data shows that it works.
        _ = try bench.finish(TransferBench.download(server.url()))
        #expect(bench.done() == Data("new".utf8))
        let found = try attempts(of: bench)
        for (what, result) in found.sorted(by: { $0.key < $1.key }) {
            switch what {
            case "make own", "remove own", "point", "end": #expect(result == "done", "\(what)")
            case "trace": #expect(result == "Operation not permitted")
            // Landlock may report a name in another folder as one on another disk, instead of refusing it.
            case "move out", "link in":
                #expect(["Permission denied", "Invalid cross-device link"].contains(result), "\(what)")
            default: #expect(result == "Permission denied", "\(what)")
            }
        }
        #expect(found.count == 18)
        #expect(FileManager.default.contents(atPath: secret) == Data("kept".utf8))
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted()
        #expect(left == ["probe.so", "secret"])
    }
}
