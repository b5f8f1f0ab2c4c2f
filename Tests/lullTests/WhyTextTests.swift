import LullModel
import Testing

@testable import lull

/// What `lull why` prints, without a host.
struct WhyTextTests {
    private let task: TaskIdentifier
    private let time = WallTime(seconds: 1_795_276_800)

    init() throws {
        task = try #require(TaskIdentifier("com.example.App.nightly"))
    }

    private func text(_ gates: [GateVerdict], needsHost: Bool = false) -> WhyText {
        var outlook = Outlook(task: task, time: time)
        outlook.gates = gates.map { Outlook.Gate($0.gate, .never) }
        outlook.needsHost = needsHost
        outlook.unknown = "too little is known of its conditions"
        return WhyText(
            verdict: Verdict(task: task, gates: gates), status: nil, outlook: outlook,
            phrases: Phrases(now: time, zone: .utc))
    }

    @Test func `what opens two gates is said once`() {
        let gates: [GateName] = [.window, .load]
        let text = text(
            gates.map { GateVerdict($0, isOpen: false, reason: "closed", remedy: "launch it now") })
        #expect(text.remedies == ["launch it now"])
    }

    @Test(arguments: [true, false])
    func `that no likelihood can be given is a sentence`(needsHost: Bool) {
        let text = text([GateVerdict(.load, isOpen: false, reason: "closed")], needsHost: needsHost)
        let paragraph = text.outlookText.paragraphs.first
        #expect(
            paragraph
                == (needsHost ? "No host is running. Were one started now: no" : "No")
                + " likelihood can be given, for too little is known of its conditions.")
    }
}
