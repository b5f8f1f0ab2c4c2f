import Foundation
import TestSupport
import Testing

/// Downloads in the background, as in Apple's article: the real host, worker and process, and nginx behind a cable.
@Suite(.enabled(if: WebServer.isThere, "nginx is not there: apt-get install nginx-light"), .serialized)
struct TransfersTests {
    @Test(.enabled(if: Countryside.isPossible, Countryside.absence))
    func `a hundred files come whole and are told once, whatever is killed and cut meanwhile`() throws {
        let bench = try TransferBench(
            in: Countryside(), locations: "location /slow/ { alias www/; limit_rate 64k; }")
        var files: [String: Data] = [:]
        for number in 0..<100 {
            let name = "file\(number)"
            let count = 20_000 + number * 1009
            files[name] = try bench.server.serve(name, bytes: count, seed: UInt64(number))
        }
        let names = files.keys.sorted()
        try bench.write(urls: names.map { bench.server.url("slow/" + $0) }, "{ at_once: 10 }")
        try bench.start()
        try bench.launch("begin")

        try bench.wait(for: 8, "completed")
        try bench.whileNothingEnds { try bench.killWorker() }
        try bench.launch("look")
        try bench.wait(for: 24, "completed")
        for process in try bench.children("lull-transfer") { kill(process, SIGKILL) }
        try bench.wait(for: 40, "completed")
        try bench.whileNothingEnds { try bench.killHost() }
        try bench.start()
        try bench.launch("look")
        try bench.wait(for: 56, "completed")
        try bench.place?.cut()
        try bench.wait { try !bench.transfers.contains("\"active\"") }
        try bench.place?.mend()
        try bench.wait(for: 72, "completed")
        // The app no longer runs: the host launches it when all downloads have come.
        try bench.whileNothingEnds { try bench.killWorker() }
        try bench.wait(for: 1, "finished events")
        try bench.wait { try bench.count("taken") == 100 }

        for (name, data) in files {
            #expect(FileManager.default.contents(atPath: bench.documents + "/" + name) == data)
            #expect(bench.events.count { $0 == "saved \(name)" } == 1, "\(name)")
            #expect(bench.events.count { $0 == "completed \(name): no error" } == 1, "\(name)")
        }
        let ends = bench.events.filter { $0.hasPrefix("saved") || $0.hasPrefix("completed") }
        #expect(ends.count == 200 && bench.events.count == 202, "\(bench.events.suffix(4))")
        for act in ["finished", "taking", "taken"] { #expect(try bench.count(act) == 100, "\(act)") }
        try bench.wait { bench.files.isEmpty }
        try bench.stop()
    }
}
