import LullHistory
import LullModel
import TestSupport
import Testing

@testable import LullAnswers

/// A row for each run, from whatever events it left.
struct RunListTests {
    private let app: AppIdentifier
    private let task: TaskIdentifier

    init() throws {
        app = try .of("com.example.App")
        task = try .of("com.example.App.nightly")
    }

    private func event(
        _ name: HistoryEvent.Name, _ time: WallTime, run: UInt64?, request: UInt64? = nil,
        of other: String? = nil,
        outcome: Outcome? = nil, reason: String? = nil
    ) throws -> HistoryEvent {
        HistoryEvent(
            name, at: time, app: app,
            task: try other.map { try TaskIdentifier.of("com.example.App.\($0)") } ?? task,
            request: request.map { RequestID($0) }, run: run.map { RunID($0) }, outcome: outcome,
            reason: reason)
    }

    private func list(
        _ events: [HistoryEvent], output: [OutputChunk] = [], _ query: RunQuery = RunQuery()
    ) throws -> RunList {
        let history = MemoryHistory()
        try history.append(HistoryBatch(events: events, outputs: output))
        return try RunList.read(query, in: history)
    }

    private func numbers(_ list: RunList) -> [UInt64] { list.rows.compactMap { $0.run?.number } }

    private func night() throws -> [HistoryEvent] {
        var asked = try event(.submitted, at(0), run: nil, request: 4)
        asked.origin = .repeat
        var byHand = try event(.launched, at(3), run: 2)
        byHand.origin = .operator
        var timed = try event(.launched, at(4), run: 3, of: "backup")
        timed.occurrence = Occurrence(time: at(3, 59))
        return [
            asked, try event(.launched, at(1), run: 1, request: 4),
            try event(.completed, at(2), run: 1, outcome: .succeeded, reason: "4 files"),
            byHand, timed,
            try event(
                .failed, at(5), run: 2, outcome: .failed,
                reason: "exited with code 3" + PrintedLast.beginning + "cannot reach\nthe SMTP server"),
        ]
    }

    @Test func `a run is one row: who asked, when it began, how it ended, and what it said`() throws {
        let rows = try list(try night()).rows
        #expect(rows.map(\.run) == [RunID(3), RunID(2), RunID(1)])
        #expect(rows.map(\.origin) == [.at, .operator, .repeat])
        #expect(rows.map(\.launched) == [at(4), at(3), at(1)])
        #expect(rows.map(\.ended) == [nil, at(5), at(2)])
        #expect(rows[0].time == at(3, 59))
        #expect(rows[1].outcome == .failed)
        #expect(rows[1].reason == "exited with code 3")
        #expect(rows[2].reason == "4 files")
    }

    @Test func `what has no end goes on beside a host, and was cut off where none runs`() throws {
        let history = MemoryHistory()
        try history.append(HistoryBatch(events: [try event(.launched, at(1), run: 1)], outputs: []))
        var query = RunQuery()
        #expect(try RunList.read(query, in: history).rows.map(\.outcome) == [nil])
        query.isHostGone = true
        #expect(try RunList.read(query, in: history).rows.map(\.outcome) == [.interrupted])
    }

