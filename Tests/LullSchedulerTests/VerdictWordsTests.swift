import Foundation
import LullModel
import Testing

@testable import LullScheduler

/// The table of all gate facts, each with its sentence and its remedy.
struct VerdictWordsTests {
    typealias Row = (fact: GateFact, reason: String, remedy: String?)

    /// On Monday at 12:00.
    private static let now = WallTime.at(0, 12)
    private static let words = VerdictWords(
        task: Sample.refresh, app: Sample.feed, manifest: "jobs.yaml", now: now, zone: .utc,
        zoneOfTask: Zone(name: "Europe/Berlin", initialOffset: 3600))

    private static let launch = "launch it now with `lull launch com.example.Feed.refresh`"
    private static let retry = "try it now with `lull launch com.example.Feed.refresh`"
    private static let night = [Window(opens: 60, closes: 300, text: "01:00-05:00")]
    private static let met = LimitMet(
        {
            var record = TaskRecord(task: Sample.refresh, app: Sample.feed, touched: now)
            record.overLimit = 2
            record.limit = 90_000
            return record
        }(),
        Sample.definition(Sample.refresh, .processing) {
            $0.timeLimit = .seconds(90)
            $0.line = 12
        }, kind: .processing, manifestPath: "jobs.yaml")

    private static func plan(_ basis: Plan.Basis, _ launches: [PlannedLaunch]) -> Plan {
        Plan(made: now - .hours(2), look: now + .hours(9), launches: launches, basis: basis)
    }

    static let ofPolicy: [Row] = [
        (
            .permitted(.wildcard), "it is a wildcard, not an identifier of its own",
            "submit an identifier with something in the place of its asterisk"
        ),
        (
            .permitted(.notListed), "it is not in jobs.yaml",
            "add it to the tasks of its app in jobs.yaml"
        ),
        (
            .permitted(.takenOut([RunID(3)])), "it is no longer in jobs.yaml, and run 3 of it goes on",
            "end it with `lull stop com.example.Feed.refresh`, or wait until it has ended"
        ),
        (
            .permitted(.takenOut([RunID(3), RunID(4)])),
            "it is no longer in jobs.yaml, and runs 3 and 4 of it go on",
            "end it with `lull stop com.example.Feed.refresh`, or wait until it has ended"
        ),
        (
            .permitted(.kind(.processing, permitted: .refresh)),
            "its request is of kind processing, and jobs.yaml permits refresh",
            "submit it as refresh, or set `kind: processing` for it in jobs.yaml"
        ),
        (.permitted(.listed(.refresh, file: nil, line: 9)), "permitted as refresh at jobs.yaml:9", nil),
        (
            .permitted(.listed(.refresh, file: "jobs.d/feed.yaml", line: 9)),
            "permitted as refresh at jobs.d/feed.yaml:9", nil
        ),
        (.permitted(.listed(.refresh, file: nil, line: 0)), "permitted as refresh", nil),
        (
            .registered(.trouble("undefined symbol: sqlite3_open", plugin: "feed.so")),
            "the plugin can't be loaded: undefined symbol: sqlite3_open",
            "fix feed.so and reload the manifest, or try it with `lull launch com.example.Feed.refresh`"
        ),
        (
            .registered(.undiscovered(hostDiscovers: true)), "its app has not been discovered yet",
            "have it started now with `lull launch com.example.Feed.refresh`"
        ),
        (
            .registered(.undiscovered(hostDiscovers: false)), "its app has not been discovered yet",
            "start the host with `lull run`"
        ),
        (
            .registered(.changed(hostDiscovers: true)),
            "its app has not been started since its plugin or its entry in jobs.yaml was changed",
            "have it started now with `lull launch com.example.Feed.refresh`"
        ),
        (
            .registered(.noHandler), "the plugin registers no handler for it",
            "register com.example.Feed.refresh in the plugin before its start returns, or take it out of jobs.yaml"
        ),
        (
            .registered(.takesNoTransfers),
            "the plugin registers no handler for transfers",
            "register com.example.Feed.refresh in a plugin built with version 1.3 of the interface or later, or take `transfers` out of jobs.yaml"
        ),
        (
            .registered(.takesNoPushes), "the plugin registers no handler for pushes",
            "register com.example.Feed.refresh in a plugin built with version 1.2 of the interface or later, or take "
                + "`push` out of jobs.yaml"
        ),
        (.registered(.handler), "the plugin registered a handler for it", nil),
        (
            .registered(.handlerDespite(fault: "it wrote to the wire", at: now - .minutes(5))),
            "the plugin registered a handler for it; one of its workers ended 5 min ago: "
                + "it wrote to the wire", nil
        ),
        (
            .enabled(.app(by: nil)), "an operator has disabled com.example.Feed",
            "enable it with `lull enable com.example.Feed`"
        ),
        (
            .enabled(.task(by: "anna as root")), "anna as root has disabled it",
            "enable it with `lull enable com.example.Feed.refresh`"
        ),
        (
            .enabled(.appInManifest), "com.example.Feed is disabled in jobs.yaml",
            "remove `enabled: false` from the app in jobs.yaml"
        ),
        (
            .enabled(.taskInManifest), "it is disabled in jobs.yaml",
            "remove `enabled: false` from the task in jobs.yaml"
        ),
        (.enabled(.yes), "enabled", nil),
        (.paused(.no), "not paused", nil),
        (
            .paused(.by(Pause(.all, since: now))), "every task is paused",
            "end the pause with `lull resume --all`"
        ),
        (
            .paused(
                .by(
                    Pause(.task(Sample.refresh), since: now, until: .at(0, 18), reason: "by alice: backup"))),
            "it is paused by alice: backup, until 18:00",
            "end the pause with `lull resume com.example.Feed.refresh`"
        ),
    ]

