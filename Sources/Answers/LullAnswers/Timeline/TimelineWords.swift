import LullModel

/// A task's result in a span as text: whether it ran, or else what held it back, in order of time.
struct TimelineWords {
    let lane: Timeline.Lane
    let from: WallTime
    let to: WallTime
    let zone: Zone

    var summary: String {
        var words = told
        if let figures { words = known >= to || words == Self.unknown ? figures : figures + " " + words }
        return words + (lane.isRemoved ? " It is no longer in the manifest." : "")
    }

    /// The time from which on all events are there.
    private var known: WallTime { lane.known(since: from) }

    private static let unknown = "Nothing is known about this time."

    /// The figures of days whose events were deleted in part.
    private var figures: String? {
        guard known > from else { return nil }
        func date(_ time: WallTime) -> String { String(time.rfc3339.prefix(10)) }
        let (first, last) = (date(from), date(min(known, to) - .milliseconds(1)))
        let span = (first == last ? "on \(first)" : "from \(first) to \(last)") + " (UTC)"
        let failed = lane.days.reduce(0) { $0 + $1.failed }
        let count = lane.days.reduce(0) { $0 + max($1.launched, $1.succeeded + $1.failed) }
        guard count > 0 else { return "Did not run \(span)." }
        return "Ran \(count == 1 ? "once" : Phrase.count(count, "time")) \(span), "
            + (failed == 0 ? "all well." : "\(failed) failed.")
    }

    private var told: String {
        let launched = lane.runs.filter { $0.launched >= known }
        if launched.isEmpty, let earlier = lane.runs.last, earlier.ended.map({ $0 >= known }) ?? true {
            return carried(earlier) + stranded
        }
        if let last = launched.last, !lane.isHeldButByHand(launched) {
            let failed = launched.count(where: \.isFailure)
            let cut = launched.count(where: \.isCutShort)
            let times = launched.count == 1 ? "once" : Phrase.count(launched.count, "time")
            var text = "Ran \(times), "
            if launched.count > 1 {
                let bad = [(failed, "failed"), (cut, cut == 1 ? "was cut short" : "were cut short")]
                    .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
                text += (bad.isEmpty ? "all well" : bad.joined(separator: ", ")) + "; last at "
            }
            if launched.count == 1 { text += "at " }
            text += clock(last.launched)
            guard let outcome = last.outcome else { return text + open(last) + swallowed + givenUp }
            return text + ": " + Self.words(for: outcome, last.reason) + "." + swallowed + givenUp + stranded
                + earlierFailure(launched)
        }
        if lane.result(since: from) == .held {
            let why = lane.missed.last?.reason?.withoutFullStop ?? lane.brokenChain ?? fault ?? lack ?? causes
            let text = launched.isEmpty ? "Did not run" : "Did not run by itself"
            let byHand = launched.last.map { " It was launched by hand at \(clock($0.launched)): succeeded." }
            return text + (why.isEmpty ? "." : ": " + why + ".") + (byHand ?? "")
        }
        guard !causes.isEmpty else { return Self.unknown }
        let others = causes(besidesTime: true)
        // A gate that is closed on purpose holds back a due time of `at`, but not a task that waits for a good moment.
        let wasDue =
            lane.hasTimes
            && lane.stretches.contains {
                $0.state == .waiting && !$0.gates.isEmpty
                    && !$0.gates.contains(GateName.earliestBegin.rawValue)
            }
        let head = wasDue ? "Did not run" : "Nothing was due"
        return others.isEmpty ? "Nothing was due." : head + ": " + others + "."
    }

    /// Why a task whose last run went well failed before. Last in the text: a client without the right sees nothing behind
    /// what a run printed.
    private func earlierFailure(_ launched: [Timeline.Run]) -> String {
        guard launched.last?.isFailure == false, let failed = launched.last(where: \.isFailure),
            let reason = failed.reason
        else { return "" }
        return " Last failure at \(clock(failed.launched)): \(PrintedLast(reason).inOneLine.withoutFullStop)."
    }

    private var fault: String? { lane.fault.map { "its app did not start: \($0.withoutFullStop)" } }

    private var lack: String? {
        lane.lack.map { gate in
            PrintedLast(gate.reason).sentence.withoutFullStop
                + (gate.since.map { $0 > from ? " (since \(clock($0)))" : "" } ?? "")
        }
    }

    /// That its handler was lost after the last run.
    private var stranded: String {
        lane.stranded.map {
            " It was due at \(clock($0.from)), and did not run: \(fault ?? words(for: $0) ?? "")."
        } ?? ""
    }