    @Test func `what it printed is shown and looked through with the token alone`() throws {
        #expect(try list(try night()).rows.allSatisfy(\.printed.isEmpty))
        #expect(numbers(try list(try night(), RunQuery(text: "SMTP"))).isEmpty)
        let shown = RunQuery(text: "smtp", showsPrinted: true)
        #expect(try list(try night(), shown).rows.map(\.printed) == [["cannot reach", "the SMTP server"]])
        // A run that succeeded shows the last line of its output.
        let printed = OutputChunk(
            run: RunID(1), stream: .standardOutput, time: at(2), bytes: Array("a\nb\n\n".utf8))
        #expect(
            try list(try night(), output: [printed], RunQuery(showsPrinted: true)).rows.last?.printed == ["b"]
        )
        #expect(try list(try night(), output: [printed]).rows.last?.printed == [])
    }

    @Test func `all output that is kept is searched, and the lines that hold the text are shown`() throws {
        func printed(_ run: UInt64, _ text: String, isShared: Bool = false) -> OutputChunk {
            OutputChunk(
                run: RunID(run), stream: .standardError, time: at(2), bytes: Array(text.utf8),
                isShared: isShared)
        }
        let output = [
            printed(1, "begin\nmail: Connec"),
            printed(1, "tion refused\nagain: \u{1B}[31mconnection\u{1B}[0m REFUSED\ndone\n"),
            printed(3, "connection refused", isShared: true),
        ]
        let found = try list(
            try night(), output: output, RunQuery(text: "connection refused", showsPrinted: true))
        #expect(numbers(found) == [1])
        #expect(found.rows.first?.printed == ["mail: Connection refused", "again: connection REFUSED"])
        #expect(numbers(try list(try night(), output: output, RunQuery(text: "connection refused"))).isEmpty)
    }

    @Test func `the list is narrowed by task, by outcome and by words`() throws {
        let night = try night()
        #expect(numbers(try list(night, RunQuery(task: task))) == [2, 1])
        #expect(numbers(try list(night, RunQuery(ending: .failed))) == [2])
        #expect(numbers(try list(night, RunQuery(ending: .succeeded))) == [1])
        #expect(numbers(try list(night, RunQuery(ending: .running))) == [3])
        #expect(try list(night, RunQuery(ending: .failed)).rows.first?.launched == at(3))
        #expect(numbers(try list(night, RunQuery(text: "BACKUP"))) == [3])
        #expect(numbers(try list(night, RunQuery(text: "4 files"))) == [1])
        #expect(numbers(try list(night, RunQuery(text: "run 2"))) == [2])
        #expect(numbers(try list(night, RunQuery(since: at(2), until: at(4)))) == [2])
    }

    @Test func `an app that could not be loaded is a row without a run`() throws {
        let failed = try event(.failed, at(1), run: nil, outcome: .unloadable, reason: "no such file")
        for query in [RunQuery(), RunQuery(ending: .failed)] {
            let row = try #require(try list([failed], query).rows.first)
            #expect(row.run == nil && row.ended == at(1) && row.outcome == .unloadable)
        }
        #expect(try list([failed], RunQuery(ending: .running)).rows.isEmpty)
    }

    /// At each boundary of a page: also where launches share a millisecond, and runs outlast those begun after them.
    @Test func `page by page every run comes once`() throws {
        var events: [HistoryEvent] = []
        for run in UInt64(1)...500 {
            let begun = at(0) + .seconds(Int(run / 7))
            events.append(try event(.launched, begun, run: run))
            if run % 11 != 0 {
                events.append(
                    try event(
                        run % 5 == 0 ? .failed : .completed, begun + .seconds(Int(run % 60)), run: run,
                        outcome: run % 5 == 0 ? .failed : .succeeded))
            }
        }
        let history = MemoryHistory()
        try history.append(HistoryBatch(events: events))
        for ending in [nil] + RunQuery.Ending.allCases.map(Optional.some) {
            var query = RunQuery(ending: ending, limit: 23)
            var found: [UInt64] = []
            var pages = 0
            repeat {
                let page = try RunList.read(query, in: history)
                found += numbers(page)
                query.until = page.earlier
                pages += 1
            } while query.until != nil && pages < 100
            let expected = (UInt64(1)...500).filter { run in
                switch ending {
                case nil: true
                case .running: run % 11 == 0
                case .failed: run % 11 != 0 && run % 5 == 0
                case .succeeded: run % 11 != 0 && run % 5 != 0
                }
            }
            #expect(found.sorted() == expected, "\(String(describing: ending))")
        }
    }

    @Test func `what is looked through for one answer is bounded`() throws {
        var events: [HistoryEvent] = []
        for run in UInt64(1)...12_000 {
            events.append(try event(.launched, at(0) + .seconds(Int(run)), run: run))
            events.append(try event(.completed, at(0) + .seconds(Int(run)), run: run, outcome: .succeeded))
        }
        let history = MemoryHistory()
        try history.append(HistoryBatch(events: events))
        let first = try RunList.read(RunQuery(text: "nowhere"), in: history)
        #expect(first.rows.isEmpty)
        let earlier = try #require(first.earlier)
        #expect(earlier > at(0) && earlier < at(0) + .seconds(12_000))
        #expect(try RunList.read(RunQuery(text: "nowhere", until: earlier), in: history).earlier == nil)
    }
}