    private static let use = GateFact.Sign(time: now - .days(3), isUse: true)
    private static let discovery = GateFact.Sign(time: now - .days(8), isUse: false)

    static let ofAsking: [Row] = [
        (.idleApp(.unknown), "Lull knows nothing of its app yet", nil),
        (.idleApp(.never), "`idle_after: never`: its app is never idle", nil),
        (.idleApp(.unseen), "its app has been neither used nor discovered yet", nil),
        (
            .idleApp(.inUse(use, until: .at(4, 12), byHostsClock: false)),
            "com.example.Feed was last used 3 d ago; unless it is used, this gate closes on Friday at 12:00, in 4 d",
            nil
        ),
        (
            .idleApp(.inUse(use, until: .at(4, 12), byHostsClock: true)),
            "com.example.Feed was last used 3 d ago; unless it is used, this gate closes after 4 d of the host's time, "
                + "on Friday at 12:00 at the earliest", nil
        ),
        (
            .idleApp(.idle(discovery, after: .days(7))),
            "com.example.Feed was discovered 8 d ago and has never been used, and is idle after 7 d",
            "use the app, or record a use with `lull used com.example.Feed`; "
                + "`lull launch com.example.Feed.refresh` passes over this"
        ),
        (
            .idleApp(.awaited(discovery, after: .days(7))),
            "com.example.Feed was discovered 8 d ago and has never been used, and is idle after 7 d; "
                + "somebody waits for this task", nil
        ),
        (
            .idleApp(.urgent(discovery, after: .days(7))),
            "com.example.Feed was discovered 8 d ago and has never been used, and is idle after 7 d; "
                + "an urgent push passes over this", nil
        ),
        (
            .idleApp(.transferred(discovery, after: .days(7))),
            "com.example.Feed was discovered 8 d ago and has never been used, and is idle after 7 d; "
                + "Lull still hands it the results of its transfers", nil
        ),
        (.requested(.wildcard), "a wildcard itself is never requested", nil),
        (
            .requested(.onceEnabled(byTimes: false)), "the host asks for it by `repeat` once it is enabled",
            nil
        ),
        (.requested(.onceEnabled(byTimes: true)), "the host asks for it by `at` once it is enabled", nil),
        (
            .requested(.nobody(isRunning: false, repeats: false, .refresh)),
            "nobody has asked for a launch",
            "ask for it with `lull submit com.example.Feed.refresh`, set `repeat` or `at` for it in jobs.yaml, "
                + "or submit it from the plugin"
        ),
        (
            .requested(.nobody(isRunning: true, repeats: false, .continued)),
            "it is running, and nobody has asked for another launch",
            "ask for it with `lull submit com.example.Feed.refresh`, or submit it from the plugin"
        ),
        (
            .requested(.nobody(isRunning: false, repeats: true, .refresh)),
            "nobody has asked for a launch yet", "ask for it with `lull submit com.example.Feed.refresh`"
        ),
        (.requested(.by(.plugin, .at(0, 11))), "the plugin asked for it at 11:00", nil),
        (
            .requested(.by(.repeat, .at(-1, 11))), "the host, for `repeat`, asked for it yesterday at 11:00",
            nil
        ),
        (.requested(.by(.at, .at(0, 11))), "the host, for `at`, asked for it at 11:00", nil),
        (.requested(.by(.operator, .at(0, 11))), "an operator asked for it at 11:00", nil),
        (.requested(.by(.operator, .at(0, 11), name: .some("anna"))), "anna asked for it at 11:00", nil),
        (.requested(.by(.event, .at(0, 11))), "the host, for `on`, asked for it at 11:00", nil),
        (
            .requested(.happened(TriggerEvent(.boot, at: .at(0, 11)), isAlone: true)),
            "the host was booted (at 11:00)", nil
        ),
        (
            .requested(.events([.init(trigger: .boot, watch: nil)], watched: nil, last: .at(0, 11))),
            "it waits for the next boot; the last came at 11:00",
            "launch it now with `lull launch com.example.Feed.refresh`"
        ),
        (
            .requested(.noTransfers(isRunning: false)),
            "the app has received the results of all transfers", nil
        ),
        (
            .requested(.noTransfers(isRunning: true)), "it is running, and no more transfers have ended", nil
        ),
        (
            .requested(.noPush(isRunning: false)), "no push has come",
            "push to it with `lull push com.example.Feed`"
        ),
        (
            .requested(.noPush(isRunning: true)), "it is running, and no other push has come",
            "push to it with `lull push com.example.Feed`"
        ),
        (
            .requested(.pushed(PushNote(payload: nil, merged: 2), .at(0, 11), urgencyLost: nil)),
            "a push came at 11:00, the newest of 3", nil
        ),
        (
            .requested(.pushed(PushNote(payload: nil, isUrgent: true), .at(0, 11), urgencyLost: nil)),
            "an urgent push came at 11:00", nil
        ),
        (
            .requested(.pushed(PushNote(payload: nil, isUrgent: true), .at(0, 11), urgencyLost: .at(0, 10))),
            "an urgent push came at 11:00, and is held as a silent one: com.example.Feed lost urgent pushes at 10:00, and "
                + "`lull push --restore com.example.Feed` allows them again", nil
        ),
        (.shuttingDown(false), "the host is in service", nil),
        (
            .shuttingDown(true), "the host is shutting down",
            "start the host again with `lull run` when it has ended"
        ),
    ]

