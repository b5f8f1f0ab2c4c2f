import LullModel

/// Whether the manifest, the plugin and the operator let the task be launched at all.
extension GateInput {
    func permitted() -> GateVerdict {
        if task.isWildcard, definition != nil {
            return closed(
                .permitted, "it is a wildcard, which permits identifiers and is none itself",
                remedy: "submit an identifier with something in the place of its asterisk")
        }
        guard let definition else {
            return closed(
                .permitted, "\(task) is not in \(host.manifestPath)",
                remedy: "add it to the tasks of its app in \(host.manifestPath)")
        }
        guard kind.isPermitted(under: definition.kind) else {
            return closed(
                .permitted,
                "its request is of kind \(kind.rawValue), and \(host.manifestPath) permits \(definition.kind.rawValue)",
                remedy: "set `kind: \(kind.rawValue)` for it in \(host.manifestPath), or cancel the request")
        }
        return open(
            .permitted,
            "permitted as \(definition.kind.rawValue)"
                + (definition.line > 0
                    ? " at \(definition.file ?? host.manifestPath):\(definition.line)" : ""))
    }

    func registered() -> GateVerdict {
        if let app, let trouble = appRecord?.trouble, appRecord?.troubleStamp == stamp || stamp == nil {
            return closed(
                .registered, "the plugin can't be loaded: \(trouble)", since: appRecord?.troubleSince,
                remedy:
                    "put \(app.plugin) right and reload the manifest, or try it with `lull launch \(task)`")
        }
        guard let discovered = appRecord?.discovered else {
            return closed(
                .registered, "its app has not been discovered yet",
                remedy: host.discovers
                    ? "have it started now with `lull launch \(task)`" : "start the host with `lull run`")
        }
        guard hasHandler || !isChanged else {
            return closed(
                .registered,
                "its app has not been started since its plugin or its entry in \(host.manifestPath) was changed",
                remedy: host.discovers
                    ? "have it started now with `lull launch \(task)`" : "start the host with `lull run`")
        }
        guard hasHandler else {
            return closed(
                .registered, "the plugin registers no handler for it", since: discovered,
                remedy:
                    "register \(task) in the plugin before its start returns, or take it out of \(host.manifestPath)"
            )
        }
        return open(.registered, "the plugin registered a handler for it" + (fault ?? ""))
    }

    /// What its app registers may be something else by now; a host looks as soon as it starts.
    var isChanged: Bool {
        guard let stamp, let known = appRecord?.stamp else { return false }
        return stamp != known
    }

    private var fault: String? {
        guard let fault = appRecord?.lastFault else { return nil }
        let ago = Phrase.span(now.wall - (appRecord?.lastFaultAt ?? now.wall))
        return "; its worker was ended \(ago) ago for a violation: \(fault)"
    }

    private var hasHandler: Bool {
        if appRecord?.hasRegistered(task) == true { return true }
        return !lateHandlers.isEmpty
            && (lateHandlers.contains(task) || task.wildcards.contains(where: lateHandlers.contains))
    }

    func enabled() -> GateVerdict {
        if let since = appRecord?.disabledAt, let app {
            return closed(
                .enabled, "an operator has disabled \(app.identifier)", since: since,
                remedy: "enable it with `lull enable \(app.identifier)`")
        }
        if let since = record?.disabledAt {
            return closed(
                .enabled, "an operator has disabled it", since: since,
                remedy: "enable it with `lull enable \(task)`")
        }
        if let app, !app.enabled {
            return closed(
                .enabled, "\(app.identifier) is disabled in \(host.manifestPath)",
                remedy: "remove `enabled: false` from the app in \(host.manifestPath)")
        }
        if let definition, !definition.enabled {
            return closed(
                .enabled, "it is disabled in \(host.manifestPath)",
                remedy: "remove `enabled: false` from the task in \(host.manifestPath)")
        }
        return open(.enabled, "enabled")
    }

