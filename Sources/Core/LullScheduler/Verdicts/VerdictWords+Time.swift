public import LullModel

/// Whether the task's time has come, and whether it has had its share.
extension VerdictWords {
    /// In the zone whose days and times the task has, which may not be the reader's.
    private func ofTask(_ time: WallTime) -> String { Phrase.time(time, seenFrom: now, in: zoneOfTask) }

    func words(for fact: GateFact.Begin) -> Words {
        switch fact {
        case .any: return ("no earliest begin date", nil)
        case .passed(let begin): return ("not before \(moment(begin)), which has passed", nil)
        case .at(let begin):
            return ("not before \(moment(begin)), in \(Phrase.span(begin - now))", launch)
        case .nextBoot:
            return ("it runs once each time the machine boots, and waits for the next boot", launch)
        case .booted: return ("the host was booted", nil)
        case .nextTime(let next, let shift):
            let shifted =
                shift > .zero ? ", with the \(Phrase.span(shift)) that `spread` shifts it on this host" : ""
            return ("its next time is \(ofTask(next)), in \(Phrase.span(next - now))" + shifted, launch)
        case .nextOpenTime(let next, let shift, let closure):
            return (words(for: .nextTime(next, shift: shift)).reason + "; \(closure.clause)", launch)
        case .nextAttempt(let attempt, let next):
            let wait = Phrase.span(next - now)
            return (
                "it failed, and \(attempt.phrase) is at \(ofTask(next)), in \(wait)", launch
            )
        case .timeCome(let due): return ("its time, \(ofTask(due)), has come", nil)
        case .timeMissed(let due, let missed):
            let then =
                switch missed {
                case .one: "Lull makes up for all missed times with one launch, as soon as possible"
                case .all: "Lull makes up for it, and for each later one, as soon as possible"
                case .skip: "it is skipped"
                }
            return ("its time, \(ofTask(due)), was missed \(Phrase.span(now - due)) ago; \(then)", nil)
        }
    }

    func words(for fact: GateFact.Opening) -> Words {
        switch fact {
        case .none: ("no windows: at any time", nil)
        case .urgent: (Self.urgent, nil)
        case .open(let windows): ("it is within \(names(windows))", nil)
        case .closed(let windows, let opening):
            (
                "it is outside \(names(windows))" + (opening.map { ", which opens \(at($0))" } ?? ""),
                launch
            )
        }
    }

    func words(for fact: GateFact.Today) -> Words {
        switch fact {
        case .open(let day): ("\(Phrase.day(day)) is an open day", nil)
        case .begun(let due):
            ("its time, \(ofTask(due)), came on an open day", nil)
        case .closed(let closure, let opening):
            (closure.clause + (opening.map { "; it opens at \(ofTask($0))" } ?? ""), launch)
        }
    }

    func words(forQuiet fact: GateFact.Opening) -> Words {
        switch fact {
        case .none: ("no quiet times", nil)
        case .urgent: (Self.urgent, nil)
        case .closed(let times, let end):
            (
                "it is the quiet time \(names(times))" + (end.map { ", which ends \(at($0))" } ?? ""),
                launch
            )
        case .open(let times): ("it is not the quiet time \(names(times))", nil)
        }
    }

    private func names(_ windows: [Window]) -> String { windows.map(\.text).joined(separator: "; ") }

    func words(for fact: GateFact.Pace) -> Words {
        let pace = "after a burst of \(ContinuedPace.atOnce), one every \(Phrase.span(ContinuedPace.gap))"
        switch fact {
        case .timed: return ("it is launched at its times, however close together they are", nil)
        case .unlimited: return ("it applies only to refresh and to what a plugin submits", nil)
        case .rested(let gap): return ("no refresh of its app in the last \(Phrase.span(gap))", nil)
        case .refreshed(let last, let gap):
            return (
                "its app was refreshed \(at(last)), and \(Phrase.span(gap)) must pass between two refreshes",
                launch
            )
        case .continued(isTooFast: false):
            return ("its app has not had too many continued tasks launched: \(pace)", nil)
        case .continued(isTooFast: true):
            return ("its app has had many continued tasks launched: \(pace)", launch)
        case .urgent: return (Self.urgent, nil)
        case .pushes(let count, let quota, let span):
            let words =
                "\(Phrase.count(count, "silent push", "silent pushes")) \(count == 1 ? "was" : "were") delivered in the last "
                + "\(Phrase.span(span)), of \(quota) allowed"
            return (words, count >= quota ? "raise `push: { quota }` in \(manifest), or \(launch)" : nil)
        case .neverRan: return ("it has not run yet", nil)
        case .ended(let time): return ("its last run ended \(Phrase.span(now - time)) ago", nil)
        case .pausing(let pause, let isAsLong):
            let because = isAsLong ? ", as long as the last run took," : ""
            return (
                "the plugin asks for it again, and \(Phrase.span(pause))\(because) must pass between the end of a run and "
                    + "the next", launch
            )
        case .fed(let count, let pause):
            return (
                "files came \(count) times in a row while it ran or just after, so \(Phrase.span(pause)) must pass between the "
                    + "end of a run and the next: perhaps it writes the files that start it",
                "let it write elsewhere, or let `on` name only files that others bring (`path: /srv/in/*.csv`)"
            )
        }
    }