    static let ofTime: [Row] = [
        (.earliestBegin(.any), "no earliest begin date", nil),
        (.earliestBegin(.passed(.at(0, 8))), "not before 08:00, which has passed", nil),
        (.earliestBegin(.at(.at(1, 8))), "not before Tuesday 08:00, in 20 h", launch),
        (
            .earliestBegin(.nextBoot),
            "it runs once each time the machine boots, and waits for the next boot", launch
        ),
        (.earliestBegin(.booted), "the host was booted", nil),
        (
            .earliestBegin(.nextTime(.at(1, 1), shift: .zero)),
            "its next time is 02:00 tomorrow (Europe/Berlin), in 13 h", launch
        ),
        (
            .earliestBegin(.nextTime(.at(1, 1), shift: .seconds(90))),
            "its next time is 02:00 tomorrow (Europe/Berlin), in 13 h, with the 1 min 30 s that `spread` shifts it on "
                + "this host", launch
        ),
        (
            .earliestBegin(
                .nextOpenTime(
                    .at(1, 1), shift: .zero,
                    .excepted(day: 20_812, name: "Christmas Day", file: "h.ics"))),
            "its next time is 02:00 tomorrow (Europe/Berlin), in 13 h; 25 Dec is Christmas Day in h.ics",
            launch
        ),
        (
            .earliestBegin(.nextAttempt(Attempt(2, of: 3), .at(0, 13))),
            "it failed, and attempt 2 of 3 is at 14:00 today (Europe/Berlin), in 1 h", launch
        ),
        (
            .earliestBegin(.timeCome(.at(0, 11))), "its time, 12:00 today (Europe/Berlin), has come", nil
        ),
        (
            .earliestBegin(.timeMissed(.at(0, 11), .one)),
            "its time, 12:00 today (Europe/Berlin), was missed 1 h ago; Lull makes up for all missed times with one "
                + "launch, as soon as possible", nil
        ),
        (
            .earliestBegin(.timeMissed(.at(0, 11), .all)),
            "its time, 12:00 today (Europe/Berlin), was missed 1 h ago; Lull makes up for it, and for each later one, as "
                + "soon as possible", nil
        ),
        (
            .earliestBegin(.timeMissed(.at(0, 11), .skip)),
            "its time, 12:00 today (Europe/Berlin), was missed 1 h ago; it is skipped", nil
        ),
        (.window(.none), "no windows: at any time", nil),
        (.window(.urgent), "an urgent push passes over this", nil),
        (.window(.open(night)), "it is within 01:00-05:00", nil),
        (.day(.open(20_780)), "23 Nov is an open day", nil),
        (
            .day(.begun(.at(0, 10))), "its time, 11:00 today (Europe/Berlin), came on an open day", nil
        ),
        (
            .day(.closed(.excepted(day: 20_812, name: "Christmas Day", file: "h.ics"), until: .at(1, 0))),
            "25 Dec is Christmas Day in h.ics; it opens at 01:00 tomorrow (Europe/Berlin)", launch
        ),
        (
            .day(.closed(.excepted(day: 20_812, name: nil, file: "h.ics"), until: nil)),
            "25 Dec is in h.ics", launch
        ),
        (
            .day(.closed(.excepted(day: 20_812, name: nil, file: nil), until: nil)),
            "25 Dec is excepted", launch
        ),
        (
            .day(.closed(.notListed(day: 20_812), until: nil)), "25 Dec is not a day of `only`", launch
        ),
        (
            .day(.closed(.before(first: 20_812), until: .at(2, 0))),
            "its first day is 2026-12-25; it opens at 01:00 on Wednesday (Europe/Berlin)", launch
        ),
        (
            .day(.closed(.after(last: 20_770), until: nil)), "its last day was 2026-11-13", launch
        ),
        (
            .requested(.noTimeLeft), "none of its times is still to come",
            "give it later times or days in jobs.yaml, or ask for it with `lull submit com.example.Feed.refresh`"
        ),
        (
            .window(.closed(night, until: .at(1, 1))),
            "it is outside 01:00-05:00, which opens tomorrow at 01:00", launch
        ),
        (.window(.closed(night + night, until: nil)), "it is outside 01:00-05:00; 01:00-05:00", launch),
        (.quiet(.none), "no quiet times", nil),
        (.quiet(.urgent), "an urgent push passes over this", nil),
        (.quiet(.open(night)), "it is not the quiet time 01:00-05:00", nil),
        (
            .quiet(.closed(night, until: .at(0, 17))),
            "it is the quiet time 01:00-05:00, which ends at 17:00", launch
        ),
        (.rateLimit(.timed), "it is launched at its times, however close together they are", nil),
        (.rateLimit(.unlimited), "it applies only to refresh and to what a plugin submits", nil),
        (.rateLimit(.urgent), "an urgent push passes over this", nil),
        (
            .rateLimit(.pushes(1, quota: 3, span: .hours(1))),
            "1 silent push was delivered in the last 1 h, of 3 allowed", nil
        ),
        (
            .rateLimit(.pushes(3, quota: 3, span: .hours(1))),
            "3 silent pushes were delivered in the last 1 h, of 3 allowed",
            "raise `push: { quota }` in jobs.yaml, or " + launch
        ),
        (.rateLimit(.rested(.minutes(15))), "no refresh of its app in the last 15 min", nil),
        (
            .rateLimit(.refreshed(.at(0, 11, 50), gap: .minutes(15))),
            "its app was refreshed at 11:50, and 15 min must pass between two refreshes", launch
        ),
        (
            .rateLimit(.continued(isTooFast: false)),
            "its app has not had too many continued tasks launched: after a burst of 10, one every 10 s", nil
        ),
        (
            .rateLimit(.continued(isTooFast: true)),
            "its app has had many continued tasks launched: after a burst of 10, one every 10 s", launch
        ),
        (.rateLimit(.neverRan), "it has not run yet", nil),
        (.rateLimit(.ended(.at(0, 11))), "its last run ended 1 h ago", nil),
        (
            .rateLimit(.pausing(.minutes(1), isAsLongAsRun: false)),
            "the plugin asks for it again, and 1 min must pass between the end of a run and the next", launch
        ),
        (
            .rateLimit(.pausing(.minutes(10), isAsLongAsRun: true)),
            "the plugin asks for it again, and 10 min, as long as the last run took, must pass between the end of a run and "
                + "the next", launch
        ),
        (
            .rateLimit(.fed(6, pause: .seconds(10))),
            "files came 6 times in a row while it ran or just after, so 10 s must pass between the end of a run and the next: "
                + "perhaps it writes the files that start it",
            "let it write elsewhere, or let `on` name only files that others bring (`path: /srv/in/*.csv`)"
        ),
        (.budget(.noRefresh), "it applies only to refresh and to processing that a plugin submits", nil),
        (.budget(.asked), "its app has launches left for the processing that it submits", nil),
        (
            .budget(.askedTooOften(perDay: 16)),
            "its app has used up the processing launches that it may submit: 16 a day",
            "raise `budget` in jobs.yaml, or " + launch
        ),
        (.budget(.timed), "a launch at its time does not count", nil),
        (
            .budget(.asFresh(0.9)), "as many launches as it takes to be fresh for 90 % of the uses", nil
        ),
        (.budget(.some(3, perDay: 8)), "3 refresh launches in the last 24 h, of 8 a day on average", nil),
        (
            .budget(.tooMuch(16, perDay: 8)),
            "16 refresh launches in the last 24 h, of 8 a day on average, and never more than twice that",
            "raise `budget` in jobs.yaml, or \(launch)"
        ),
        (.budget(.nothingBudgeted), "no refresh launches are budgeted", "raise `budget` in jobs.yaml"),
        (.costLimit(.unlimited), "no cost limit", nil),
        (.costLimit(.urgent), "an urgent push passes over this", nil),
        (
            .costLimit(
                .some(
                    .init(
                        limit: CostLimit(.written, 5 << 30, span: .days(30)), cost: 3 << 20, isOfHost: false))
            ),
            "com.example.Feed has written 3 MiB in the last 30 d, and may write 5 GiB", nil
        ),
        (
            .costLimit(
                .tooMuch(
                    .init(
                        limit: CostLimit(.processor, 600_000, span: .days(1)), cost: 612_000, isOfHost: false)
                )),
            "com.example.Feed has used 10 min 12 s of the processor in the last 24 h, and may use 10 min",
            "raise the `cost_limit` of com.example.Feed in jobs.yaml, or \(launch)"
        ),
        (
            .costLimit(
                .tooMuch(
                    .init(limit: CostLimit(.read, 5 << 30, span: .hours(2)), cost: 6 << 30, isOfHost: true))),
            "all apps together have read 6 GiB in the last 2 h, and may read 5 GiB",
            "raise the `cost_limit` at the top in jobs.yaml, or \(launch)"
        ),
    ]