    /// An operator holds launches back: of the task, of its app or of all.
    func paused() -> GateVerdict {
        let pauses = [record?.pause, appRecord?.pause, host.pause].compactMap { $0 }
            .filter { $0.holds(at: now.wall) }
        // What lasts longest says when it opens.
        guard
            let pause = pauses.max(by: {
                ($0.until ?? .distantFuture, $0.since) < ($1.until ?? .distantFuture, $1.since)
            })
        else { return open(.paused, "not paused") }
        return closed(
            .paused,
            (pause.scope == .task(task) ? "it is paused" : "\(pause.scope.phrase) is paused")
                + (pause.reason.map { " " + $0 } ?? "")
                + (pause.until.map { ", until \(moment($0))" } ?? ""),
            since: pause.since, until: pause.until,
            remedy: "let it go on with `lull resume \(pause.scope.argument)`")
    }

    /// The last instant at which the app is not idle; nil: the week rule does not concern it.
    var idlesAfter: WallTime? {
        guard let idleAfter = app?.idleAfter, let sign = appRecord?.lastSign else { return nil }
        return sign + idleAfter + idleCredit
    }

    func idleApp() -> GateVerdict {
        guard let app, let appRecord else { return open(.idleApp, "nothing is known of its app yet") }
        guard let idleAfter = app.idleAfter else {
            return open(.idleApp, "`idle_after: never`: its app is never idle")
        }
        guard let last = idlesAfter, let sign = appRecord.lastSign else {
            return open(.idleApp, "its app has been neither used nor discovered yet")
        }
        var what: String {
            let ago = Phrase.span(now.wall - sign)
            return appRecord.lastUsed == nil
                ? "\(app.identifier) was discovered \(ago) ago and has never been used"
                : "\(app.identifier) was last used \(ago) ago"
        }
        if now.wall <= last {
            return open(
                .idleApp,
                what + "; unless it is used, this gate closes "
                    + (app.idleClock == .host
                        ? "after \(Phrase.span(last - now.wall)) of the host's time, " : "")
                    + at(last)
                    + (app.idleClock == .host ? " at the earliest" : ", in \(Phrase.span(last - now.wall))"),
                closes: last)
        }
        var idle: String { what + ", and is idle after \(Phrase.span(idleAfter))" }
        if kind == .continued { return open(.idleApp, idle + "; somebody waits for this task") }
        return closed(
            .idleApp, idle,
            // By the host's own clock that instant moves as the host sleeps on.
            since: app.idleClock == .wall ? last : appRecord.idledAt ?? last,
            remedy:
                "use the app, or record a use with `lull used \(app.identifier)`; `lull launch \(task)` passes over this"
        )
    }

    /// What a refresh brought before its app became idle is old, and somebody has just come back to it.
    func revival() -> Judgement? {
        // Only hits count for `hits`, and who has just come is not about to come: its plan says when.
        guard kind == .refresh, definition?.objective != .hits, let revived = appRecord?.revivedAt,
            let last = record?.lastLaunched,
            last < revived, revived <= now.wall
        else { return nil }
        return Judgement(verdict: open(.moment, "its app was idle and is used again: at once"), score: 1)
    }

    func requested() -> GateVerdict {
        guard let origin = record?.pending?.origin else {
            if task.isWildcard { return closed(.requested, "nobody asks for a wildcard itself") }
            let repeats = definition?.repeat != nil || definition?.at != nil
            return closed(
                .requested,
                runsOfTask > 0
                    ? "it is running, and nobody has asked for another launch"
                    : "nobody has asked for a launch" + (repeats ? " yet" : ""),
                remedy: "ask for it with `lull submit \(task)`"
                    + (repeats
                        ? ""
                        : kind == .continued
                            ? ", or submit it from the plugin"
                            : ", set `repeat` or `at` for it in \(host.manifestPath), or submit it from the plugin")
            )
        }
        let who =
            switch origin {
            case .plugin: "the plugin"
            case .repeat: "the host, for `repeat`,"
            case .at: "the host, for `at`,"
            case .operator: "an operator"
            }
        return open(.requested, "\(who) asked for it \(at(record?.pending?.submitted ?? now.wall))")
    }

    func shuttingDown() -> GateVerdict {
        host.isShuttingDown
            ? closed(
                .shuttingDown, "the host is shutting down",
                remedy: "start the host again with `lull run` when it has ended")
            : open(.shuttingDown, "the host is in service")
    }
}
