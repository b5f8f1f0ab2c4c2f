import LullModel

/// What tasks take from their app and apps from `defaults`: the nearest one that is given holds.
///
/// Inside of `requires`, `retry`, `grace` and `limits` that is so for each key.
struct Inherited {
    var requires = Requirements.none
    var windows: [Window] = []
    var quiet: [Window] = []
    var timezone: String?
    var timeLimit: Duration?
    /// Nil: 5 s, but at most half of the time limit.
    var warning: Duration?
    var grace: Duration = .seconds(5)
    var budget = Amount.launches(8)
    /// Nil: what suits the budget.
    var objective: Objective?
    var minGap: Duration = .minutes(15)
    var retry = TaskDefinition.Retry()
    var latest: Duration?
    var priority = 0
    var nice = 0
    var missed = MissedTimes.one
    var spread: Duration = .zero
    var tolerance: Duration = .minutes(5)
    var notify: [NoticeSink] = []

    // Of apps alone.
    var idleAfter: Duration? = .days(7)
    var idleClock = App.IdleClock.wall
    var keepWarm: Duration = .minutes(10)
    var concurrency = 4
    var user: String?
    var limits = AppLimits()

    /// How much is refreshed.
    enum Amount {
        /// So many launches a day.
        case launches(Double)
        /// As many as it takes for this share of the uses to find data that is at most so old.
        case fresh(Double, within: Duration)
    }

    /// The longest time that the history goes back.
    static let longest: Duration = .days(400)
}

extension ManifestDecoder {
    mutating func defaults(_ id: NodeID, into inherited: inout Inherited, manifest: inout Manifest) {
        guard isMapping(id, of: .defaults) else { return }
        keys(of: id, in: isIncluded ? .includedDefaults : .defaults) { [isIncluded] decoder, entry in
            switch entry.key {
            // How much runs on the host at once is for the main file to say.
            case .concurrency where isIncluded:
                inherited.concurrency = decoder.integer(entry, in: 1...1000) ?? inherited.concurrency
            case .concurrency:
                decoder.concurrency(entry, host: &manifest.hostConcurrency, app: &inherited.concurrency)
            case .retention: decoder.retention(entry, into: &manifest.retention)
            default: decoder.inherited(entry, into: &inherited)
            }
        }
    }

    /// A key that a task may inherit, or one of those that an app may.
    mutating func inherited(_ entry: Entry, into values: inout Inherited) {
        switch entry.key {
        case .requires: requires(entry, into: &values.requires)
        case .windows: values.windows = windows(entry)
        case .quiet: values.quiet = windows(entry)
        case .timezone: values.timezone = timezone(entry) ?? values.timezone
        case .timeLimit: values.timeLimit = duration(entry, in: .seconds(1) ... .days(1)) ?? values.timeLimit
        case .grace: grace(entry, into: &values)
        case .budget: values.budget = budget(entry) ?? values.budget
        case .objective: values.objective = choice(entry) ?? values.objective
        case .minGap: values.minGap = duration(entry, in: .zero ... .days(7)) ?? values.minGap
        case .retry: retry(entry, into: &values.retry)
        case .latest: values.latest = duration(entry, in: .seconds(1)...Inherited.longest) ?? values.latest
        case .priority: values.priority = integer(entry, in: -100...100) ?? values.priority
        case .nice: values.nice = integer(entry, in: -20...19) ?? values.nice
        case .missed: values.missed = choice(entry) ?? values.missed
        case .spread: values.spread = duration(entry, in: .zero ... .days(1)) ?? values.spread
        case .tolerance: values.tolerance = duration(entry, in: .zero ... .days(7)) ?? values.tolerance
        case .notify: values.notify = notify(entry) ?? values.notify
        case .idleAfter:
            // One that was refused will be another: nothing is said of the default in its place.
            values.idleAfter = durationOrNever(entry, in: .seconds(1)...Inherited.longest) ?? nil
        case .idleClock: values.idleClock = choice(entry) ?? values.idleClock
        case .keepWarm: values.keepWarm = duration(entry, in: .zero ... .days(1)) ?? values.keepWarm
        case .user: values.user = userName(entry) ?? values.user
        case .limits: limits(entry, into: &values.limits)
        default: break
        }
    }

    /// A number for host and each app, or a mapping of both.
    private mutating func concurrency(_ entry: Entry, host: inout Int, app: inout Int) {
        guard document.nodes[entry.value].shape == .mapping else {
            if let number = integer(entry, in: 1...1000) { (host, app) = (number, number) }
            return
        }
        keys(of: entry.value, in: .concurrency) { decoder, entry in
            guard let number = decoder.integer(entry, in: 1...1000) else { return }
            if entry.key == .host { host = number } else { app = number }
        }
    }