    static let ofRuns: [Row] = [
        (.backoff(.startFailure("its worker was killed")), "its worker was killed", retry),
        (.backoff(.awaited), "somebody waits for it: it is not held back", nil),
        (.backoff(.timed), "it is launched at its times, also after a failure", nil),
        (
            .backoff(met.map { .timedOverLimit($0) } ?? .no),
            "its last 2 runs were ended by their time limit of 1 min 30 s; it is launched at its times, also after a failure",
            nil
        ),
        (.backoff(.no), "its last run did not fail", nil),
        (.backoff(.longAgo(1)), "it failed, long enough ago", nil),
        (
            .backoff(.again(3, after: .minutes(2))),
            "it failed 3 times in a row, and runs no sooner than 2 min after that", retry
        ),
        (
            .backoff(.attempt(Attempt(2, of: 3), after: .seconds(20))),
            "it failed, and attempt 2 of 3 begins no sooner than 20 s after that", retry
        ),
        (
            .backoff(met.map { .overLimit($0) } ?? .no),
            "its last 2 runs were ended by their time limit of 1 min 30 s, and Lull does not run it again before its next time",
            "raise `time_limit` at jobs.yaml:12, or \(retry)"
        ),
        (
            .concurrency(.runs(1)), "it is already running",
            "wait for its end, or end it with `lull stop com.example.Feed.refresh`"
        ),
        (
            .concurrency(.runs(2)), "2 runs of it are under way",
            "wait for its end, or end it with `lull stop com.example.Feed.refresh`"
        ),
        (
            .concurrency(
                .group(.init(name: "db", most: 1, runs: 1, holder: Sample.otherWork, since: .at(0, 11)))),
            "it waits for com.example.Other.work, which has had the group db since 11:00",
            "wait for its end, end it with `lull stop com.example.Other.work`, or write `groups: { db: 2 }` at the top of jobs.yaml"
        ),
        (
            .concurrency(
                .group(.init(name: "db", most: 2, runs: 2, holder: Sample.otherWork, since: .at(0, 11)))),
            "2 runs of the group db are under way, which is the limit; the first is com.example.Other.work, since 11:00",
            "wait for its end, end it with `lull stop com.example.Other.work`, or write `groups: { db: 3 }` at the top of jobs.yaml"
        ),
        (
            .concurrency(.app(1, most: 1)), "1 run of its app is under way, and the app may have 1 at once",
            "raise `concurrency` in jobs.yaml, or \(launch)"
        ),
        (
            .concurrency(.host(4, most: 4)), "4 runs are under way, and the host has at most 4 at once",
            "raise `concurrency` in jobs.yaml, or \(launch)"
        ),
        (.concurrency(.left(1, most: 4)), "1 of 4 runs are under way", nil),
        (
            .folder(.filledDisk("com.example.Feed has filled the disk")),
            "com.example.Feed has filled the disk",
            "delete what it does not need, or free room elsewhere on that disk; "
                + "`lull launch com.example.Feed.refresh` passes over this"
        ),
        (.folder(.unlimited), "its app's folder has no limit", nil),
        (.folder(.unseen), "Lull has not measured its app's folder yet", nil),
        (
            .folder(.tooMuch(FolderUse(bytes: 3 << 30, isWhole: false), limit: 1 << 30)),
            "com.example.Feed keeps at least 3 GiB in its folder, and its `limits: { disk }` is 1 GiB",
            "delete what it does not need there, or raise `disk` in its `limits` in jobs.yaml; "
                + "`lull launch com.example.Feed.refresh` passes over this, so that it can tidy up itself"
        ),
        (
            .folder(.within(FolderUse(bytes: 1 << 20), limit: 1 << 30)),
            "com.example.Feed keeps 1 MiB of 1 GiB in its folder", nil
        ),
    ]

