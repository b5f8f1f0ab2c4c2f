import LullAnswers
import LullHistory
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// `lull history` for people: a line for each run.
struct RunLinesTests {
    private let time = WallTime(seconds: 1_795_276_800)
    private let history = MemoryHistory()

    init() throws {
        let app = try #require(AppIdentifier("a.b"))
        let task = try #require(TaskIdentifier("a.b.night"))
        var events: [HistoryEvent] = []
        for run in UInt64(1)...4 {
            let begun = time - .minutes(1) + .seconds(Int(run))
            var launch = HistoryEvent(.launched, at: begun, app: app, task: task, run: RunID(run))
            launch.origin = run == 1 ? .operator : nil
            launch.occurrence = run == 1 ? nil : Occurrence(time: begun)
            events.append(launch)
            guard run < 4 else { break }
            var end = HistoryEvent(
                run == 2 ? .failed : .completed, at: begun + .seconds(1), app: app, task: task,
                run: RunID(run),
                outcome: run == 2 ? .failed : .succeeded,
                reason: run == 2 ? "exit code 3" + PrintedLast.beginning + "first\nno space" : "code 0.")
            end.milliseconds = 1000
            events.append(end)
            // Notices, which once drowned out the runs.
            for sink in ["mail", "journal"] {
                var notice = HistoryEvent(
                    .notice, at: begun + .seconds(1), app: app, task: task, run: RunID(run))
                notice.reason = sink
                events.append(notice)
            }
        }
        let printed = OutputChunk(
            run: RunID(3), stream: .standardOutput, time: time, bytes: Array("x\n".utf8))
        try history.append(HistoryBatch(events: events, outputs: [printed]))
    }

    private func lines(most: Int?, columns: Int = 110) throws -> [String] {
        let runs = try RunLines(RunQuery(showsPrinted: true), most: most, in: history)
        #expect(runs.isCut == (most.map { $0 < 4 } ?? false))
        return runs.rendered(for: Terminal(columns: columns), Phrases(now: time, zone: .utc))
            .split(separator: "\n").map(String.init)
    }

    @Test func `a run is one line: who asked, when it began, how it ended, how long it took, its last line`()
        throws
    {
        #expect(
            try lines(most: nil) == [
                "RUN  TASK       ASKED BY     BEGAN     OUTCOME    TOOK  LAST LINE",
                "1    a.b.night  an operator  15:59:01  succeeded  1 s   code 0",
                "2    a.b.night  its time     15:59:02  failed     1 s   exit code 3 │ no space",
                "3    a.b.night  its time     15:59:03  succeeded  1 s   │ x",
                "4    a.b.night  its time     15:59:04  under way  56 s",
            ])
    }

    @Test func `a run that an operator asked for names the operator, if that is known`() throws {
        let app = try #require(AppIdentifier("a.b"))
        var launch = HistoryEvent(.launched, at: time, app: app, task: nil, run: RunID(5))
        (launch.origin, launch.by) = (.operator, "anna as root")
        try history.append(HistoryBatch(events: [launch]))
        #expect(try lines(most: 1).last?.contains("  anna as root  ") == true)
    }

    @Test func `it is one line in a narrow terminal too, and of many runs the newest are shown`() throws {
        #expect(try lines(most: nil, columns: 90)[2].hasSuffix("  exit code 3 │ no space"))
        #expect(try lines(most: 2).map { $0.prefix(1) } == ["R", "3", "4"])
    }
}
