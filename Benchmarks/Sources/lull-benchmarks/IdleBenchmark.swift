import Foundation

/// What a host costs while nothing is due for days.
struct IdleBenchmark {
    let workshop: Workshop
    private static let seconds: UInt32 = 20

    func rows() throws -> [Row] {
        let echo = try EchoProcess()
        _ = try echo.roundTrip(times: 1)
        let manifest = NoOpManifest(
            plugin: workshop.plugin, apps: 10, tasksPerApp: 10, keepWarm: "0s", repeat: "7d")
        let host = try RealHost(workshop, name: "idle", manifest: manifest.text)
        try host.settle(workers: "none")
        // What the last question to it has set going is over.
        sleep(2)
        let before = try Self.switches(of: host.pid)
        sleep(Self.seconds)
        let after = try Self.switches(of: host.pid)
        let own = try Self.memory(of: host.pid)
        let bare = try Self.memory(of: echo.pid)
        let reference = "a Swift process that does nothing"
        return [
            Row(
                "wake-ups in \(Self.seconds) s, 100 tasks, nothing due for days", "\(after - before)",
                against: "none", ratio: "–", aim: "0"),
            Row(
                "memory of that host, resident", Figures.mebibytes(own.resident * 1024),
                against: "\(reference): \(Figures.mebibytes(bare.resident * 1024))",
                ratio: Figures.ratio(own.resident / bare.resident), aim: "–"),
            Row(
                "… its share (PSS)", Figures.mebibytes(own.share * 1024),
                against: "\(reference): \(Figures.mebibytes(bare.share * 1024))",
                ratio: Figures.ratio(own.share / bare.share), aim: "–"),
        ]
    }

    /// Context switches of all threads: each wake-up is at least one.
    private static func switches(of pid: Int32) throws -> Int {
        var sum = 0
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
            let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
            sum +=
                value("voluntary_ctxt_switches:", in: status)
                + value("nonvoluntary_ctxt_switches:", in: status)
        }
        return sum
    }

    /// In KiB.
    private static func memory(of pid: Int32) throws -> (resident: Double, share: Double) {
        let text = try String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)
        return (Double(value("Rss:", in: text)), Double(value("Pss:", in: text)))
    }

    private static func value(_ name: String, in text: String) -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            return line.dropFirst(name.count).split(whereSeparator: { $0 == " " || $0 == "\t" }).first.flatMap
            { Int($0) } ?? 0
        }
        return 0
    }
}
