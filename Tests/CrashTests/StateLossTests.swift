import Foundation
import LullControl
import LullHistory
import LullModel
import Testing

/// The state is removed or damaged under a running host.
@Suite(.serialized) struct StateLossTests {
    private static let sentence = "was deleted, moved or unmounted under the running host"

    @Test(arguments: ["", "/history.sqlite", "/history.sqlite-wal", "/lock"])
    func `a host at rest whose state is deleted says so once and ends`(name: String) throws {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let host = try began(workshop)
        try FileManager.default.removeItem(atPath: workshop.state + name)
        try expectEnd(of: host, workshop)
    }

    /// Acts of a program that knows nothing of SQLite.
    enum Meddling: String, CaseIterable {
        case cutsDatabase, emptiesDatabase, cutsWAL, emptiesWAL, copiesOverDatabase, putsAnotherInPlace

        func meddle(with state: String, other: String) throws {
            let path = state + "/history.sqlite"
            switch self {
            case .cutsDatabase: #expect(truncate(path, 1024) == 0)
            case .emptiesDatabase: #expect(truncate(path, 0) == 0)
            case .cutsWAL: #expect(truncate(path + "-wal", 5000) == 0)
            case .emptiesWAL: #expect(truncate(path + "-wal", 0) == 0)
            case .copiesOverDatabase:
                // The same file, opened and written to: `cp OTHER history.sqlite`.
                let file = try #require(FileHandle(forWritingAtPath: path))
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: Data(contentsOf: URL(fileURLWithPath: other)))
                try file.close()
            case .putsAnotherInPlace:
                try FileManager.default.copyItem(atPath: other, toPath: path + ".other")
                #expect(rename(path + ".other", path) == 0)
            }
        }
    }

    @Test(arguments: Meddling.allCases)
    func `a host at rest whose history is cut short or replaced says so and acknowledges nothing more`(
        _ meddling: Meddling
    ) throws {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let other = workshop.folder + "/other"
        let history = try SQLiteHistory.open(folder: other, mode: .readWrite)
        let uses = (0..<4000).map {
            HistoryEvent(.used, at: WallTime(milliseconds: Int64($0)), app: Workshop.apps[0])
        }
        try history.append(HistoryBatch(events: uses))
        try history.close()
        let host = try began(workshop)
        try meddling.meddle(with: workshop.state, other: other + "/history.sqlite")
        let isReplaced = meddling == .putsAnotherInPlace
        let how =
            meddling == .copiesOverDatabase ? "under the running host, and not" : "it was cut short under"
        try expectEnd(
            of: host, workshop, saying: isReplaced ? Self.sentence : how,
            remedy: isReplaced ? "Put back what was there" : "Find out which program did it")
        #expect(throws: (any Error).self) {
            _ = try ControlClient(stateFolder: workshop.state).ask(Ask.Used(Workshop.apps[0], at: nil))
        }
    }

    @Test func `a WAL that is missing is named, also when somebody has read the history meanwhile`() throws {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let host = try began(workshop)
        kill(host.processIdentifier, SIGKILL)
        host.waitUntilExit()
        try FileManager.default.removeItem(atPath: workshop.state + "/history.sqlite-wal")
        let reader = try workshop.start(["history"])
        reader.waitUntilExit()
        #expect(workshop.words.contains("history.sqlite-wal is missing"), "\(workshop.lastWords)")
        let again = try workshop.start(["history"])
        again.waitUntilExit()
        let next = try began(workshop)
        let named = "history.sqlite-wal is empty, and the last host has left commits in it"
        #expect(workshop.words.components(separatedBy: named).count == 3, "\(workshop.lastWords)")
        next.terminate()
        next.waitUntilExit()
        #expect(next.terminationStatus == 0)
        // A host that ended on request leaves nothing to report.
        let last = try workshop.start(["history"])
        last.waitUntilExit()
        #expect(workshop.words.components(separatedBy: named).count == 3)
    }

    @Test func `a host whose state is moved acknowledges nothing more and ends`() throws {
        let workshop = try Workshop()
        try workshop.compile("Busy")
        let outer = workshop.folder + "/outer"
        let elsewhere = workshop.folder + "/other"
        let host = try began(workshop, state: outer + "/state")
        // inotify reports nothing about a parent folder: the next commit notices the move.
        try FileManager.default.moveItem(atPath: outer, toPath: elsewhere)
        let app = Workshop.apps[0]
        var acknowledged: [WallTime] = []
        for number in 0..<1000 {
            let time = WallTime(milliseconds: Workshop.past + Int64(number))
            guard let client = try? ControlClient(stateFolder: elsewhere + "/state"),
                (try? client.ask(Ask.Used(app, at: time))) != nil
            else { break }
            acknowledged.append(time)
        }
        try expectEnd(of: host, workshop)
        // Everything that the host acknowledged before it noticed is in the moved files.
        let history = try SQLiteHistory.open(folder: elsewhere + "/state", mode: .readWrite)
        let times = Set(try history.events(matching: HistoryQuery(names: [.used])).map(\.time))
        #expect(times.isSuperset(of: acknowledged))
    }

    @Test(.enabled(if: Namespace.isPermitted, "needs the right to mount"))
    func `a host whose state is unmounted ends, and writes nothing beneath`() throws {
        let workshop = try Workshop()
        try workshop.compile("Busy")
        try FileManager.default.createDirectory(atPath: workshop.state, withIntermediateDirectories: true)
        let host = try workshop.start(["run", "jobs.yaml"], through: Namespace.tmpfs(on: workshop.state))
        let inside = Namespace.path(workshop.state, of: host)
        try #require(Workshop.waits { answers(inside) }, "\(workshop.lastWords)")
        try Namespace.enter(host, ["umount", "-l", workshop.state])
        try expectEnd(of: host, workshop)
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.state).isEmpty)
    }

    @Test func `a damaged history ends a host that meets the damage, and the next one saves the rest`() throws
    {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let host = try began(workshop)
        host.terminate()
        host.waitUntilExit()
        let history = try SQLiteHistory.open(folder: workshop.state, mode: .readWrite)
        let uses = (0..<4000).map {
            HistoryEvent(
                .used, at: WallTime(milliseconds: Workshop.past + Int64($0)), app: Workshop.apps[$0 % 4])
        }
        try history.append(HistoryBatch(events: uses))
        try history.close()
        let path = workshop.state + "/history.sqlite"
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        let size = try file.seekToEnd()
        // The last pages: leaves of the table and its indices.
        try file.seek(toOffset: size / 4096 * 4096 - 40 * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 3 * 4096))
        try file.close()
        let next = try began(workshop)
        #expect(workshop.words.contains("The history was damaged, "), "\(workshop.lastWords)")
        #expect(workshop.words.contains("events were saved, at least"))
        next.terminate()
        next.waitUntilExit()
        #expect(next.terminationStatus == 0)
        let saved = try SQLiteHistory.open(folder: workshop.state, mode: .readOnly)
        #expect(try saved.events(matching: HistoryQuery(names: [.used])).count > 3000)
    }

    @Test func `a row that says nothing is moved aside at the start, and the host runs`() throws {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let host = try began(workshop)
        host.terminate()
        host.waitUntilExit()
        let history = try SQLiteHistory.open(folder: workshop.state, mode: .readWrite)
        let time = WallTime(milliseconds: Workshop.past)
        try history.append(
            HistoryBatch(
                events: (0..<9).map { HistoryEvent(.used, at: time + .seconds($0), app: Workshop.apps[0]) }))
        try history.close()
        try Sabotage.execute(
            "UPDATE events SET event = 'usd' WHERE time = \(time.milliseconds)", workshop.state)
        let next = try began(workshop)
        #expect(workshop.words.contains("can't be understood"), "\(workshop.lastWords)")
        next.terminate()
        next.waitUntilExit()
        let saved = try SQLiteHistory.open(folder: workshop.state, mode: .readOnly)
        #expect(try saved.events(matching: HistoryQuery(names: [.used])).count == 8)
    }

    @Test func `a missing WAL is named`() throws {
        let workshop = try Workshop(rest: true)
        try workshop.compile("Busy")
        let host = try began(workshop)
        kill(host.processIdentifier, SIGKILL)
        host.waitUntilExit()
        try FileManager.default.removeItem(atPath: workshop.state + "/history.sqlite-wal")
        let next = try began(workshop)
        #expect(workshop.words.contains("history.sqlite-wal is missing"), "\(workshop.lastWords)")
        next.terminate()
        next.waitUntilExit()
        #expect(next.terminationStatus == 0)
    }

    private func began(_ workshop: Workshop, state: String? = nil) throws -> Process {
        let host = try workshop.start(["run", "jobs.yaml"], state: state)
        let place = state ?? workshop.state
        try #require(Workshop.waits { answers(place) }, "\(workshop.lastWords)")
        // The log reports what is durable, a status what has been decided.
        try #require(
            Workshop.waits {
                workshop.words.components(separatedBy: "discovered com.").count > Workshop.apps.count
            }, "\(workshop.lastWords)")
        return host
    }

    /// True once the host has discovered all apps, so that it has nothing more to record on its own.
    private func answers(_ state: String) -> Bool {
        guard let client = try? ControlClient(stateFolder: state),
            let report = try? client.ask(Ask.Status())
        else { return false }
        return report.apps.allSatisfy { $0.discovered != nil }
    }

    private func expectEnd(
        of host: Process, _ workshop: Workshop, saying sentence: String = Self.sentence,
        remedy: String = "Put back what was there"
    ) throws {
        try #require(Workshop.waits { !host.isRunning }, "it goes on:\n\(workshop.lastWords)")
        #expect(host.terminationReason == .exit)
        #expect(host.terminationStatus == 74, "\(workshop.lastWords)")
        let words = workshop.words
        #expect(words.components(separatedBy: sentence).count == 2, "\(workshop.lastWords)")
        #expect(words.contains(remedy), "\(workshop.lastWords)")
        #expect(Workshop.waits { Workshop.descendants(ofHost: host.processIdentifier).isEmpty })
    }
}
