import Foundation
import LullHistory
import LullModel
import TestSupport
import Testing

@Suite struct `An import` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ events: [HistoryEvent], _ more: String = "") throws -> String {
        let path = folder.path + "/history.jsonl"
        let text = events.map { HistoryLines.encode($0) + "\n" }.joined() + more
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Imports a file as `lull history import` does: all new events, or none when a line is bad.
    private func importFile(_ path: String, into history: any History) throws -> HistoryImport {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let (events, outputs) = try HistoryLines.decode(file: bytes, path: path)
        let plan = try HistoryImport(events, outputs, from: path, into: history)
        try history.append(HistoryBatch(plan))
        return plan
    }

    @Test(arguments: Twin.allCases)
    func `of the same file twice counts once`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        let path = try file(try Sample.uses(0..<10))
        var plan = try importFile(path, into: history)
        #expect((plan.events.count, plan.known) == (10, 0))
        plan = try importFile(path, into: history)
        #expect((plan.events.count, plan.known) == (0, 10))
        plan = try importFile(try file(try Sample.uses(5..<12) + Sample.uses(11..<12)), into: history)
        #expect((plan.events.count, plan.known) == (2, 6))
        #expect(try history.events() == Sample.uses(0..<12))
    }

    @Test(arguments: Twin.allCases)
    func `with one bad line adds nothing and names all bad lines`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        let path = try file(
            try Sample.uses(0..<2), "\n{}\n" + HistoryLines.encode(try Sample.use(3)) + "\nnonsense")
        let error = #expect(throws: HistoryError.self) { try importFile(path, into: history) }
        guard case .lines(let problems, more: 0) = error else {
            Issue.record("\(String(describing: error)) is not .lines")
            return
        }
        #expect(problems.map(\.line) == [4, 6])
        #expect(error?.fix == "Nothing was imported. Correct the lines and import the file again.")
        #expect(try history.events() == [])
    }

    @Test func `refuses a use at a time at which none can be`() throws {
        let events = try Sample.uses(0..<4)
        let times = events.map(\.time)
        var launch = try Sample.launch(9, run: 1)
        launch.time = times[0]
        let lines = Data((events + [launch]).map { HistoryLines.encode($0) + "\n" }.joined().utf8)
        let error = #expect(throws: HistoryError.self) {
            try HistoryLines.decode(file: lines, path: "h", uses: times[1]...times[2])
        }
        guard case .lines(let problems, more: 0) = error else {
            Issue.record("\(String(describing: error)) is not .lines")
            return
        }
        #expect(problems.map(\.line) == [1, 4])
        #expect(error?.message.contains("Write a time from 2000 until now for a use.") == true)
    }

    @Test func `counts problems beyond the hundredth`() throws {
        let path = try file([], String(repeating: "x\n", count: 150))
        let error = #expect(throws: HistoryError.self) { try importFile(path, into: MemoryHistory()) }
        #expect(error?.message.hasSuffix("\n… and 50 more.") == true)
    }

    @Test(arguments: Twin.allCases)
    func `of a whole history restores it, twice if need be`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        let events = [try Sample.full(), try Sample.launch(1, run: 1), try Sample.use(2)]
        let path = try file(events)
        #expect(try importFile(path, into: history).events.count == 3)
        #expect(try importFile(path, into: history).events.count == 0)
        #expect(try history.load().events == events)
    }

    @Test(arguments: Twin.allCases)
    func `keeps what several sinks were told in one millisecond`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        let notices = try (1...3).map { number in
            var event = HistoryEvent(
                .notice, at: at(1), app: try Sample.app(), reason: "it failed")
            event.notice = NoticeNote(
                id: UInt64(number), kind: .failed, sink: "webhook \(number)", state: .due)
            return event
        }
        let path = try file(notices)
        #expect(try importFile(path, into: history).events == notices)
        #expect(try importFile(path, into: history).events.count == 0)
    }

    @Test(arguments: Twin.allCases)
    func `of another history's runs is refused, of its uses is not`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        try history.append(HistoryBatch(events: [try Sample.launch(1, run: 1)]))
        let path = try file([try Sample.launch(5, run: 1), try Sample.use(2)])
        #expect(throws: HistoryError.foreignNumbers(path: path)) { try importFile(path, into: history) }
        #expect(try importFile(try file([try Sample.use(2)]), into: history).events.count == 1)
    }
}
