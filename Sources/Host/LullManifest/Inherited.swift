import LullModel

/// The values that tasks take from their app, and apps from `defaults`: the nearest value that is given holds.
///
/// Inside of `requires`, `retry`, `grace` and `limits` this applies to each key.
struct Inherited {
    var requires = Requirements.none
    var windows: [Window] = []
    var quiet: [Window] = []
    var except = DayList()
    /// Nil: all days.
    var only: DayList?
    var from: Int?
    var until: Int?
    var timezone: String?
    var timeLimit: Duration?
    var whileRunning: TaskDefinition.WhileRunning?
    /// Nil for 5 s, or 0 s for a command, but at most half of the time limit.
    var warning: Duration?
    var grace: Duration = .seconds(5)
    var budget = Amount.launches(8)
    /// Nil for the objective that suits the budget.
    var objective: Objective?
    var minGap: Duration = .minutes(15)
    var retry = TaskDefinition.Retry()
    var latest: Duration?
    var priority = 0
    var nice = 0
    var ionice = IOUrgency.normal
    var leaves = WhatIsLeft.ended
    /// Nil: none.
    var group: String?
    var missed = MissedTimes.one
    var spread: Duration = .zero
    var tolerance: Duration = .minutes(5)
    var notify: [NoticeSink] = []
    /// Without `concurrency`, which only the task itself can give.
    var fleet = FleetRules.none

    // Of apps alone.
    var idleAfter: Duration? = .days(7)
    var idleClock = App.IdleClock.wall
    var keepWarm: Duration = .minutes(10)
    var concurrency = 4
    var user: String?
    var limits = AppLimits()

    /// The longest time that the history goes back.
    static let longest: Duration = .days(400)
}

/// A key that tasks take from their app, and apps from `defaults`: how it is read, how it is given to a task, and how a diff
/// writes it. Decoder, places, schema and manual use these tables, and so does the diff of tasks; `ManifestDiff.words(of:)`
/// has the diff of apps.
struct InheritedKey: Sendable {
    typealias Read = @Sendable (inout ManifestDecoder, ManifestDecoder.Entry, inout Inherited) -> Void
    typealias Give = @Sendable (TaskDraft, inout TaskDefinition) -> Void
    /// No words if the key has no effect on a task of its kind.
    typealias Say = @Sendable (TaskDefinition) -> ManifestDiff.Words

    let key: Key
    let read: Read
    let give: Give
    let say: Say

    init(
        _ key: Key, _ read: @escaping Read, give: @escaping Give = { _, _ in },
        say: @escaping Say = { _ in [] }
    ) {
        (self.key, self.read, self.give, self.say) = (key, read, give, say)
    }

    static let byKey = Dictionary(uniqueKeysWithValues: (ofTasks + ofApps).map { ($0.key, $0) })