    private mutating func retention(_ entry: Entry, into retention: inout Retention) {
        guard isMapping(entry.value, of: .retention) else { return }
        keys(of: entry.value, in: .retention) { decoder, entry in
            switch entry.key {
            case .events:
                retention.events = decoder.duration(entry, in: .days(1) ... .days(4000)) ?? retention.events
            case .output:
                retention.output = decoder.duration(entry, in: .zero ... .days(4000)) ?? retention.output
            default:
                retention.outputBytes =
                    decoder.size(entry, in: 0...64 << 10).map { Int($0) } ?? retention.outputBytes
            }
        }
    }

    private mutating func requires(_ entry: Entry, into requires: inout Requirements) {
        guard isMapping(entry.value, of: .requires) else { return }
        keys(of: entry.value, in: .requires) { decoder, entry in
            switch entry.key {
            case .network: requires.network = decoder.choice(entry) ?? requires.network
            case .externalPower: requires.externalPower = decoder.boolean(entry) ?? requires.externalPower
            case .batteryAbove: requires.batteryAbove = decoder.share(entry) ?? requires.batteryAbove
            case .idle: requires.idle = decoder.boolean(entry) ?? requires.idle
            case .loadBelow:
                requires.loadBelow = decoder.number(entry, over: 0, upTo: 100) ?? requires.loadBelow
            default: requires.diskFree = decoder.size(entry, in: 1...1 << 60) ?? requires.diskFree
            }
        }
    }

    private mutating func grace(_ entry: Entry, into values: inout Inherited) {
        let range: ClosedRange<Duration> = .zero ... .hours(1)
        guard document.nodes[entry.value].shape == .mapping else {
            values.grace = duration(entry, in: range) ?? values.grace
            return
        }
        keys(of: entry.value, in: .grace) { decoder, entry in
            guard let duration = decoder.duration(entry, in: range) else { return }
            if entry.key == .warning { values.warning = duration } else { values.grace = duration }
        }
    }

    /// A number of launches a day, or the share of uses that are to be fresh.
    private mutating func budget(_ entry: Entry) -> Inherited.Amount? {
        guard document.nodes[entry.value].shape == .mapping else {
            return number(
                entry, over: 0, upTo: 1440, expected: .numberOrMapping, remedies: shareAsBudget(entry)
            )
            .map { .launches($0) }
        }
        var share: Double?
        var within: Duration? = .minutes(60)
        let seen = keys(of: entry.value, in: .budget) { decoder, entry in
            if entry.key == .fresh {
                share = decoder.share(entry, over: 0, upTo: 0.99)
            } else {
                within = decoder.duration(entry, in: .minutes(15) ... .hours(24))
            }
        }
        if !seen.contains(.fresh, in: .budget), !document.isCut(entry.value) {
            add(.structure(.missingKey(.fresh, in: .budget)), at: entry.value)
        }
        guard let share, let within else { return nil }
        return .fresh(share, within: within)
    }

    /// `budget: 70%` as it should be.
    private func shareAsBudget(_ entry: Entry) -> [String] {
        guard document.isScalar(entry.value) else { return [] }
        let text = document.text(entry.value)
        guard let share = QuantityText.share(text), share > 0, share <= 0.99 else { return [] }
        return ["{ fresh: \(text) }"]
    }

    private mutating func retry(_ entry: Entry, into retry: inout TaskDefinition.Retry) {
        guard isMapping(entry.value, of: .retry) else { return }
        let before = problems.found.count
        keys(of: entry.value, in: .retry) { decoder, entry in
            guard let duration = decoder.duration(entry, in: .seconds(1)...Inherited.longest) else { return }
            if entry.key == .first { retry.first = duration } else { retry.max = duration }
        }
        if retry.first > retry.max, problems.found.count == before, !document.isCut(entry.value) {
            let (first, max) = (DurationText.text(retry.first), DurationText.text(retry.max))
            add(.value(.retryOutOfOrder(first: first, max: max)), at: entry.keyNode)
        }
    }

    private mutating func timezone(_ entry: Entry) -> String? {
        guard let name = text(entry) else { return nil }
        if let problem = zones.problem(with: name) {
            add(.value(problem), at: entry.value)
            return nil
        }
        return name
    }

    /// None, where one of them is wrong: nothing is concluded from the others.
    private mutating func windows(_ entry: Entry) -> [Window] {
        guard let items = list(entry, remedy: { "[\"\($0)\"]" }) else { return [] }
        var isWhole = true
        var windows: [Window] = []
        windows.reserveCapacity(items.count)
        for item in items {
            guard document.isScalar(item) else {
                add(
                    .value(.wrongType(entry.key, expected: .text, found: found(item), remedies: [])), at: item
                )
                isWhole = false
                continue
            }
            let text = document.text(item)
            if let window = knownWindows[text] {
                windows.append(window)
                continue
            }
            switch WindowText.parse(text) {
            case .success(let window):
                knownWindows[text] = window
                windows.append(window)
            case .failure(let fault):
                add(.value(.window(text, fault)), at: item)
                isWhole = false
            }
        }
        return isWhole ? windows : []
    }
}
