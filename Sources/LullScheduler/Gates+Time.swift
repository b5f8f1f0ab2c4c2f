import LullModel

/// Whether the task's time has come, and whether it has had its share.
extension GateInput {
    func earliestBegin() -> GateVerdict {
        if definition?.at != nil, let verdict = nextTime() { return verdict }
        guard let begin = record?.pending?.opens else {
            return open(.earliestBegin, "no earliest begin date")
        }
        guard begin > now.wall else {
            return open(.earliestBegin, "not before \(moment(begin)), which has passed")
        }
        return closed(
            .earliestBegin, "not before \(moment(begin)), in \(Phrase.span(begin - now.wall))",
            since: record?.pending?.submitted,
            until: begin, remedy: "launch it now with `lull launch \(task)`")
    }

    var windowCalendar: WindowCalendar? {
        guard let windows = definition?.windows, !windows.isEmpty else { return nil }
        return WindowCalendar(windows: windows, zone: windowZone)
    }

    func window() -> GateVerdict {
        guard let calendar = windowCalendar else { return open(.window, "no windows: at any time") }
        let names = explains ? calendar.windows.map(\.text).joined(separator: "; ") : ""
        if calendar.isOpen(at: now.wall) {
            return open(.window, "it is within \(names)", closes: calendar.closing(after: now.wall))
        }
        let opening = calendar.opening(from: now.wall)
        return closed(
            .window, "it is outside \(names)" + (opening.map { ", which opens \(at($0))" } ?? ""),
            until: opening,
            remedy: "launch it now with `lull launch \(task)`")
    }

    var quietCalendar: WindowCalendar? {
        guard let quiet = definition?.quiet, !quiet.isEmpty else { return nil }
        return WindowCalendar(windows: quiet, zone: windowZone)
    }

    /// Maintenance: the same as a pause, by the clock.
    func quiet() -> GateVerdict {
        guard let calendar = quietCalendar else { return open(.quiet, "no quiet times") }
        let names = explains ? calendar.windows.map(\.text).joined(separator: "; ") : ""
        guard calendar.isOpen(at: now.wall) else {
            return open(
                .quiet, "it is not the quiet time \(names)", closes: calendar.opening(from: now.wall))
        }
        let end = calendar.closing(after: now.wall)
        return closed(
            .quiet, "it is the quiet time \(names)" + (end.map { ", which ends \(at($0))" } ?? ""),
            until: end, remedy: "launch it now with `lull launch \(task)`")
    }

    /// A plugin that asks for a processing task again and again has it run at most half of the time.
    static let pause: Duration = .minutes(1)

    func rateLimit() -> GateVerdict {
        if isTimed { return open(.rateLimit, "it is launched at its times, however near they are") }
        if kind == .processing, request?.origin == .plugin { return pause(Self.pause) }
        if kind == .continued, request?.origin == .plugin { return continuedPace() }
        guard kind == .refresh, let gap = definition?.minGap else {
            return open(.rateLimit, "it holds for refresh and for what a plugin submits alone")
        }
        guard let last = appRecord?.lastRefresh, last <= now.wall, last + gap > now.wall else {
            return open(.rateLimit, "no refresh of its app in the last \(Phrase.span(gap))")
        }
        return closed(
            .rateLimit,
            "its app was refreshed \(at(last)), and \(Phrase.span(gap)) lie between two refreshes",
            since: last, until: last + gap, remedy: "launch it now with `lull launch \(task)`")
    }

    /// No person asks for so many: tasks that ask for each other would do nothing else.
    private func continuedPace() -> GateVerdict {
        let pace = "after \(ContinuedPace.atOnce) at once one each \(Phrase.span(ContinuedPace.gap))"
        guard let opening = appRecord?.continuedPace?.opening(at: now.wall) else {
            return open(.rateLimit, "its app has not had too many continued tasks launched: \(pace)")
        }
        return closed(
            .rateLimit, "its app has had many continued tasks launched: \(pace)",
            since: request?.submitted, until: opening, remedy: "launch it now with `lull launch \(task)`")
    }

    private func pause(_ least: Duration) -> GateVerdict {
        guard let record, let ended = record.lastEnded, ended <= now.wall else {
            return open(.rateLimit, "it has not run yet")
        }
        let pause = max(least, .milliseconds(record.lastMilliseconds ?? 0))
        guard ended + pause > now.wall else {
            return open(.rateLimit, "its last run ended \(Phrase.span(now.wall - ended)) ago")
        }
        let because = pause > least ? ", as long as the last run took," : ""
        return closed(
            .rateLimit,
            "the plugin asks for it again, and \(Phrase.span(pause))\(because) lies between the end of a run and the next",
            since: ended, until: ended + pause, remedy: "launch it now with `lull launch \(task)`")
    }

