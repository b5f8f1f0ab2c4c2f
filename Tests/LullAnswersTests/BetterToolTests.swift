import LullHistory
import LullModel
import TestSupport
import Testing

@testable import LullAnswers

/// The better way to start a task, as its last runs show it.
struct BetterToolTests {
    private let app: AppIdentifier
    private let name: TaskIdentifier

    init() throws {
        app = try .of("com.example.App")
        name = try .of("com.example.App.look")
    }

    private func task(_ kind: Kind, repeat gap: Duration? = nil, network: Bool = false) -> TaskDefinition {
        var task = TaskDefinition(identifier: name, app: app, kind: kind)
        task.repeat = gap
        if network { task.requires.network = .any }
        return task
    }

    /// A history of runs, the oldest first, each `every` after the one before.
    private func history(
        _ outcomes: [Outcome], every: Duration, took: Int64, printing: Set<Int> = []
    ) throws -> MemoryHistory {
        let history = MemoryHistory()
        var (events, chunks): ([HistoryEvent], [OutputChunk]) = ([], [])
        for (number, outcome) in outcomes.enumerated() {
            let run = RunID(UInt64(number + 1))
            let start = at(0) + every * number
            events.append(HistoryEvent(.launched, at: start, app: app, task: name, run: run))
            var end = HistoryEvent(
                outcome.isSuccess ? .completed : .failed, at: start + .milliseconds(took), app: app,
                task: name, run: run, outcome: outcome)
            end.milliseconds = took
            events.append(end)
            if printing.contains(number) {
                chunks.append(
                    OutputChunk(
                        run: run, stream: .standardOutput, time: start, bytes: Array("done\n".utf8)))
            }
        }
        try history.append(HistoryBatch(events: events, outputs: chunks))
        return history
    }

    private func tool(_ task: TaskDefinition, _ history: MemoryHistory) throws -> BetterTool.Fact? {
        try BetterTool(of: task, in: history)?.fact
    }

    @Test func `a refresh that its time limit ends again and again is more than a refresh`() throws {
        let runs = try history(
            [.succeeded, .expired, .succeeded, .expired, .expired], every: .hours(1), took: 30_000)
        #expect(try tool(task(.refresh), runs) == .refreshOverLimit(ended: 3, runs: 5))
        #expect(try tool(task(.processing), runs) == nil)
        let mended = try history(
            [.expired, .expired, .expired, .succeeded], every: .hours(1), took: 30_000)
        #expect(try tool(task(.refresh), mended) == nil)
    }

    @Test func `what runs often, shortly and in silence may only look for something`() throws {
        let runs = try history(
            Array(repeating: .succeeded, count: 25), every: .minutes(5), took: 40)
        let fact = BetterTool.Fact.looksOften(
            runs: 20, longest: .milliseconds(40), gap: .minutes(5), needsNetwork: false)
        #expect(try tool(task(.processing, repeat: .minutes(5)), runs) == fact)
        // A task that its plugin submits, or that the forecast times, needs no better way.
        #expect(try tool(task(.processing), runs) == nil)
        #expect(try tool(task(.refresh, repeat: .minutes(5)), runs) == nil)
    }

    @Test(arguments: [19, 24]) func `one run of the last twenty that printed has found something`(
        printed: Int
    ) throws {
        let runs = try history(
            Array(repeating: .succeeded, count: 25), every: .minutes(5), took: 40, printing: [printed])
        #expect(try tool(task(.processing, repeat: .minutes(5)), runs) == nil)
    }

    @Test func `few runs, rare runs, long runs and failures show nothing`() throws {
        let often = task(.processing, repeat: .minutes(5))
        let good = Array(repeating: Outcome.succeeded, count: 25)
        #expect(try tool(often, history(Array(good.prefix(19)), every: .minutes(5), took: 40)) == nil)
        #expect(try tool(often, history(good, every: .hours(1), took: 40)) == nil)
        #expect(try tool(often, history(good, every: .minutes(5), took: 3000)) == nil)
        #expect(try tool(often, history(good + [.failed], every: .minutes(5), took: 40)) == nil)
    }

    @Test func `who asks a server is told of pushes`() throws {
        let runs = try history(Array(repeating: .succeeded, count: 20), every: .minutes(5), took: 40)
        let tool = try #require(
            try BetterTool(of: task(.processing, repeat: .minutes(5), network: true), in: runs))
        #expect(
            tool.sentence
                == "Its last 20 runs came every 5 min, printed nothing and took 40 ms at most. If it looks for a "
                + "file, `on: { path: FILE }` starts it when the file comes; if it asks a server that can call "
                + "back, let the server call `lull push`")
    }
}
