import LullModel

/// Whether the host is as the task requires it, and the moment a good one.
extension VerdictWords {
    func words(for fact: GateFact.Keeping) -> Words {
        switch fact {
        case .filledDisk(let sentence):
            (
                sentence,
                "delete what it does not need, or free room elsewhere on that disk; `lull launch \(task)` passes over this"
            )
        case .unlimited: ("its app's folder has no limit", nil)
        case .unseen: ("Lull has not measured its app's folder yet", nil)
        case .tooMuch(let use, let limit):
            (
                use.excess(of: appName, limit: limit),
                "delete what it does not need there, or raise `disk` in its `limits` in \(manifest); "
                    + "`lull launch \(task)` passes over this, so that it can tidy up itself"
            )
        case .within(let use, let limit):
            ("\(appName) keeps \(use.words) of \(Phrase.size(limit)) in its folder", nil)
        }
    }

    func words(for fact: GateFact.Awaiting) -> Words {
        switch fact {
        case .otherGates: ("Lull judges it once the other gates are open", nil)
        case .notListed: ("not in the manifest", nil)
        case .exact: ("its time has come, and `at` is exact: at once", nil)
        case .starved(let open, let bound):
            (
                "its gates have been open for \(Phrase.span(open)), and it waits for \(Phrase.span(bound)) at most",
                nil
            )
        case .operatorAsked: ("an operator asked for it: at once", nil)
        case .happened: ("an event asked for it: at once", nil)
        case .somebodyWaits: ("somebody waits for it: at once", nil)
        case .urgent: ("an urgent push is delivered at once", nil)
        case .hostIdle: ("the host is idle", nil)
        case .anyHost: ("it does not wait for an idle host", nil)
        case .notSensed: (ConditionFact.notSensed.sentence, nil)
        case .quiet(let fact): ("a quiet moment: \(fact.sentence)", nil)
        case .noisy(let fact, let latest):
            (
                "it waits for a quieter moment (\(fact.sentence)), at the latest \(moment(latest))",
                "set `idle: false` under its `requires`, or \(launch)"
            )
        case .neverSucceeded: ("it has never succeeded yet: at once", nil)
        case .likelyUse(let chance, let fresh):
            (
                "a use within \(Phrase.span(fresh)) is \(Phrase.likelihood(chance)) likely, and no better moment is near",
                nil
            )
        case .evenly(let gap): (evenly(gap), nil)
        case .revived: ("its app was idle and is used again: at once", nil)
        case .planned(let plan, let fresh, let latest): words(for: plan, fresh, latest)
        }
    }

    private func evenly(_ gap: Duration) -> String {
        "little is known yet of when its app is used, so it is refreshed every \(Phrase.span(gap))"
    }

    private func words(for plan: Plan, _ fresh: Duration, _ latest: WallTime) -> Words {
        switch plan.basis {
        case .cadence(let gap):
            return (
                evenly(gap) + (plan.launch.map { ", next \(at($0))" } ?? ""),
                "record uses with `lull used \(app?.text ?? "APP")`, or " + launch
            )
        case .forecast(let value, let price):
            let made = plan.made < now ? "it was planned \(at(plan.made)): " : ""
            let use = "a use within \(Phrase.span(fresh)) is "
            let wait =
                plan.launches.first.map {
                    "the next launch is planned for \(moment($0.time)), unless its app is used before; then "
                        + "\(use)\(Phrase.likelihood($0.chance)) likely"
                }
                ?? "\(use)\(Phrase.likelihood(value)) likely, and no launch in the next two days is worth its price "
                + "(\(price.sentence))"
            return (made + wait + "; it waits until \(moment(latest)) at most", launch)
        }
    }
}

extension LaunchPrice {
    var sentence: String {
        switch objective {
        case .hits:
            "a launch is worth it if it makes fresh data at least \(Phrase.percent(amount)) likelier"
        case .staleness:
            "a launch is worth it if it makes the data younger by \(Phrase.hours(amount)) on average"
        case .both:
            "a launch is worth it if it makes the data younger by \(Phrase.hours(amount)) on average; fresh data counts as "
                + "\(Phrase.hours(Double(RefreshPlan.bonus))) more"
        }
    }
}

extension FolderUse {
    var words: String { (isWhole ? "" : "at least ") + Phrase.size(bytes) }

    /// A sentence that an app keeps more than it may.
    func excess(of app: String, limit: Int64) -> String {
        let what =
            bytes > limit
            ? "\(words) in its folder"
            : "files where Lull can't look: in a folder that it has closed, or more than 100 levels deep"
        return "\(app) keeps \(what), and its `limits: { disk }` is \(Phrase.size(limit))"
    }
}
