import Foundation
import TestSupport
import Testing

/// What commands cost, through the real executables, compared with what the kernel has told the commands themselves.
struct CostTests {
    private struct Cost: Decodable {
        var processor_ms: Int64?
        var peak_memory_bytes: Int64?
        var read_bytes: Int64?
        var written_bytes: Int64?
    }
    private struct Account: Decodable {
        struct Event: Decodable {
            var cost: Cost?
        }
        var events: [Event]
    }
    private struct Report: Decodable {
        struct Row: Decodable {
            var name: String
            var run_count: Int
            var unknown_count: Int
            var processor_ms: Int64?
        }
        var rows: [Row]
    }

    private let workshop: Workshop

    /// Runs each task once; their runs have the numbers from 1 on, in this order.
    init() throws {
        workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(
            """
            version: 1
            defaults: { requires: { idle: false } }
            apps:
              org.example.jobs:
                plugin: Command
                idle_after: never
                user: host
                limits: { privileges: keep }
                tasks:
                  burn:
                    kind: processing
                    repeat: 1h
                    settings: { run: 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; times' }
                  fill:
                    kind: processing
                    repeat: 1h
                    settings: { run: 'dd if=/dev/zero of=/dev/null bs=64M count=1' }
                  write:
                    kind: processing
                    repeat: 1h
                    settings:
                      run: 'dd if=/dev/zero of=\(workshop.folder)/out bs=1M count=10; grep ^write_bytes /proc/$$/io'

            """, to: "jobs.yaml")
        _ = try workshop.lull("run", "--once", "jobs.yaml")
    }

    private func run(of task: String) throws -> (number: String, cost: Cost, printed: String) {
        let runs = try workshop.lull("history").output.split(separator: "\n")
        let line = try #require(runs.first { $0.contains("org.example.jobs." + task) })
        let number = String(try #require(line.split(separator: " ").first))
        let json = try workshop.lull("history", number, "--json").output
        let account = try JSONDecoder().decode(Account.self, from: Data(json.utf8))
        let printed = try workshop.lull("history", number).output
        return (number, try #require(account.events.compactMap(\.cost).last, "\(json)"), printed)
    }

    @Test func `a command that counts costs the time that its shell was told`() throws {
        let run = try run(of: "burn")
        let words = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s/
        let times = try #require(run.printed.firstMatch(of: words), "\(run.printed)")
        let user = try #require(Double(times.1)) * 60 + #require(Double(times.2))
        let system = try #require(Double(times.3)) * 60 + #require(Double(times.4))
        // The kernel counts the times of the children in whole ticks.
        #expect(try Double(#require(run.cost.processor_ms)) >= (user + system) * 1000 - 40)
        #expect(user + system > 0.04)
        #expect(run.printed.contains("\nCost     processor "), "\(run.printed)")
    }

    @Test func `a command that has 64 MiB at once has that peak`() throws {
        let peak = try #require(try run(of: "fill").cost.peak_memory_bytes)
        #expect((64 << 20..<128 << 20).contains(peak))
    }

    @Test func `a command that writes 10 MiB has written what its shell was told`() throws {
        let run = try run(of: "write")
        let words = try #require(run.printed.firstMatch(of: /write_bytes: (\d+)/), "\(run.printed)")
        #expect(try #require(run.cost.written_bytes) >= #require(Int64(words.1)))
    }

    @Test func `without a host the dearest tasks are listed, and each has its run`() throws {
        let json = try workshop.lull("cost", "--json").output
        let report = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
        #expect(report.rows.count == 3 && report.rows[0].name == "org.example.jobs.burn", "\(json)")
        #expect(report.rows.allSatisfy { $0.run_count == 1 && $0.unknown_count == 0 })
        let text = try workshop.lull("cost", "--by", "app").output
        #expect(text.contains("org.example.jobs") && text.contains("100 %"), "\(text)")
    }
}