    private static let forecast = Plan.Basis.forecast(
        value: 0.3, price: LaunchPrice(objective: .hits, amount: 0.4))

    static let ofMoments: [Row] = [
        (.moment(.otherGates), "Lull judges it once the other gates are open", nil),
        (.moment(.notListed), "not in the manifest", nil),
        (.moment(.exact), "its time has come, and `at` is exact: at once", nil),
        (
            .moment(.starved(open: .hours(50), bound: .days(2))),
            "its gates have been open for 2 d 2 h, and it waits for 2 d at most", nil
        ),
        (.moment(.happened), "an event asked for it: at once", nil),
        (.moment(.operatorAsked), "an operator asked for it: at once", nil),
        (.moment(.somebodyWaits), "somebody waits for it: at once", nil),
        (.moment(.urgent), "an urgent push is delivered at once", nil),
        (.moment(.hostIdle), "the host is idle", nil),
        (.moment(.anyHost), "it does not wait for an idle host", nil),
        (.moment(.notSensed), "the host's conditions are not sensed yet", nil),
        (
            .moment(.quiet(.untouched(.hours(2)))),
            "a quiet moment: nobody has touched the host for 2 h", nil
        ),
        (
            .moment(.noisy(.touched(.minutes(1)), latest: .at(1, 8))),
            "it waits for a quieter moment (the host was touched 1 min ago, and is idle after 5 min), at the latest "
                + "Tuesday 08:00", "set `idle: false` under its `requires`, or \(launch)"
        ),
        (.moment(.neverSucceeded), "it has never succeeded yet: at once", nil),
        (
            .moment(.likelyUse(0.72, within: .hours(1))),
            "a use within 1 h is 72 % likely, and no better moment is near", nil
        ),
        (
            .moment(.evenly(.hours(3))),
            "little is known yet of when its app is used, so it is refreshed every 3 h", nil
        ),
        (.moment(.revived), "its app was idle and is used again: at once", nil),
        (
            .moment(
                .planned(
                    plan(forecast, [PlannedLaunch(time: .at(0, 20), chance: 0.6)]), fresh: .hours(1),
                    latest: .at(2, 8))),
            "it was planned at 10:00: the next launch is planned for 20:00, unless its app is used before; then a use "
                + "within 1 h is 60 % likely; it waits until Wednesday 08:00 at most", launch
        ),
        (
            .moment(.planned(plan(forecast, []), fresh: .hours(1), latest: .at(2, 8))),
            "it was planned at 10:00: a use within 1 h is 30 % likely, and no launch in the next two days is worth its "
                + "price (a launch is worth it if it makes fresh data at least 40 % likelier); it waits until "
                + "Wednesday 08:00 at most", launch
        ),
        (
            .moment(
                .planned(
                    plan(.cadence(.hours(3)), [PlannedLaunch(time: .at(0, 14), chance: 0)]),
                    fresh: .hours(1), latest: .at(2, 8))),
            "little is known yet of when its app is used, so it is refreshed every 3 h, next at 14:00",
            "record uses with `lull used com.example.Feed`, or \(launch)"
        ),
    ]

