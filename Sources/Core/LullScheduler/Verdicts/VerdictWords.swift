import LullModel

/// The one place that turns a gate's fact into a sentence, and says what a person can do about it.
///
/// Pure: it depends on the fact, the time and the reader's zone. A gate that only waiting opens has no remedy, and an
/// open gate needs none.
struct VerdictWords {
    typealias Words = (reason: String, remedy: String?)

    let task: TaskIdentifier
    let app: AppIdentifier?
    /// The path of the manifest.
    let manifest: String
    let now: WallTime
    /// The reader's zone, and the zone of the task's times.
    let zone: Zone
    let zoneOfTask: Zone

    func words(for fact: GateFact) -> Words {
        switch fact {
        case .permitted(let fact): words(for: fact)
        case .registered(let fact): words(for: fact)
        case .enabled(let fact): words(for: fact)
        case .paused(let fact): words(for: fact)
        case .idleApp(let fact): words(for: fact)
        case .requested(let fact): words(for: fact)
        case .earliestBegin(let fact): words(for: fact)
        case .condition(_, let fact): (fact.sentence, fact.deed.map { $0 + ", or " + launch })
        case .folder(let fact): words(for: fact)
        case .window(let fact): words(for: fact)
        case .day(let fact): words(for: fact)
        case .quiet(let fact): words(forQuiet: fact)
        case .rateLimit(let fact): words(for: fact)
        case .budget(let fact): words(for: fact)
        case .costLimit(let fact): words(for: fact)
        case .backoff(let fact): words(for: fact)
        case .concurrency(let fact): words(for: fact)
        case .fleet(let fact): words(for: fact)
        case .shuttingDown(false): ("the host is in service", nil)
        case .shuttingDown(true):
            ("the host is shutting down", "start the host again with `lull run` when it has ended")
        case .moment(let fact): words(for: fact)
        }
    }

    static let urgent = "an urgent push passes over this"

    var launch: String { "launch it now with `lull launch \(task)`" }

    var appName: String { app?.text ?? "its app" }

    func at(_ time: WallTime) -> String { Phrase.when(time, seenFrom: now, in: zone) }

    func moment(_ time: WallTime) -> String { Phrase.moment(time, seenFrom: now, in: zone) }

    private func words(for fact: GateFact.Permission) -> Words {
        switch fact {
        case .wildcard:
            (
                "it is a wildcard, not an identifier of its own",
                "submit an identifier with something in the place of its asterisk"
            )
        case .notListed:
            ("it is not in \(manifest)", "add it to the tasks of its app in \(manifest)")
        case .takenOut(let runs):
            (
                "it " + Self.goesOn(runs, without: manifest),
                "end it with `lull stop \(task)`, or wait until it has ended"
            )
        case .kind(let kind, let permitted):
            (
                "its request is of kind \(kind.rawValue), and \(manifest) permits \(permitted.rawValue)",
                "submit it as \(permitted.rawValue), or set `kind: \(kind.rawValue)` for it in \(manifest)"
            )
        case .listed(let kind, let file, let line):
            ("permitted as \(kind.rawValue)" + (line > 0 ? " at \(file ?? manifest):\(line)" : ""), nil)
        }
    }

    /// The clause for a task that was taken out of the manifest while it ran.
    static func goesOn(_ runs: [RunID], without manifest: String) -> String {
        "is no longer in \(manifest), and "
            + (runs.count == 1
                ? "run \(runs[0]) of it goes on"
                : "runs \(Phrase.list(runs.map(\.description))) of it go on")
    }

    private func words(for fact: GateFact.Registration) -> Words {
        func start(_ hostDiscovers: Bool) -> String {
            hostDiscovers
                ? "have it started now with `lull launch \(task)`" : "start the host with `lull run`"
        }
        return switch fact {
        case .trouble(let trouble, let plugin):
            (
                "the plugin can't be loaded: \(trouble)",
                "fix \(plugin) and reload the manifest, or try it with `lull launch \(task)`"
            )
        case .undiscovered(let hostDiscovers):
            ("its app has not been discovered yet", start(hostDiscovers))
        case .changed(let hostDiscovers):
            (
                "its app has not been started since its plugin or its entry in \(manifest) was changed",
                start(hostDiscovers)
            )
        case .noHandler:
            (
                "the plugin registers no handler for it",
                "register \(task) in the plugin before its start returns, or take it out of \(manifest)"
            )
        case .takesNoPushes:
            (
                "the plugin registers no handler for pushes",
                "register \(task) in a plugin built with version 1.2 of the interface or later, or take `push` out of "
                    + manifest
            )
        case .takesNoTransfers:
            (
                "the plugin registers no handler for transfers",
                "register \(task) in a plugin built with version 1.3 of the interface or later, or take `transfers` out of "
                    + manifest
            )
        case .handler: ("the plugin registered a handler for it", nil)
        case .handlerDespite(let fault, let time):
            (
                "the plugin registered a handler for it; one of its workers ended "
                    + "\(Phrase.span(now - (time ?? now))) ago: \(fault)", nil
            )
        }
    }