    func words(for fact: GateFact.Spent) -> Words {
        func spent(_ launches: Int, _ perDay: Double) -> String {
            "\(launches) refresh launches in the last 24 h, of \(Phrase.number(perDay)) a day on average"
        }
        return switch fact {
        case .noRefresh: ("it applies only to refresh and to processing that a plugin submits", nil)
        case .asked: ("its app has launches left for the processing that it submits", nil)
        case .askedTooOften(let perDay):
            (
                "its app has used up the processing launches that it may submit: \(Phrase.number(perDay)) a day",
                "raise `budget` in \(manifest), or \(launch)"
            )
        case .timed: ("a launch at its time does not count", nil)
        case .asFresh(let share):
            ("as many launches as it takes to be fresh for \(Phrase.share(share)) of the uses", nil)
        case .some(let launches, let perDay): (spent(launches, perDay), nil)
        case .tooMuch(let launches, let perDay):
            (
                spent(launches, perDay) + ", and never more than twice that",
                "raise `budget` in \(manifest), or \(launch)"
            )
        case .nothingBudgeted: ("no refresh launches are budgeted", "raise `budget` in \(manifest)")
        }
    }

    func words(for fact: GateFact.Costing) -> Words {
        switch fact {
        case .unlimited: return ("no cost limit", nil)
        case .urgent: return (Self.urgent, nil)
        case .some(let costs): return (costs.sentence(of: appName), nil)
        case .tooMuch(let costs):
            let which = costs.isOfHost ? "at the top" : "of \(appName)"
            return (
                costs.sentence(of: appName), "raise the `cost_limit` \(which) in \(manifest), or \(launch)"
            )
        }
    }

    func words(for fact: GateFact.Failing) -> Words {
        func failed(_ times: Int) -> String {
            times == 1 ? "it failed" : "it failed \(times) times in a row"
        }
        let retry = "try it now with `lull launch \(task)`"
        let timed = "it is launched at its times, also after a failure"
        return switch fact {
        case .startFailure(let reason): (reason, retry)
        case .awaited: ("somebody waits for it: it is not held back", nil)
        case .timed: (timed, nil)
        case .timedOverLimit(let met): (met.sentence + "; " + timed, nil)
        case .no: ("its last run did not fail", nil)
        case .longAgo(let times): (failed(times) + ", long enough ago", nil)
        // The reason of the failure is shown with its last run.
        case .again(let times, let delay):
            (failed(times) + ", and runs no sooner than \(Phrase.span(delay)) after that", retry)
        case .attempt(let next, let delay):
            ("it failed, and \(next.phrase) begins no sooner than \(Phrase.span(delay)) after that", retry)
        case .overLimit(let met):
            (
                met.sentence + ", and Lull does not run it again before its next time",
                met.remedy + ", or " + retry
            )
        }
    }

    func words(for fact: GateFact.Room) -> Words {
        let more = "raise `concurrency` in \(manifest), or \(launch)"
        func under(_ runs: Int, _ whose: String = "") -> String {
            "\(Phrase.count(runs, "run"))\(whose) \(runs == 1 ? "is" : "are") under way"
        }
        return switch fact {
        case .runs(let runs):
            (
                runs == 1 ? "it is already running" : "\(runs) runs of it are under way",
                "wait for its end, or end it with `lull stop \(task)`"
            )
        case .group(let group):
            (
                group.most == 1
                    ? "it waits for \(group.holder), which has had the group \(group.name) since \(moment(group.since))"
                    : "\(group.runs) runs of the group \(group.name) are under way, which is the limit; the first is "
                        + "\(group.holder), since \(moment(group.since))",
                "wait for its end, end it with `lull stop \(group.holder)`, or write `groups: { \(group.name): \(group.most + 1) }` "
                    + "at the top of \(manifest)"
            )
        case .app(let runs, let most):
            (under(runs, " of its app") + ", and the app may have \(most) at once", more)
        case .host(let runs, let most):
            (under(runs) + ", and the host has at most \(most) at once", more)
        case .left(let runs, let most): ("\(runs) of \(most) runs are under way", nil)
        }
    }
}

extension GateFact.Costs {
    func sentence(of app: String) -> String {
        let (have, may, what) =
            switch limit.figure {
            case .processor: ("used", "use", " of the processor")
            case .written: ("written", "write", "")
            case .read: ("read", "read", "")
            }
        return (isOfHost ? "all apps together have" : "\(app) has")
            + " \(have) \(limit.text(of: cost))\(what) in the last \(limit.spanText), and may \(may) "
            + limit.text(of: limit.amount)
    }
}

extension Ledger {
    /// What counts by each cost limit of the manifest, in sentences.
    public func costSentences(by manifest: Manifest, at now: WallTime) -> [String] {
        func sentences(_ limits: [CostLimit], _ sums: CostSums?, _ app: AppIdentifier?) -> [String] {
            limits.map { limit in
                let cost = sums?.cost(by: limit, at: now) ?? 0
                let costs = GateFact.Costs(limit: limit, cost: cost, isOfHost: app == nil)
                return costs.sentence(of: app?.text ?? "") + "."
            }
        }
        return sentences(manifest.costLimits, costs, nil)
            + manifest.apps.flatMap { sentences($0.costLimits, apps[$0.identifier]?.costs, $0.identifier) }
    }
}

extension LimitMet {
    /// As a clause.
    var sentence: String {
        let runs = count == 1 ? "its last run was ended by its" : "its last \(count) runs were ended by their"
        return "\(runs) \(isDefault ? "default " : "")time limit of \(Phrase.span(limit))"
    }

    var warning: String {
        "\(sentence), and the next will be unless it is quicker: \(remedy)"
    }

    var remedy: String { "\(isDefault ? "write a longer" : "raise") `time_limit` at \(place)" }
}
