import Foundation
import LullModel
import TestSupport
import Testing

/// `kill -9` of host, worker and `lull-transfer` at random instants during transfers; and as many transfers as an app may have.
///
/// `LULL_TRANSFER_KILLS` says how often, `LULL_SEED` chooses the instants and who dies.
@Suite(.enabled(if: WebServer.isThere, "nginx is not there: apt-get install nginx-light"), .serialized)
struct TransferKillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["LULL_TRANSFER_KILLS"].flatMap { Int($0) } ?? 200
    private static let seed = environment["LULL_SEED"].flatMap { UInt64($0) } ?? 1

    @Test func `whoever is killed under transfers, each file comes whole and no end is told twice`() throws {
        let yard = try TransferYard(count: 50, atOnce: 20, limit: "300k") { 100_000 + $0 * 4099 }
        var random = SeededGenerator(seed: Self.seed)
        var asked = 0
        var killed = ["lull": 0, "lull-worker": 0, "lull-transfer": 0]
        let pause = DispatchSemaphore(value: 0)
        while killed.values.reduce(0, +) < Self.kills {
            try yard.startHost()
            if try yard.transfers().isEmpty, try yard.launch("begin") { asked += 50 }
            // The worker of a killed host has ended with it.
            if try yard.children("lull-worker").isEmpty { try yard.launch("look") }
            try yard.hurry()
            let victim = ["lull", "lull-worker", "lull-worker", "lull-transfer", "lull-transfer"]
                .randomElement(using: &random)
            _ = pause.wait(timeout: .now() + .microseconds(Int.random(in: 0...60_000, using: &random)))
            guard let victim, let host = yard.host else { continue }
            let processes = try victim == "lull" ? [host.processIdentifier] : yard.children(victim)
            for process in processes { kill(process, SIGKILL) }
            if victim == "lull" { host.waitUntilExit() }
            if !processes.isEmpty { killed[victim, default: 0] += 1 }
        }
        try yard.startHost()
        try yard.launch("look")
        try yard.waitForAll()
        try yard.stop()
        // The next host removes files that a killed process could not remove.
        try yard.startHost()
        #expect(Workshop.waits { yard.files.isEmpty }, "\(yard.files)")
        try yard.stop()

        let (whole, notes) = (try yard.wholeFiles(), yard.notes)
        let wrong = notes.filter { !$0.hasPrefix("told") } + (try yard.faults(expecting: asked))
        print("\(killed) kills (seed \(Self.seed)): \(whole) of \(asked) files whole, \(wrong.count) faults")
        #expect(whole == asked, "seed \(Self.seed)")
        #expect(Set(notes).count == notes.count, "seed \(Self.seed)")
        #expect(wrong.isEmpty, "seed \(Self.seed): \(wrong.prefix(9))")
    }

    @Test func `a thousand queued transfers are all done, and each is told once`() throws {
        let yard = try TransferYard(count: 1000, atOnce: 50) { 1000 + $0 }
        try yard.startHost()
        #expect(try yard.launch("begin"))
        try yard.waitForAll()
        #expect(Workshop.waits { yard.files.isEmpty }, "\(yard.files)")
        try yard.stop()
        #expect(try yard.wholeFiles() == 1000)
        #expect(yard.notes.count == 1000 && yard.notes.allSatisfy { $0.hasPrefix("told") })
        #expect(Set(yard.notes).count == 1000)
        #expect(try yard.faults(expecting: 1000) == [])
        // Each file was fetched once.
        try yard.web.waitForLog(of: 1000)
        #expect(yard.web.log.count == 1000)
    }
}
