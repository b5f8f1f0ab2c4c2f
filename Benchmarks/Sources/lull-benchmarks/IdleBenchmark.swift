import Foundation

/// The cost of a host while nothing is due for days.
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
        // Waits until the work that the last question caused is done.
        sleep(2)
        let before = try ProcessUse.switches(of: host.pid)
        sleep(Self.seconds)
        let after = try ProcessUse.switches(of: host.pid)
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

    /// In KiB.
    private static func memory(of pid: Int32) throws -> (resident: Double, share: Double) {
        let text = try String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8)
        return (Double(ProcessUse.value("Rss:", in: text)), Double(ProcessUse.value("Pss:", in: text)))
    }
}
