import LullHistory
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// The history of a task that the manifest no longer lists, and of runs that are compared.
struct PastTaskTests {
    private let time = WallTime(seconds: 1_795_276_800)
    private let app: AppIdentifier
    private let (old, other): (TaskIdentifier, TaskIdentifier)

    init() throws {
        app = try #require(AppIdentifier("com.example.App"))
        old = try #require(TaskIdentifier("com.example.App.old"))
        other = try #require(TaskIdentifier("com.example.App.other"))
    }

    private func history(_ events: [HistoryEvent]) throws -> MemoryHistory {
        let history = MemoryHistory()
        try history.append([HistoryBatch(events: events)])
        return history
    }

    @Test func `it says when a task was removed, as far as that is recorded`() throws {
        let phrases = Phrases(now: time, zone: .utc)
        let launched = HistoryEvent(.launched, at: time - .hours(3), app: app, task: old, run: RunID(1))
        var removed = HistoryEvent(.givenUp, at: time - .hours(1), app: app, task: old)
        removed.gates = [GateName.permitted.rawValue]
        let known = try #require(try PastTask(old, in: history([launched, removed])))
        #expect(
            known.sentence(phrases)
                == "com.example.App.old is not in the manifest any more: it was removed at 15:00.")
        let unknown = try #require(try PastTask(old, in: history([launched])))
        #expect(
            unknown.sentence(phrases)
                == "com.example.App.old is not in the manifest any more. Its last event in the history is from 13:00."
        )
        #expect(try PastTask(old, in: history([])) == nil)
    }

    @Test func `runs of different tasks are said to be`() throws {
        func run(_ number: UInt64, _ task: TaskIdentifier) -> HistoryEvent {
            HistoryEvent(
                .completed, at: time, app: app, task: task, run: RunID(number), outcome: .succeeded)
        }
        let history = try history([run(1, old), run(2, other), run(3, other)])
        let (one, two, three) = (
            try #require(try RunAccount(RunID(1), in: history)),
            try #require(try RunAccount(RunID(2), in: history)),
            try #require(try RunAccount(RunID(3), in: history))
        )
        let phrases = Phrases(now: time, zone: .utc)
        let text = two.text(against: one, phrases: phrases)
        #expect(
            text.hasPrefix(
                "Run 2 is of com.example.App.other, and run 1 of com.example.App.old: they are not runs of the same task."
            ))
        #expect(text.contains("task: com.example.App.old → com.example.App.other"))
        #expect(
            three.text(against: two, phrases: phrases).hasPrefix(
                "Nothing that is recorded differs from run 2."))
    }

    @Test func `a run that printed shows its last lines, and says where there are more`() throws {
        let history = MemoryHistory()
        func chunk(_ text: String, _ stream: OutputChunk.Stream = .standardOutput) -> OutputChunk {
            OutputChunk(run: RunID(1), stream: stream, time: time, bytes: Array(text.utf8))
        }
        try history.append([
            HistoryBatch(
                events: [],
                outputs: [chunk("one\ntwo\n"), chunk("warned\n", .standardError), chunk("ok\n", .log)])
        ])
        let output = try #require(try history.output(of: RunID(1)))
        let all = output.printed
        #expect(all.lines == ["one", "two", "warned"] && !all.hasMore(than: all.lines))
        // A failure quotes its standard error alone.
        #expect(all.hasMore(than: ["warned"]))
        let more = (1..<LastLines.most).map { "line \($0)" }
        try history.append([
            HistoryBatch(events: [], outputs: [chunk(more.map { $0 + "\n" }.joined())])
        ])
        let longer = try #require(try history.output(of: RunID(1)))
        let cut = longer.printed
        #expect(cut.lines == ["warned"] + more && cut.hasMore(than: cut.lines))
    }
}