    private static let conditions: [(fact: ConditionFact, reason: String, deed: String?)] = [
        (.notRequired, "not required", nil),
        (.notSensed, "the host's conditions are not sensed yet", nil),
        (
            .noNetwork(.any), "there is no network, and the task requires one",
            "connect the host to a network"
        ),
        (
            .noNetwork(.unmetered), "there is no network, and the task requires one",
            "connect the host to an unmetered network"
        ),
        (
            .metered(.unmetered), "the network is metered, and the task requires an unmetered one",
            "connect the host to an unmetered network"
        ),
        (.metered(.any), "the network is metered, which this task allows", "connect the host to a network"),
        (.unmetered, "the network is unmetered", "connect the host to a network"),
        (
            .unknownNetwork("no netlink"), "network: unknown (no netlink), counted as none",
            "make sure that Lull can read what it names"
        ),
        (.externalPower, "the host is on external power", "connect the host to external power"),
        (
            .batteryPower, "the host runs on battery, and the task requires external power",
            "connect the host to external power"
        ),
        (
            .unknownPower("no adapter"), "external power: unknown (no adapter), counted as battery power",
            "make sure that Lull can read what it names"
        ),
        (
            .charge(0.1, above: 0.2), "the battery is at 10 %, and the task requires more than 20 %",
            "charge the battery"
        ),
        (
            .noBattery("no battery"), "battery: unknown (no battery), counted as external power",
            "charge the battery"
        ),
        (
            .unknownBattery("BAT0/capacity is empty"),
            "battery: unknown (BAT0/capacity is empty), counted as empty",
            "make sure that Lull can read what it names"
        ),
        (
            .inUse, "somebody is using the host: a terminal or session was used in the last few minutes",
            "leave the host alone"
        ),
        (.untouched(.hours(2)), "nobody has touched the host for 2 h", "leave the host alone"),
        (
            .touched(.minutes(1)), "the host was touched 1 min ago, and is idle after 5 min",
            "leave the host alone"
        ),
        (
            .byLoad("no seat", 0.7, pressure: 0.25),
            "presence: unknown (no seat), judged by load (0.7 per core, pressure 25 %)",
            "leave the host alone"
        ),
        (
            .load(2, below: 0.5), "the load is 2 per core, and the task requires less than 0.5",
            "stop what keeps the host busy"
        ),
        (
            .diskFree(1 << 29, required: 1 << 30),
            "512 MiB of disk are free, and the task requires 1 GiB",
            "free space on the disk of the state folder"
        ),
    ]

