extension TaskDefinition {
    /// The hash of the task's definition in the fleet, as 16 hexadecimal digits: two hosts with the same hash may run each
    /// other's slots.
    ///
    /// It covers when the task runs and what a run does. It does not cover where a host keeps its files, its notices, or how it
    /// shares its own machine among its apps. The hash is the same on every machine and in every process.
    public func definitionHash(in app: App) -> String {
        let hash = App.Digest().adding(JSONValue.object(definitionParts(in: app)).text).bits
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// A key that is added later has to be left out while it has its default: else hosts with two versions of Lull would
    /// disagree on every task.
    private func definitionParts(in app: App) -> [String: JSONValue] {
        var parts: [String: JSONValue] = [
            "task": .string(identifier.text), "kind": .string(kind.rawValue),
            "missed": .string(missed.rawValue), "spread": Self.span(spread),
            "tolerance": Self.span(tolerance),
            "requires": requires.json, "windows": .array(windows.map(Self.part(of:))),
            "quiet": .array(quiet.map(Self.part(of:))), "on": .array(on.map { .string($0.text) }),
            "warning": Self.span(warning), "grace": Self.span(grace),
            "concurrency": .integer(Int64(concurrency)), "budget": .number(budget),
            "fresh": Self.span(fresh), "objective": .string(objective.rawValue), "min_gap": Self.span(minGap),
            "retry": .array(
                [Self.span(retry.first), Self.span(retry.max)]
                    + (retry.attempts.map { [.integer(Int64($0))] } ?? [])), "settings": settings,
            "fleet": .object(Self.parts(of: fleet)), "app": .object(Self.parts(of: app)),
        ]
        parts["repeat"] = self.repeat.map(Self.span)
        parts["at"] = at.map { .array($0.texts.map { .string($0) }) }
        parts["exit_codes"] = retry.exitCodes.map { .array($0.map { .integer(Int64($0)) }) }
        parts["timezone"] = timezone.map { .string($0) }
        parts["time_limit"] = timeLimit.map(Self.span)
        parts["fresh_share"] = freshShare.map { .number($0) }
        parts["latest"] = latest.map(Self.span)
        parts["leaves"] = leaves == .ended ? nil : .string(leaves.rawValue)
        parts["days"] = days?.json
        parts["while_running"] = whileRunning == .end ? nil : .string(whileRunning.rawValue)
        parts["params"] = params.map { .array($0.map(Self.part(of:))) }
        return parts
    }

    /// Without its description.
    private static func part(of param: TaskParam) -> JSONValue {
        .array(
            [.string(param.name), .string(param.value), param.match.map { .string($0) } ?? .null]
                + param.choices.map { .string($0) })
    }

    /// The length of leases is left out: each lease has the length in its holder's claim, and hosts with different lengths agree
    /// on when the task runs and what a run does. So an operator can change it host by host, and all hosts still share the slots.
    private static func parts(of fleet: FleetRules) -> [String: JSONValue] {
        var parts: [String: JSONValue] = [
            "scope": .string(fleet.scope.rawValue), "labels": .object(fleet.labels.mapValues { .string($0) }),
        ]
        parts["spread"] = fleet.spread.map { .string($0) }
        parts["concurrency"] = fleet.concurrency.map { .integer(Int64($0)) }
        parts["prefer"] = fleet.prefer.map { .string($0.rawValue) }
        return parts
    }

    /// The plugin's path is left out: machines of other architectures keep their libraries elsewhere.
    private static func parts(of app: App) -> [String: JSONValue] {
        var parts: [String: JSONValue] = [
            "settings": app.settings, "idle_clock": .string(app.idleClock.rawValue),
        ]
        parts["sha256"] = app.sha256.map { .string($0) }
        parts["user"] = app.user.map { .string($0) }
        parts["idle_after"] = app.idleAfter.map(span)
        return parts
    }

    /// The text of a window is left out.
    private static func part(of window: Window) -> JSONValue {
        let days = window.days.sorted().map { JSONValue.integer(Int64($0)) }
        return .array([.array(days), .integer(Int64(window.opens)), .integer(Int64(window.closes))])
    }

    private static func span(_ duration: Duration) -> JSONValue {
        let (seconds, attoseconds) = duration.components
        return .array([.integer(seconds), .integer(attoseconds)])
    }
}
