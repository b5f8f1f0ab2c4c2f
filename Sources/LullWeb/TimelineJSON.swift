import Foundation
import LullHistory
public import LullModel

/// The timeline as a format (`docs/web.md`): times in RFC 3339, what does not apply is absent.
public struct TimelineJSON: Encodable, Sendable {
    struct Stretch: Encodable, Sendable {
        let from: String
        let to: String
        let state: Timeline.State
        let gates: [String]?
        let words: String?
        let reason: String?
    }
    struct Run: Encodable, Sendable {
        let run: RunID
        let launched: String
        let ended: String?
        let outcome: Outcome?
        /// Without what it printed last.
        let reason: String?
        let printed: [String]?
    }
    struct Lane: Encodable, Sendable {
        let task: TaskIdentifier
        let result: Timeline.Lane.Result
        let summary: String
        let stretches: [Stretch]
        let runs: [Run]
    }

    let from: String
    let to: String
    let zone: String
    /// When the history begins; absent: nothing stands in it, or it is cut.
    let begins: String?
    let lanes: [Lane]
    /// Only the newest events of a very long history were read.
    let cut: Bool

    public init(_ timeline: Timeline, zone: Zone, isCut: Bool, showsPrinted: Bool) {
        from = timeline.from.rfc3339
        to = timeline.to.rfc3339
        self.zone = zone.name
        begins = timeline.beginning?.rfc3339
        cut = isCut
        lanes = timeline.lanes.map { lane in
            Lane(
                task: lane.task, result: lane.result(since: timeline.from), summary: lane.summary,
                stretches: lane.stretches.map {
                    Stretch(
                        from: $0.from.rfc3339, to: $0.to.rfc3339, state: $0.state,
                        gates: $0.gates.isEmpty ? nil : $0.gates,
                        words: $0.gates.isEmpty ? nil : $0.gates.map(GateWords.short).joined(separator: ", "),
                        reason: $0.reason)
                },
                runs: lane.runs.map {
                    Run($0, showsPrinted: showsPrinted)
                })
        }
    }
}

extension TimelineJSON.Run {
    init(_ run: Timeline.Run, showsPrinted: Bool) {
        let told = run.reason.map(PrintedLast.init)
        self.init(
            run: run.run, launched: run.launched.rfc3339, ended: run.ended?.rfc3339, outcome: run.outcome,
            reason: told?.sentence, printed: showsPrinted && told?.lines.isEmpty == false ? told?.lines : nil)
    }
}