    static var ofConditions: [Row] {
        conditions.map { (.condition(.load, $0.fact), $0.reason, $0.deed.map { $0 + ", or " + launch }) }
    }

    static let ofFleet: [Row] = [
        (.fleet(.unshared), "each host of the fleet runs it for itself", nil),
        (.fleet(.askedHere), "it was asked for on this host", nil),
        (.fleet(.holds(7)), "this host has its slot in the fleet (lease 7)", nil),
        (
            .fleet(.claims), "this host asks the fleet for its slot as soon as its other gates are open", nil
        ),
        (
            .fleet(.asking), "this host has asked the fleet for its slot, and waits for the answer", nil
        ),
        (
            .fleet(.lacks(label: "zone", wanted: "b", has: "a")),
            "it runs on hosts with the label `zone: b`, but this one has `zone: a`",
            "give this host the label under `fleet: { labels }` in jobs.yaml, or \(launch)"
        ),
        (
            .fleet(.lacks(label: "zone", wanted: "b", has: nil)),
            "it runs on hosts with the label `zone: b`, but this one has no `zone`",
            "give this host the label under `fleet: { labels }` in jobs.yaml, or \(launch)"
        ),
        (
            .fleet(.better(0.9, own: 0.4, until: now + .seconds(15))),
            "another host has a better moment (90 %, here 40 %): unless it takes the slot, this host asks for it at 12:00",
            nil
        ),
        (.fleet(.turn(until: now)), "this host asks the fleet for its slot at 12:00", nil),
        (
            .fleet(.elsewhere("b12", since: .at(0, 11, 50), until: .at(0, 12, 1))),
            "b12 has been running it since 11:50; this host asks again at 12:01 if b12 has not answered by then",
            nil
        ),
        (
            .fleet(.notDue(until: .at(0, 12, 40))),
            "by the clock of the fleet's database it is not due before 12:40", nil
        ),
        (
            .fleet(.full(["b12", "b13"], most: 2, until: now)),
            "b12 and b13 run it, and the fleet allows 2 runs at once", nil
        ),
        (
            .fleet(.full([], most: 2, until: now)),
            "other hosts run it, and the fleet allows 2 runs at once", nil
        ),
        (
            .fleet(.differs(["b12"], until: now)),
            "b12 has another definition of it, and its slot was made from that",
            "make the manifests agree: `lull fleet status` shows which host has which"
        ),
        (
            .fleet(.refused("no function", until: .at(0, 12, 1))),
            "the fleet's database answered: no function; this host asks again at 12:01", nil
        ),
        (
            .fleet(.draining(.init())), "this host is drained, and takes no slots of the fleet",
            "end the drain with `lull fleet resume`, or \(launch)"
        ),
        (
            .fleet(.draining(.init(by: "ops@desk", reason: "new disk", until: .at(0, 18)))),
            "this host is drained by ops@desk until 18:00 (new disk), and takes no slots of the fleet",
            "end the drain with `lull fleet resume`, or \(launch)"
        ),
        (
            .fleet(.never(since: .at(0, 11, 58))),
            "the fleet's database has not answered since 11:58; tasks that need it wait, the others run",
            "see `lull fleet status`, or \(launch)"
        ),
        (
            .fleet(.away(since: .at(0, 11, 57), "connection refused")),
            "the fleet's database has not answered for 3 min (connection refused); tasks that need it wait, the others run",
            "see `lull fleet status`, or \(launch)"
        ),
    ]

