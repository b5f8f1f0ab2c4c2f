import LullModel

/// What became of a task in a span, as one sentence: whether it ran, else what held it back, in the order of the night.
struct TimelineWords {
    let lane: Timeline.Lane
    let from: WallTime
    let zone: Zone

    var summary: String {
        let launched = lane.runs.filter { $0.launched >= from }
        if launched.isEmpty, let earlier = lane.runs.last { return carried(earlier) }
        if let last = launched.last {
            let failed = launched.count { $0.outcome?.isSuccess == false }
            let times = launched.count == 1 ? "once" : "\(launched.count) times"
            var text = "Ran \(times), "
            if launched.count > 1 {
                text += failed == 0 ? "all well; last at " : "\(failed) failed; last at "
            }
            if launched.count == 1 { text += "at " }
            text += clock(last.launched)
            guard let outcome = last.outcome else { return text + ", and still runs." }
            return text + ": " + Self.words(for: outcome, last.reason) + "."
        }
        if lane.result(since: from) == .held {
            let why = lane.missed.last?.reason?.withoutFullStop ?? causes
            return why.isEmpty ? "Did not run." : "Did not run: " + why + "."
        }
        guard !causes.isEmpty else { return "Nothing is known of this time." }
        let notDue = GateWords.short(GateName.earliestBegin.rawValue)
        return causes == notDue + Self.always ? "Nothing was due." : "Nothing was due: " + causes + "."
    }

    /// Of a run that the span begins with.
    private func carried(_ run: Timeline.Run) -> String {
        guard let ended = run.ended else { return "A run from before still runs." }
        let text = "A run from before ended at " + clock(ended)
        return text + (run.outcome.map { ": " + Self.words(for: $0, run.reason) } ?? "") + "."
    }

    private static func words(for outcome: Outcome, _ reason: String?) -> String {
        let reason = reason.map { ", " + PrintedLast($0).inOneLine.withoutFullStop }
        return outcome.rawValue + (outcome.isSuccess ? "" : reason ?? "")
    }

    private static let always = " all the time"

    /// Stretches that say the same are told as one; short ones are left out.
    private var causes: String {
        var told: [(words: String, from: WallTime, to: WallTime)] = []
        let known = lane.stretches.filter { $0.state != .unknown }
        for stretch in known {
            // That it slept for a while is no reason for a night.
            let least = lane.known / (stretch.state == .hostOff ? 10 : 100)
            guard let words = Self.words(for: stretch), stretch.to - stretch.from >= least else { continue }
            if let last = told.last, last.words == words {
                told[told.count - 1].to = stretch.to
            } else {
                told.append((words, stretch.from, stretch.to))
            }
        }
        if told.count == 1 { return told[0].words + Self.always }
        // A night that flickers is told by what weighs most.
        guard told.count <= 5 else { return heaviest(told.map { ($0.words, $0.to - $0.from) }) }
        return told.map { "\($0.words) \(clock($0.from))–\(clock($0.to))" }.joined(separator: ", ")
    }

    private func heaviest(_ told: [(String, Duration)]) -> String {
        var sums: [(words: String, span: Duration)] = []
        for (words, span) in told {
            if let index = sums.firstIndex(where: { $0.words == words }) {
                sums[index].span += span
            } else {
                sums.append((words, span))
            }
        }
        return sums.sorted { $0.span > $1.span }.prefix(3)
            .map { "\($0.words) for \(Self.span($0.span))" }.joined(separator: ", ") + " in all"
    }

    private static func words(for stretch: Timeline.Stretch) -> String? {
        switch stretch.state {
        case .running: "an earlier run was under way"
        case .waiting: stretch.gates.map(GateWords.short).joined(separator: " and ")
        case .moment: GateWords.short(GateName.moment.rawValue)
        case .notDue: GateWords.short(GateName.earliestBegin.rawValue)
        case .due: nil
        case .unasked: GateWords.short(stretch.gates.first ?? GateName.requested.rawValue)
        case .hostOff: "the host was off or asleep"
        case .unknown: nil
        }
    }

    private func clock(_ time: WallTime) -> String {
        let local = zone.local(time)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(local.hour) + ":" + two(local.minute)
    }

    private static func span(_ span: Duration) -> String {
        let minutes = span.milliseconds / 60_000
        return minutes < 60
            ? "\(minutes) min"
            : minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

/// A closed gate in two or three words, for where there is no room for its sentence.
public enum GateWords {
    private static let words: [GateName: String] = [
        .permitted: "not permitted",
        .registered: "no handler",
        .enabled: "disabled",
        .paused: "paused",
        .idleApp: "its app was idle",
        .requested: "nobody asked for it",
        .earliestBegin: "not due",
        .network: "no network",
        .externalPower: "no external power",
        .battery: "battery too low",
        .idle: "somebody was at the host",
        .load: "load too high",
        .disk: "disk too full",
        .folder: "its folder is too large",
        .window: "outside its window",
        .quiet: "its quiet time",
        .rateLimit: "refreshed just before",
        .budget: "budget spent",
        .backoff: "waiting after a failure",
        .concurrency: "too many runs at once",
        .shuttingDown: "the host was ending",
        .moment: "waiting for its moment",
    ]

    /// A gate that has no words of its own is called by its name.
    public static func short(_ gate: String) -> String {
        GateName(rawValue: gate).flatMap { words[$0] } ?? String(gate.map { $0 == "_" ? " " : $0 })
    }
}
