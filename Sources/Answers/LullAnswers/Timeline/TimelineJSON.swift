import Foundation
import LullHistory
public import LullModel

/// The timeline as JSON (`docs/web.md`): times in RFC 3339; members that do not apply are absent.
public struct TimelineJSON: Encodable, Sendable {
    struct Stretch: Encodable, Sendable {
        let from: String
        let to: String
        let state: Timeline.State
        let gates: [String]?
        let words: String?
        let reason: String?
        /// Of `host_off`: the cause, and when the task was first due meanwhile; absent: it was not.
        let absence: AbsenceCause?
        let due: String?

        init(_ stretch: Timeline.Stretch) {
            (from, to, state) = (stretch.from.rfc3339, stretch.to.rfc3339, stretch.state)
            gates = stretch.gates.isEmpty ? nil : stretch.gates
            let isOff = stretch.state == .hostOff
            words =
                isOff
                ? stretch.phrase
                : stretch.gates.isEmpty ? nil : stretch.gates.map(GateName.short).joined(separator: ", ")
            (reason, absence) = (stretch.reason, stretch.absence)
            due = stretch.due?.rfc3339
        }
    }
    struct Run: Encodable, Sendable {
        let run: RunID
        let launched: String
        let ended: String?
        let outcome: Outcome?
        /// The last sign of life of the host with which it was cut off; absent: it was not, or its end is recorded.
        let lost: String?
        /// Whether the task is to blame for its end; absent while it is under way.
        let failed: Bool?
        /// The reason without the quoted output.
        let reason: String?
        let printed: [String]?
        /// True: the reason has quoted output that the reader may not see.
        let printedHidden: Bool?
    }
    struct Lane: Encodable, Sendable {
        let task: TaskIdentifier
        /// Absent: the task has gone, or the reader knows it.
        let app: AppIdentifier?
        let result: Timeline.Lane.Result
        /// Whether it has run well since; absent: it has not, or did not have to.
        let mended: Bool?
        /// Absent: it is in the manifest.
        let removed: Bool?
        let summary: String
        let sequel: String?
        let stretches: [Stretch]
        let runs: [Run]
        let later: Run?
        /// Absent: all events of the span are there.
        let days: [Day]?
    }
    struct Rise: Encodable, Sendable {
        let task: TaskIdentifier
        let beforeProcessorMs: Int64
        let afterProcessorMs: Int64
    }
    struct Day: Encodable, Sendable {
        let day: String
        let launchedCount: Int
        let succeededCount: Int
        let failedCount: Int
        /// The total of all its runs.
        let ms: Int64
    }

    let from: String
    let to: String
    let zone: String
    /// When the history begins; absent: it is empty, or not all events were read.
    let begins: String?
    /// Up to here events were deleted because of the history's size, and each lane has figures by day; absent: none were.
    let thinned: String?
    let lanes: [Lane]
    /// The spans in which no host could launch anything.
    let absences: [Stretch]
    /// The tasks whose runs cost more than before; absent: none is known.
    let dearer: [Rise]?
    /// Whether only the newest events of the span were read.
    let cut: Bool
    /// The numbers of lanes with each result, of all and of those that were found; absent: all of them are listed.
    let counts: [String: Int]?
    let foundCounts: [String: Int]?
    /// The runs of all lanes; absent: there were none, or all lanes are listed.
    let throughput: Throughput?

    /// `counts`, `found`, `throughput`: nil where all lanes are listed.
    public init(
        _ timeline: Timeline, rises: [CostRise] = [], zone: Zone, isCut: Bool, showsPrinted: Bool,
        apps: [TaskIdentifier: AppIdentifier] = [:], counts: [String: Int]? = nil,
        found: [String: Int]? = nil,
        throughput: Throughput? = nil
    ) {
        (self.counts, self.throughput) = (counts, throughput)
        foundCounts = found
        from = timeline.from.rfc3339
        to = timeline.to.rfc3339
        self.zone = zone.name
        begins = timeline.beginning?.rfc3339
        thinned = timeline.thinned?.rfc3339
        cut = isCut
        dearer =
            rises.isEmpty
            ? nil
            : rises.map {
                Rise(task: $0.task, beforeProcessorMs: $0.before, afterProcessorMs: $0.after)
            }
        absences = timeline.absences.map(Stretch.init)
        lanes = timeline.lanes.map { lane in
            let result = lane.result(since: timeline.from)
            return Lane(
                task: lane.task, app: apps[lane.task], result: result,
                mended: lane.isMended(result) ? true : nil,
                removed: lane.isRemoved ? true : nil, summary: lane.summary,
                sequel: lane.sequel,
                stretches: lane.stretches.map(Stretch.init),
                runs: lane.runs.map { Run($0, showsPrinted: showsPrinted) },
                later: lane.later.map { Run($0, showsPrinted: showsPrinted) },
                days: timeline.thinned == nil
                    ? nil
                    : lane.days.map {
                        Day(
                            day: String($0.day.rfc3339.prefix(10)), launchedCount: $0.launched,
                            succeededCount: $0.succeeded, failedCount: $0.failed, ms: $0.milliseconds)
                    })
        }
    }
}

extension TimelineJSON.Run {
    init(_ run: Timeline.Run, showsPrinted: Bool) {
        let told = run.reason.map(PrintedLast.init)
        let lines = told?.lines ?? []
        self.init(
            run: run.run, launched: run.launched.rfc3339, ended: run.ended?.rfc3339, outcome: run.outcome,
            lost: run.lost?.rfc3339,
            failed: run.outcome.map { _ in run.isFailure }, reason: told?.sentence,
            printed: showsPrinted && !lines.isEmpty ? lines : nil,
            printedHidden: !showsPrinted && !lines.isEmpty ? true : nil)
    }
}