    private func words(for fact: GateFact.Enabling) -> Words {
        switch fact {
        case .app(let name):
            ("\(name ?? "an operator") has disabled \(appName)", "enable it with `lull enable \(appName)`")
        case .task(let name):
            ("\(name ?? "an operator") has disabled it", "enable it with `lull enable \(task)`")
        case .appInManifest:
            (
                "\(appName) is disabled in \(manifest)",
                "remove `enabled: false` from the app in \(manifest)"
            )
        case .taskInManifest:
            ("it is disabled in \(manifest)", "remove `enabled: false` from the task in \(manifest)")
        case .yes: ("enabled", nil)
        }
    }

    private func words(for fact: GateFact.Pausing) -> Words {
        switch fact {
        case .no: ("not paused", nil)
        case .by(let pause):
            (
                (pause.scope == .task(task) ? "it is paused" : "\(pause.scope.phrase) is paused")
                    + (pause.words.map { " " + $0 } ?? "")
                    + (pause.until.map { ", until \(moment($0))" } ?? ""),
                "end the pause with `lull resume \(pause.scope.argument)`"
            )
        }
    }

    private func words(for fact: GateFact.Idleness) -> Words {
        func seen(_ sign: GateFact.Sign) -> String {
            let ago = Phrase.span(now - sign.time)
            return sign.isUse
                ? "\(appName) was last used \(ago) ago"
                : "\(appName) was discovered \(ago) ago and has never been used"
        }
        func idle(_ sign: GateFact.Sign, _ after: Duration) -> String {
            seen(sign) + ", and is idle after \(Phrase.span(after))"
        }
        switch fact {
        case .unknown: return ("Lull knows nothing of its app yet", nil)
        case .never: return ("`idle_after: never`: its app is never idle", nil)
        case .unseen: return ("its app has been neither used nor discovered yet", nil)
        case .inUse(let sign, let last, let byHostsClock):
            let left = Phrase.span(last - now)
            let when =
                byHostsClock
                ? "after \(left) of the host's time, \(at(last)) at the earliest" : "\(at(last)), in \(left)"
            return (seen(sign) + "; unless it is used, this gate closes " + when, nil)
        case .awaited(let sign, let after):
            return (idle(sign, after) + "; somebody waits for this task", nil)
        case .urgent(let sign, let after):
            return (idle(sign, after) + "; " + Self.urgent, nil)
        case .transferred(let sign, let after):
            return (idle(sign, after) + "; Lull still hands it the results of its transfers", nil)
        case .idle(let sign, let after):
            return (
                idle(sign, after),
                "use the app, or record a use with `lull used \(appName)`; `lull launch \(task)` passes over this"
            )
        }
    }

    private func words(for fact: GateFact.Asking) -> Words {
        switch fact {
        case .wildcard: return ("a wildcard itself is never requested", nil)
        case .onceEnabled(let byTimes):
            return ("the host asks for it by `\(byTimes ? "at" : "repeat")` once it is enabled", nil)
        case .nobody(let isRunning, let repeats, let kind):
            let others =
                repeats
                ? ""
                : kind == .continued
                    ? ", or submit it from the plugin"
                    : ", set `repeat` or `at` for it in \(manifest), or submit it from the plugin"
            return (
                isRunning
                    ? "it is running, and nobody has asked for another launch"
                    : "nobody has asked for a launch" + (repeats ? " yet" : ""),
                "ask for it with `lull submit \(task)`" + others
            )
        case .noTimeLeft:
            return (
                "none of its times is still to come",
                "give it later times or days in \(manifest), or ask for it with `lull submit \(task)`"
            )
        case .events(let awaited, let watched, let last):
            return (
                words(for: awaited, watched: watched, last: last), "launch it now with `lull launch \(task)`"
            )
        case .happened(let triggerEvent, let isAlone):
            let since = triggerEvent.count > 1 ? "since \(at(triggerEvent.first))" : at(triggerEvent.first)
            return ((isAlone ? "" : "it was asked for, and ") + "\(triggerEvent.phrase) (\(since))", nil)
        case .noPush(let isRunning):
            return (
                isRunning ? "it is running, and no other push has come" : "no push has come",
                "push to it with `lull push \(appName)`"
            )
        case .noTransfers(let isRunning):
            return (
                isRunning
                    ? "it is running, and no more transfers have ended"
                    : "the app has received the results of all transfers", nil
            )
        case .pushed(let push, let time, let lost):
            let more = push.merged == 0 ? "" : ", the newest of \(push.merged + 1)"
            guard push.isUrgent else { return ("a push came \(at(time))\(more)", nil) }
            guard let lost else { return ("an urgent push came \(at(time))\(more)", nil) }
            return (
                "an urgent push came \(at(time))\(more), and is held as a silent one: \(appName) lost urgent pushes \(at(lost)), "
                    + "and `lull push --restore \(appName)` allows them again", nil
            )
        case .by(let origin, let time, let name):
            let who =
                switch origin {
                case .plugin: "the plugin"
                case .repeat: "the host, for `repeat`,"
                case .at: "the host, for `at`,"
                case .operator: name.wrappedValue ?? "an operator"
                case .event: "the host, for `on`,"
                case .push: "a push"
                case .transfers: "the end of transfers"
                }
            return ("\(who) asked for it \(at(time))", nil)
        }
    }
}
