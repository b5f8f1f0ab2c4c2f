import Foundation
import GRDB
import LullControl
import LullHistory
import LullModel
import TestSupport
import Testing

/// `kill -9` of the real host at random instants, under load, again and again on one state.
///
/// `LULL_KILLS` says how often (`make crash-test KILLS=500`), `LULL_SEED` chooses the instants.
@Suite(.serialized) struct KillTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let kills = environment["LULL_KILLS"].flatMap { Int($0) } ?? 8
    static let seed = environment["LULL_SEED"].flatMap { UInt64($0) } ?? 1

    @Test func `a host killed at any instant under load loses nothing that it acknowledged`() throws {
        let workshop = try Workshop()
        try workshop.compile("Busy")
        let notes = Notes()
        var account = Account()
        var random = SeededGenerator(seed: Self.seed)
        var damaged = 0
        var orphans = 0
        let pause = DispatchSemaphore(value: 0)
        for round in 0..<Self.kills {
            let host = try workshop.start(["run", "jobs.yaml"])
            let load = Load(workshop, notes)
            let times = Workshop.past + Int64(round) * 1_000_000
            load.begin(seed: random.next(), useTimes: times..<(times + 1_000_000))
            if round.isMultiple(of: 5), let task = Workshop.tasks.randomElement(using: &random) {
                load.beginCommands(task: task)
            }
            // A quarter of the instants are during the start, the others after the first acknowledgement.
            if round % 4 != 3 {
                try #require(
                    load.begun.wait(timeout: .now() + .seconds(Int(hangLimit / .seconds(1)))) == .success,
                    "the host of round \(round), seed \(Self.seed), does not answer:\n\(workshop.lastWords)")
            }
            _ = pause.wait(timeout: .now() + .microseconds(Int.random(in: 0...400_000, using: &random)))
            #expect(kill(host.processIdentifier, SIGKILL) == 0)
            host.waitUntilExit()
            #expect(host.terminationReason == .uncaughtSignal, "\(workshop.lastWords)")
            load.end()
            orphans += remaining(of: host.processIdentifier)
            // Every other time the next host is the first to open the killed host's history.
            if round.isMultiple(of: 2) { damaged += try audit(workshop, &account) ? 0 : 1 }
        }

        // The last host is not killed, and ends as it should.
        damaged += try audit(workshop, &account) ? 0 : 1
        let before = account.pending
        let host = try workshop.start(["run", "jobs.yaml"])
        let answer = try pending(workshop, pause)
        // The answer may include requests that are not recorded yet; after this call they are.
        _ = try ControlClient(stateFolder: workshop.state).ask(Ask.Used(Workshop.apps[0]))
        damaged += try audit(workshop, &account) ? 0 : 1
        // The host has to know each request that was pending before its start and is still pending.
        let lost = before.intersection(account.pending).subtracting(answer).count
        // On a slow machine few requests were acknowledged between the kills: this host takes the rest.
        let load = Load(workshop, notes)
        let times = Workshop.past + Int64(Self.kills) * 1_000_000
        load.begin(seed: random.next(), useTimes: times..<(times + 1_000_000))
        #expect(
            Workshop.waits {
                notes.all.requests.count > Self.kills && workshop.acceptedByPlugins().count > Self.kills
            }, "\(workshop.lastWords)")
        load.end()
        host.terminate()
        host.waitUntilExit()
        #expect(host.terminationStatus == 0, "\(workshop.lastWords)")
        orphans += remaining(of: host.processIdentifier)
        damaged += try audit(workshop, &account) ? 0 : 1

        let noted = notes.all
        let unknownRequests = noted.requests.filter { account.submitted[$0.key]?.text != $0.value }
        let unknownUses = noted.uses.subtracting(account.uses)
        let byPlugins = workshop.acceptedByPlugins()
        let unknownBegins = byPlugins.filter { account.begins[$0] == nil }
        let acknowledged = noted.requests.count + byPlugins.count
        print(
            """
            \(Self.kills) kills (seed \(Self.seed)): \(acknowledged) acknowledged requests (\(byPlugins.count) of \
            plugins), \(noted.uses.count) uses, \(account.outcomes.count) runs, \(account.count) events: \
            \(unknownRequests.count + unknownBegins.count) requests and \(unknownUses.count) uses lost, \
            \(account.open.count) runs without an outcome, \(damaged) damaged databases, \(orphans) orphans
            """)
        #expect(unknownRequests.isEmpty)
        #expect(unknownUses.isEmpty)
        #expect(unknownBegins.isEmpty)
        #expect(account.faults.isEmpty)
        #expect(noted.refusals.isEmpty)
        #expect(account.open.isEmpty)
        #expect((damaged, orphans, lost) == (0, 0, 0))
        #expect(noted.requests.count > Self.kills)
        #expect(byPlugins.count > Self.kills)
    }

    /// Reads on, and says whether SQLite finds the database sound.
    private func audit(_ workshop: Workshop, _ account: inout Account) throws -> Bool {
        let path = workshop.state + "/history.sqlite"
        guard FileManager.default.fileExists(atPath: path) else { return true }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let verdict = try DatabaseQueue(path: path, configuration: configuration).read { db in
            try String.fetchOne(db, sql: "PRAGMA integrity_check")
        }
        do throws(HistoryError) {
            let history = try SQLiteHistory.open(folder: workshop.state, mode: .readOnly)
            do { try account.read(history) } catch { Issue.record("\(error)") }
        } catch {
            // A host killed before it had made its tables has acknowledged nothing.
            guard case .missing = error, account.count == 0 else { throw error }
        }
        #expect(verdict == "ok")
        return verdict == "ok"
    }

    /// The number of a host's processes that are left after time to end; reports what each is doing.
    private func remaining(of host: Int32) -> Int {
        _ = Workshop.waits { Workshop.descendants(ofHost: host).isEmpty }
        let left = Workshop.descendants(ofHost: host)
        for process in left {
            let words = ["status", "wchan", "stack", "syscall"].map { file in
                (try? String(contentsOfFile: "/proc/\(process)/\(file)", encoding: .utf8)) ?? "-"
            }
            Issue.record("process \(process) of host \(host) is left: \(words.joined(separator: "\n"))")
        }
        return left.count
    }

    /// The pending requests of several answers together, because each may be out of date when it comes.
    private func pending(_ workshop: Workshop, _ pause: DispatchSemaphore) throws -> Set<RequestID> {
        var all: Set<RequestID> = []
        var answers = 0
        for _ in 0..<2000 where answers < 3 {
            guard let client = try? ControlClient(stateFolder: workshop.state),
                let requests = try? client.ask(Ask.Pending())
            else {
                _ = pause.wait(timeout: .now() + .milliseconds(10))
                continue
            }
            answers += 1
            all.formUnion(requests.map(\.id))
        }
        return all
    }
}
