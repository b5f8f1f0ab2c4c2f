import Foundation
import LullHistory
import LullModel
import TestSupport
import Testing

/// A host hangs amid a run: its worker and the worker's children go on. The lease and its grace have their real lengths, so this
/// takes a minute and a half.
@Suite(.enabled(if: FleetYard.isPossible, FleetYard.absence))
struct FleetHangTests {
    /// The task writes ticks for much longer than any lease lasts.
    private static func tasks(_ notes: String) -> String {
        func note(_ word: String) -> String { "echo \"\(word) long $LULL_FENCE $(uname -n)\" >> \(notes)" }
        return
            "      long: { kind: processing, repeat: 1h, scope: any_host, settings: { run: '\(note("begin")); "
            + "for i in $(seq 1100); do \(note("tick")); sleep 0.2; done; \(note("end"))' } }\n"
    }

    @Test func `a host that hangs leaves no run beside that of the next, and says what became of its own`()
        throws
    {
        let yard = try FleetYard(["a", "b"], tasks: Self.tasks)
        try yard.start()
        let first = try yard.wait(for: 1, "begin", "long")
        let hung = try #require(yard.host(first.host).process)
        kill(hung.processIdentifier, SIGSTOP)
        // Only the host hangs.
        try yard.wait(for: 3, "tick", "long")
        try yard.wait("another host takes the slot") { yard.noted("begin", "long").count > 1 }
        try yard.wait(for: 10, "tick", "long")
        let second = try #require(yard.noted("begin", "long").last)
        #expect(second.host != first.host && second.number > first.number)
        let text = try String(contentsOfFile: yard.notes, encoding: .utf8)
        let since = text.components(separatedBy: "begin long \(second.number)").last ?? ""
        #expect(!since.contains(" \(first.number) "), "\(since)")

        kill(hung.processIdentifier, SIGCONT)
        let state = try yard.host(first.host).workshop.state
        let history = try SQLiteHistory.open(folder: state, mode: .readOnly)
        try yard.wait("the host knows that its lease has passed on") {
            try history.events(matching: HistoryQuery(names: [.slot])).contains { $0.slot?.act == .refused }
        }
        let ends = try history.events(matching: HistoryQuery(names: [.failed, .completed, .expired]))
        #expect(ends.map(\.outcome) == [.interrupted], "\(ends)")
        #expect(
            ends.first?.reason?.hasPrefix("the host hung, and the supervisor ended it ") == true, "\(ends)")
        #expect(yard.noted("end").isEmpty)
        try yard.endAll()
    }
}
