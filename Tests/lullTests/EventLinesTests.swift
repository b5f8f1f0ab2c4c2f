import Foundation
import LullCommands
import LullHistory
import LullModel
import Testing

@testable import lull

/// A host's log lines for events that happen together, and the lines that a launch by hand quotes.
struct EventLinesTests {
    private let app: AppIdentifier
    private let time = WallTime(seconds: 1_795_276_800)

    init() throws { app = try #require(AppIdentifier("com.example.App")) }

    private func events(_ name: HistoryEvent.Name, _ count: Int) -> [HistoryEvent] {
        (0..<count).map {
            HistoryEvent(name, at: time, app: app, task: TaskIdentifier("com.example.App.t\($0)"))
        }
    }

    @Test func `what is said of many tasks alike is one line`() {
        let texts = EventLines(events(.submitted, 92) + events(.launched, 5) + events(.deferred, 92)).lines
            .map(\.text)
        #expect(texts.count == 7)
        #expect(texts.first == "submitted 92 tasks: `lull pending` lists them")
        #expect(texts.last == "deferred 92 tasks: `lull status` says what each waits for")
        #expect(EventLines(events(.deferred, 3) + events(.conditions, 1)).lines.count == 3)
    }

    @Test func `a run that the host's end cut short has not failed`() throws {
        var event = HistoryEvent(.failed, at: time, app: app, run: RunID(4), outcome: .expired)
        #expect(event.line.hasPrefix("failed com.example.App run=4 expired"))
        event.gates = [GateName.shuttingDown.rawValue]
        #expect(event.line.hasPrefix("cut short com.example.App run=4 expired"))
    }

    @Test func `an act says by whom, once`() throws {
        var acts = (0..<5).map {
            HistoryEvent([.paused, .cancelled, .launched, .launched, .expired][$0], at: time, app: app)
        }
        for index in acts.indices { acts[index].by = "anna" }
        acts[0].reason = "new disk"
        (acts[1].request, acts[1].reason) = (RequestID(3), "it was cancelled on request")
        acts[2].request = RequestID(4)
        acts[3].reason = "launched by anna"
        (acts[4].outcome, acts[4].reason) = (.stopped, "anna stopped it")
        let text = EventTable(events: acts, phrases: Phrases(now: time, zone: .utc))
            .rendered(for: Terminal(columns: 120))
        let lines = text.split(separator: "\n").dropFirst().map { line in
            line.components(separatedBy: "  ").last { !$0.isEmpty }?.trimmingCharacters(in: .whitespaces)
        }
        #expect(
            lines == [
                "by anna: new disk", "request 3 by anna: it was cancelled on request",
                "for request 4 by anna",
                "launched by anna", "stopped: anna stopped it",
            ])
        #expect(acts[0].line == "paused com.example.App by anna – new disk")
    }

    @Test func `a launch says how it ended, and repeats nothing of what it has shown`() throws {
        let task = try #require(TaskIdentifier("com.example.App.t"))
        #expect(
            LaunchCommand.text(of: task, RunID(4), .succeeded, "the command exited with code 0.")
                == "com.example.App.t: run 4 succeeded: the command exited with code 0.")
        #expect(
            LaunchCommand.text(of: task, RunID(4), .succeeded, nil)
                == "com.example.App.t: run 4 succeeded.")
        let failed = PrintedLast(sentence: "it failed.", lines: ["why"]).reason
        #expect(
            LaunchCommand.text(of: task, RunID(4), .failed, failed)
                == "com.example.App.t: run 4 failed: it failed.")
    }
}