    func budget() -> GateVerdict {
        guard kind == .refresh else { return open(.budget, "it holds for refresh alone") }
        if isTimed { return open(.budget, "a launch at its time is not drawn from it") }
        if let share = definition?.freshShare {
            return open(
                .budget, "as many launches as it takes to be fresh for \(Phrase.share(share)) of the uses")
        }
        var spent: String {
            "\(host.spending.today(at: now.wall)) refresh launches in the last 24 h, of \(Phrase.number(host.budget)) a day on average"
        }
        let next = Budget(perDay: host.budget).nextLaunch(host.spending, at: now.wall)
        guard let next else { return open(.budget, spent) }
        guard next != .distantFuture else {
            return closed(
                .budget, "no refresh launches are budgeted", remedy: "raise `budget` in \(host.manifestPath)")
        }
        return closed(
            .budget, spent + ", and never more than twice that", until: next,
            remedy: "raise `budget` in \(host.manifestPath), or launch it now with `lull launch \(task)`")
    }

    func backoff() -> GateVerdict {
        if let setback = appRecord?.setback, setback.holds(at: now.wall, stamp: stamp) {
            return closed(
                .backoff, setback.reason, since: setback.at, until: setback.until,
                remedy: "try it now with `lull launch \(task)`")
        }
        if kind == .continued { return open(.backoff, "somebody waits for it: it is not held back") }
        let met = LimitMet(record, definition, kind: kind, manifestPath: host.manifestPath)
        if isTimed {
            return open(
                .backoff,
                (met.map { $0.sentence + "; " } ?? "")
                    + "it is launched at its times, also after a failure")
        }
        guard let failures = record?.failures, failures > 0, let failedAt = record?.failedAt,
            let retry = definition?.retry
        else {
            return open(.backoff, "its last run did not fail")
        }
        var until = failedAt + Backoff(retry: retry).delay(after: failures)
        if let met, let next = met.until(record?.lastLaunched, failedAt: failedAt), next > until {
            until = next
            if until > now.wall, failedAt <= now.wall {
                return closed(
                    .backoff,
                    "\(met.sentence), and it is not begun again before its next time",
                    since: failedAt, until: until,
                    remedy: "\(met.remedy), or try it now with `lull launch \(task)`")
            }
        }
        let times = failures == 1 ? "it failed" : "it failed \(failures) times in a row"
        // What it printed last stands with its last run.
        let failure = record?.lastReason.map { PrintedLast($0).sentence.withoutFullStop }
        // A failure in the future is a clock that was set back.
        guard until > now.wall, failedAt <= now.wall else {
            return open(.backoff, "\(times), long enough ago")
        }
        return closed(
            .backoff,
            times + (failure.map { " (\($0))" } ?? "")
                + ", and is tried again after \(Phrase.span(until - failedAt))",
            since: failedAt, until: until, remedy: "try it now with `lull launch \(task)`")
    }

    var isTaskFull: Bool {
        runsOfTask >= max(1, definition?.concurrency ?? 1)
            && !PlantedBug.passesOver(.concurrency).isPlanted
    }

    private var moreAtOnce: String {
        "raise `concurrency` in \(host.manifestPath), or launch it now with `lull launch \(task)`"
    }

    func concurrency() -> GateVerdict {
        if isTaskFull {
            return closed(
                .concurrency,
                runsOfTask == 1 ? "it is already running" : "\(runsOfTask) runs of it are under way",
                remedy: "wait for its end, or expire it with `lull expire \(task)`")
        }
        let ofApp = max(1, app?.concurrency ?? 1)
        if runsOfApp >= ofApp {
            return closed(
                .concurrency,
                "\(Phrase.count(runsOfApp, "run")) of its app \(runsOfApp == 1 ? "is" : "are") under way, and \(ofApp) may be at once",
                remedy: moreAtOnce)
        }
        if host.running >= host.concurrency {
            return closed(
                .concurrency,
                "\(Phrase.count(host.running, "run")) \(host.running == 1 ? "is" : "are") under way, and the host has at most \(host.concurrency) at once",
                remedy: moreAtOnce)
        }
        return open(.concurrency, "\(host.running) of \(host.concurrency) runs are under way")
    }
}