    static var rows: [Row] { ofFleet + ofPolicy + ofAsking + ofTime + ofRuns + ofMoments + ofConditions }

    @Test func `each fact has its sentence and its remedy`() {
        for row in Self.rows {
            let words = Self.words.words(for: row.fact)
            #expect(words.reason == row.reason)
            #expect(words.remedy == row.remedy, "\(row.fact)")
        }
    }

    @Test func `the table has a row for each fact that there is`() throws {
        let facts = try FactCases(of: ["GateFact", "ConditionFact"])
        let rows = Set(Self.rows.map { FactCases.name(of: $0.fact) })
        #expect(facts.names.subtracting(rows).isEmpty)
        #expect(facts.names.count > 80)
    }
}

/// The names of the facts, read from their source: an enum with values has no synthesized list of its cases.
private struct FactCases {
    private(set) var names: Set<String> = []

    init(of files: [String]) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var cases: [String: [(name: String, values: String)]] = [:]
        var type = ""
        let lines = try files.flatMap { file in
            let url = root.appending(path: "Sources/Core/LullScheduler/Verdicts/\(file).swift")
            return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        }
        for line in lines {
            if let match = line.firstMatch(of: /(enum|struct) (\w+)/) { type = String(match.2) }
            guard let match = line.firstMatch(of: /^ +(?:indirect )?case (\w+)(\(.*\))?(.*)$/) else {
                continue
            }
            // The cases of a switch.
            if match.3.contains(":") { continue }
            let others = match.3.split(separator: /[ ,]+/).map { (String($0), "") }
            cases[type, default: []] += [(String(match.1), match.2.map(String.init) ?? "")] + others
        }
        for (gate, values) in cases["GateFact"] ?? [] {
            let type = values.matches(of: /\w+/).last.map { String($0.output) } ?? ""
            // A type without cases has two values.
            names.formUnion((cases[type] ?? [("true", ""), ("false", "")]).map { gate + "." + $0.name })
        }
    }

    static func name(of fact: GateFact) -> String {
        guard let gate = Mirror(reflecting: fact).children.first, let name = gate.label else { return "" }
        let value =
            Mirror(reflecting: gate.value).displayStyle == .tuple
            ? Mirror(reflecting: gate.value).children.map(\.value).last ?? gate.value : gate.value
        return name + "." + (Mirror(reflecting: value).children.first?.label ?? "\(value)")
    }
}