    /// In the order of the manual.
    static let ofTasks: [InheritedKey] = {
        var keys: [InheritedKey] = []
        func add(_ key: Key, _ read: @escaping Read, give: @escaping Give, say: @escaping Say) {
            keys.append(InheritedKey(key, read, give: give, say: say))
        }
        add(.requires) { decoder, entry, values in
            decoder.requires(entry, into: &values.requires)
        } give: {
            $1.requires = $0.inherited.requires
        } say: { task in
            RequirementKey.all.map { ("requires." + $0.key.rawValue, $0.say(task.requires)) }
        }
        add(.whileRunning) { decoder, entry, values in
            values.whileRunning = decoder.choice(entry) ?? values.whileRunning
        } give: {
            $1.whileRunning = $0.inherited.whileRunning ?? ($0.isCommand ? .goOn : .end)
        } say: {
            [("while_running", $0.whileRunning.rawValue)]
        }
        add(.windows) { decoder, entry, values in
            values.windows = decoder.windows(entry)
        } give: {
            $1.windows = $0.inherited.windows
        } say: {
            [("windows", $0.windows.isEmpty ? nil : ManifestDiff.list($0.windows.map(\.text)))]
        }
        add(.quiet) { decoder, entry, values in
            values.quiet = decoder.windows(entry)
        } give: {
            $1.quiet = $0.inherited.quiet
        } say: {
            [("quiet", $0.quiet.isEmpty ? nil : ManifestDiff.list($0.quiet.map(\.text)))]
        }
        keys += ofDays
        add(.timezone) { decoder, entry, values in
            values.timezone = decoder.timezone(entry) ?? values.timezone
        } give: {
            $1.timezone = $0.inherited.timezone
        } say: {
            [("timezone", $0.timezone)]
        }
        add(.timeLimit) { decoder, entry, values in
            values.timeLimit = decoder.duration(entry, in: .seconds(1) ... .days(1)) ?? values.timeLimit
        } give: {
            $1.timeLimit = $0.timeLimit(of: $1.kind)
        } say: {
            [("time_limit", $0.timeLimit.map(ManifestDiff.span))]
        }
        add(.grace) { decoder, entry, values in
            decoder.grace(entry, into: &values)
        } give: {
            // A command can only end at a warning.
            let usual: Duration = $0.isCommand ? .zero : .seconds(5)
            $1.warning = $0.inherited.warning ?? min(usual, ($1.timeLimit ?? .days(1)) / 2)
            $1.grace = $0.inherited.grace
        } say: {
            [("grace.warning", ManifestDiff.span($0.warning)), ("grace.kill", ManifestDiff.span($0.grace))]
        }
        add(.budget) { decoder, entry, values in
            values.budget = decoder.budget(entry) ?? values.budget
        } give: {
            $0.inherited.budget.give(to: &$1)
        } say: { task in
            let share = task.freshShare.map {
                "{ fresh: \(ManifestDiff.share($0)), within: \(ManifestDiff.span(task.fresh)) }"
            }
            return [.refresh, .processing].contains(task.kind)
                ? [("budget", share ?? QuantityText.plain(task.budget))] : []
        }
        add(.objective) { decoder, entry, values in
            values.objective = decoder.choice(entry) ?? values.objective
        } give: {
            $1.objective = $0.inherited.objective ?? $1.objective
        } say: {
            $0.kind == .refresh ? [("objective", $0.objective.rawValue)] : []
        }
        add(.minGap) { decoder, entry, values in
            values.minGap = decoder.duration(entry, in: .zero ... .days(7)) ?? values.minGap
        } give: {
            $1.minGap = $0.inherited.minGap
        } say: {
            $0.kind == .refresh ? [("min_gap", ManifestDiff.span($0.minGap))] : []
        }
        add(.retry) { decoder, entry, values in
            decoder.retry(entry, into: &values.retry)
        } give: {
            $1.retry = $0.inherited.retry
        } say: {
            let (first, max) = (ManifestDiff.span($0.retry.first), ManifestDiff.span($0.retry.max))
            let attempts = $0.retry.attempts.map { "attempts: \($0), " } ?? ""
            let codes = $0.retry.exitCodes.map {
                ", exit_codes: [\($0.map(String.init).joined(separator: ", "))]"
            }
            return [("retry", "{ \(attempts)first: \(first), max: \(max)\(codes ?? "") }")]
        }
        add(.latest) { decoder, entry, values in
            values.latest = decoder.duration(entry, in: .seconds(1)...Inherited.longest) ?? values.latest
        } give: {
            $1.latest = $0.inherited.latest
        } say: {
            [("latest", $0.latest.map(ManifestDiff.span))]
        }
        add(.priority) { decoder, entry, values in
            values.priority = decoder.integer(entry, in: -100...100) ?? values.priority
        } give: {
            $1.priority = $0.inherited.priority
        } say: {
            [("priority", String($0.priority))]
        }
        add(.nice) { decoder, entry, values in
            values.nice = decoder.integer(entry, in: -20...19) ?? values.nice
        } give: {
            $1.nice = $0.inherited.nice
        } say: {
            [("nice", String($0.nice))]
        }
        add(.ionice) { decoder, entry, values in
            values.ionice = decoder.choice(entry) ?? values.ionice
        } give: {
            $1.ionice = $0.inherited.ionice
        } say: {
            [("ionice", $0.ionice.rawValue)]
        }
        add(.group) { decoder, entry, values in
            decoder.group(entry, into: &values.group)
        } give: {
            $1.group = $0.inherited.group
        } say: {
            [("group", $0.group)]
        }
        add(.leaves) { decoder, entry, values in
            values.leaves = decoder.choice(entry) ?? values.leaves
        } give: {
            $1.leaves = $0.inherited.leaves
        } say: {
            [("leaves", $0.leaves.rawValue)]
        }
        add(.missed) { decoder, entry, values in
            values.missed = decoder.choice(entry) ?? values.missed
        } give: {
            $1.missed = $0.inherited.missed
        } say: {
            $0.at == nil ? [] : [("missed", $0.missed.rawValue)]
        }
        add(.spread) { decoder, entry, values in
            values.spread = decoder.duration(entry, in: .zero ... .days(1)) ?? values.spread
        } give: {
            $1.spread = $0.inherited.spread
        } say: {
            $0.at == nil ? [] : [("spread", ManifestDiff.span($0.spread))]
        }
        add(.tolerance) { decoder, entry, values in
            values.tolerance = decoder.duration(entry, in: .zero ... .days(7)) ?? values.tolerance
        } give: {
            $1.tolerance = $0.inherited.tolerance
        } say: {
            $0.at == nil ? [] : [("tolerance", ManifestDiff.span($0.tolerance))]
        }
        add(.notify) { decoder, entry, values in
            values.notify = decoder.notify(entry) ?? values.notify
        } give: {
            $1.notify = $0.inherited.notify
        } say: {
            [("notify", ManifestDiff.notify($0.notify))]
        }
        add(.scope) { decoder, entry, values in
            values.fleet.scope = decoder.scope(entry) ?? values.fleet.scope
        } give: {
            $1.fleet = $0.fleetRules(of: $1)
        } say: {
            [("scope", $0.fleet.scope.rawValue)]
        }
        add(.hosts) { decoder, entry, values in
            decoder.hosts(entry, into: &values.fleet)
        } give: { _, _ in
        } say: {
            [
                ("hosts.labels", $0.fleet.labels.isEmpty ? nil : ManifestDiff.labels($0.fleet.labels)),
                ("hosts.spread", $0.fleet.spread),
            ]
        }
        add(.prefer) { decoder, entry, values in
            values.fleet.prefer = decoder.prefer(entry) ?? values.fleet.prefer
        } give: { _, _ in
        } say: {
            [("prefer", $0.fleet.prefer?.rawValue)]
        }
        add(.lease) { decoder, entry, values in
            decoder.needsFleet(.lease, at: entry.keyNode)
            values.fleet.lease = decoder.duration(entry, in: FleetTimes.leases) ?? values.fleet.lease
        } give: { _, _ in
        } say: {
            [("lease", $0.fleet.lease.map(ManifestDiff.span))]
        }
        return keys
    }()

    /// The keys that apps alone take from `defaults`.
    static let ofApps: [InheritedKey] = [
        // A refused value will be corrected, so nothing is reported about the default in its place.
        InheritedKey(.idleAfter) { decoder, entry, values in
            values.idleAfter = decoder.durationOrNever(entry, in: .seconds(1)...Inherited.longest) ?? nil
        },
        InheritedKey(.idleClock) { decoder, entry, values in
            values.idleClock = decoder.choice(entry) ?? values.idleClock
        },
        InheritedKey(.keepWarm) { decoder, entry, values in
            values.keepWarm = decoder.duration(entry, in: .zero ... .days(1)) ?? values.keepWarm
        },
        InheritedKey(.concurrency) { decoder, entry, values in
            values.concurrency = decoder.integer(entry, in: 1...1000) ?? values.concurrency
        },
        InheritedKey(.user) { decoder, entry, values in
            values.user = decoder.userName(entry) ?? values.user
        },
        InheritedKey(.limits) { decoder, entry, values in
            decoder.limits(entry, into: &values.limits)
        },
    ]
}
