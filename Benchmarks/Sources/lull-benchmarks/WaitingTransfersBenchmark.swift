import Foundation
import LullControl
import LullModel

/// The cost of a host while a hundred transfers wait for a window, compared with the same host without them.
struct WaitingTransfersBenchmark {
    let workshop: Workshop
    private static let seconds: UInt32 = 20

    func rows() throws -> [Row] {
        Progress.say("  \(TransfersBenchmark.manyAtOnce) that wait …")
        let without = try wakeUps(transfers: 0)
        let with = try wakeUps(transfers: TransfersBenchmark.manyAtOnce)
        return [
            Row(
                "\(TransfersBenchmark.manyAtOnce) transfers wait for a window: wake-ups of `lull run` in \(Self.seconds) s",
                "\(with.wakeUps)", against: "the same host without them: \(without.wakeUps)", ratio: "–",
                aim: "0"),
            Row(
                "… processes of `lull-transfer`", "\(with.processes)", against: "none", ratio: "–", aim: "0"),
        ]
    }

    private func wakeUps(transfers count: Int) throws -> (wakeUps: Int, processes: Int) {
        let host = try RealHost(workshop, name: "waiting", manifest: try manifest)
        try host.settle(workers: "none")
        if count > 0 {
            guard let fetch = TaskIdentifier("com.example.Mirror.fetch") else { return (0, 0) }
            let client = try host.client()
            try LaunchBenchmark.launch(fetch, client)
            let reports = try client.ask(Ask.Transfers())
            guard reports.count == count, reports.allSatisfy({ $0.state.phase == .waiting }) else {
                throw BenchmarkError("\(reports.count) transfers are there, and not all of them wait")
            }
            try host.settle(workers: "none")
        }
        // Waits until the work that the last question caused is done.
        sleep(2)
        let before = try ProcessUse.switches(of: host.pid)
        sleep(Self.seconds)
        let after = try ProcessUse.switches(of: host.pid)
        return (after - before, try ProcessUse.children(of: host.pid, named: "lull-transfer").count)
    }

    /// The plugin Mirror; its transfers may run only in an hour that is about twelve hours away.
    private var manifest: String {
        get throws {
            let folder = try workshop.empty("mirrored")
            let hour = (Calendar.current.component(.hour, from: Date()) + 12) % 24
            let window = String(format: "%02d:00-%02d:59", hour, hour)
            let files = (0..<TransfersBenchmark.manyAtOnce).map {
                "        - { url: \"http://127.0.0.1:9/\($0)\", to: \"\(folder)/\($0)\" }\n"
            }
            return """
                version: 1
                defaults: { idle_after: never, keep_warm: 0s }
                apps:
                  com.example.Mirror:
                    plugin: \(workshop.mirror)
                    user: \(NSUserName())
                    limits: { write: ["\(folder)"] }
                    transfers: { at_once: \(TransfersBenchmark.manyAtOnce), windows: ["\(window)"] }
                    settings:
                      files:
                \(files.joined())
                    tasks:
                      fetch: { kind: processing, repeat: 7d }

                """
        }
    }
}