    /// The times that were given up, of a task that also ran.
    private var givenUp: String {
        let count = lane.missed.reduce(0) { $0 + $1.count }
        guard count > 0 else { return "" }
        let why = lane.missed.last?.reason.map { ": " + $0.withoutFullStop } ?? ""
        return " \(Phrase.count(count, "time")) \(count == 1 ? "was" : "were") given up\(why)."
    }

    /// The result of a launch after a span in which the task did not run, or not to its end.
    var sequel: String? {
        let result = lane.result(since: from)
        guard result != .ran, let later = lane.later else { return nil }
        let failed = result == .failed ? "failed again" : "failed"
        guard later.outcome != nil else {
            return "A later run, launched at \(clock(later.launched)), is under way."
        }
        let became = later.isFailure ? failed : later.isCutShort ? "was cut short" : "ran well"
        return "Since then it \(became), at \(clock(later.launched))."
    }

    /// The text for a run that was under way when the span began.
    private func carried(_ run: Timeline.Run) -> String {
        guard let ended = run.ended else {
            return "An earlier run" + open(run).dropFirst(", and".count)
        }
        let text = "An earlier run ended at " + clock(ended)
        return text + (run.outcome.map { ": " + Self.words(for: $0, run.reason) } ?? "") + "."
    }

    private static func words(for outcome: Outcome, _ reason: String?) -> String {
        let reason = reason.map { ", " + PrintedLast($0).inOneLine.withoutFullStop }
        return outcome.rawValue + (outcome.isSuccess ? "" : reason ?? "")
    }

    /// " all the time", or since its first stretch if nothing is known of the time before.
    private func always(_ first: Timeline.Stretch?) -> String {
        guard let first, first.from > from else { return " all the time" }
        return " since " + clock(first.from)
    }

    /// Stretches with the same words are merged; short ones are left out.
    private var causes: String { causes(besidesTime: false) }

    /// `besidesTime`: without stretches in which nothing was due, and without the gate of the earliest begin.
    private func causes(besidesTime: Bool) -> String {
        var told: [(words: String, from: WallTime, to: WallTime)] = []
        var isLeftOut = false
        let known = lane.stretches.filter { $0.state != .unknown }
        for stretch in known {
            // A short sleep of the machine is no reason for a whole night.
            let least = lane.known / (stretch.state == .hostOff ? 10 : 100)
            guard stretch.to - stretch.from >= least || stretch.due != nil else { continue }
            var stretch = stretch
            if besidesTime {
                stretch.gates.removeAll { $0 == GateName.earliestBegin.rawValue }
                if stretch.state == .notDue || (stretch.state == .waiting && stretch.gates.isEmpty) {
                    isLeftOut = true
                    continue
                }
            }
            guard let words = words(for: stretch) else { continue }
            if let last = told.last, last.words == words, !isLeftOut || last.to == stretch.from {
                told[told.count - 1].to = stretch.to
            } else {
                told.append((words, stretch.from, stretch.to))
            }
        }
        if told.count == 1, !isLeftOut { return told[0].words + always(known.first) }
        // A night with many changes is summed up by its longest causes.
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
            .map { "\($0.words) for \(Phrase.about($0.span))" }.joined(separator: ", ") + " in all"
    }

    /// The text for a run without an end.
    private func open(_ run: Timeline.Run) -> String {
        guard let lost = run.lost else { return ", and still runs." }
        return ", and was cut off with its host, last seen at \(clock(lost))."
    }

    /// The times at which no host could launch it when it was due, of a task that also ran.
    private var swallowed: String {
        let times = lane.stretches.compactMap { stretch in
            stretch.due.map {
                "at \(clock($0)) (\(stretch.phrase) \(clock(stretch.from))–\(clock(stretch.to)))"
            }
        }
        guard let first = times.first else { return "" }
        let more =
            times.count == 1
            ? "" : times.count == 2 ? " and \(times[1])" : " and \(times.count - 1) times more"
        return " It was due \(first)\(more)."
    }

    private func words(for stretch: Timeline.Stretch) -> String? {
        switch stretch.state {
        case .running: "an earlier run was under way"
        case .waiting: stretch.gates.map(GateName.short).joined(separator: " and ")
        case .moment: GateName.moment.short
        case .notDue: GateName.earliestBegin.short
        case .due: nil
        case .unasked: GateName.short(stretch.gates.first ?? GateName.requested.rawValue)
        case .hostOff: stretch.phrase + (stretch.due.map { " when it was due (\(clock($0)))" } ?? "")
        case .unknown: nil
        }
    }

    private func clock(_ time: WallTime) -> String { Phrase.clock(time, in: zone) }
}

extension Timeline.Stretch {
    /// The text for `host_off`.
    public var phrase: String { (absence ?? .off).phrase }

    /// Positive also for a clock that was set back.
    public var length: Duration { max(to - from, from - to) }
}
