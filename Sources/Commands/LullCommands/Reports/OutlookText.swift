import LullHistory
import LullModel
import LullScheduler

/// An outlook in words: when a gate is likely to open, how likely the task runs by when, what lets it run now.
package struct OutlookText {
    let facts: Outlook
    let phrases: Phrases

    /// A sentence for the gate's line; nil: its verdict says it all.
    func opening(of gate: GateName) -> String? {
        guard let opening = facts.gates.first(where: { $0.gate == gate })?.opening else { return nil }
        // Its reason already says so.
        if facts.isAtBoot == true, gate == .earliestBegin { return nil }
        if facts.awaitsEvent == true, gate == .requested { return nil }
        switch opening {
        case .at: return nil
        case .never: return "It does not open by itself."
        case .unknown(let clause): return clause.sentenceCased + "."
        case .likely(nil, _): return "It is not likely to open within \(Phrase.span(Outlook.horizon))."
        case .likely(let half?, nil):
            return "50 % likely to open by \(phrases.time(half)), and over 10 % to stay closed for "
                + "\(Phrase.span(Outlook.horizon))."
        case .likely(let half?, let most?) where most - half < .minutes(1):
            return "90 % likely to open by \(phrases.time(most))."
        case .likely(let half?, let most?):
            return "50 % likely to open by \(phrases.time(half)), 90 % by \(phrases.time(most))."
        }
    }

    /// Empty for a task that may run.
    package var paragraphs: [String] { outlook + lasting }

    /// How likely it runs by when.
    var outlook: [String] {
        // The gate's line already says that it runs at each boot.
        let isSaid = facts.isAtBoot == true && !facts.needsHost && !isStopped
        return facts.gates.isEmpty || isSaid || facts.awaitsEvent == true ? [] : [chances]
    }

    private var isStopped: Bool { facts.gates.contains { $0.opening == .never } }

    /// The changes that let it run now, and those that let it run by itself from now on.
    var lasting: [String] {
        guard !facts.gates.isEmpty else { return [] }
        var paragraphs: [String] = []
        if !facts.now.isEmpty { paragraphs.append("To run it now: " + list(facts.now) + ".") }
        if !facts.lasting.isEmpty {
            paragraphs.append("To have it run now by itself: " + list(facts.lasting) + ".")
        }
        return paragraphs
    }

    private var chances: String {
        if facts.isAtBoot == true, !isStopped {
            return "It runs once after each boot, if a host is started then; no host is running now."
        }
        if let unknown = facts.unknown {
            let host = facts.needsHost ? "No host is running, and " : ""
            return sentence(host + "no likelihood can be given: \(unknown).")
        }
        let left = facts.leftOut.map {
            $0 > facts.time
                ? "Its time \(phrases.when($0)) is left out: it can't be launched in time (`missed: skip`). "
                : "Its times since \(phrases.time($0)) are left out: they can't be launched in time (`missed: skip`). "
        }
        let text = (left ?? "") + (facts.needsHost ? "No host is running. If one is started now, " : "")
        return chances(after: text)
    }

    private func chances(after text: String) -> String {
        func sentence(_ clause: String) -> String {
            text.hasSuffix(", ") ? text + clause : text + self.sentence(clause)
        }
        if let certain = facts.certain {
            return sentence(
                "it runs \(phrases.when(certain)), \(phrases.relative(certain)): only time holds it back."
                    + (asked ?? ""))
        }
        guard facts.chances.contains(where: { $0.probability > 0 }) else {
            return sentence(
                (isStopped
                    ? "it does not run by itself."
                    : "it is under 1 % likely to run within 7 d.")
                    + (asked ?? ""))
        }
        let chances = facts.chances.enumerated().map { index, chance in
            Phrase.likelihood(chance.probability) + (index == 0 ? " likely to run " : " ") + by(chance.by)
        }
        let most = facts.most.map { " It is 90 % likely to have run by \(phrases.time($0))." } ?? ""
        return sentence("it is " + chances.joined(separator: ", ") + "." + most + (asked ?? ""))
    }

    private var asked: String? {
        facts.asked.map {
            " It is \(Phrase.likelihood($0.probability)) likely to run by \(phrases.time($0.by))."
        }
    }

    /// Near ones by their distance, far ones by their time.
    private func by(_ time: WallTime) -> String {
        let span = time - facts.time
        return span < .hours(24) ? "within \(Phrase.about(span))" : "by \(phrases.time(time))"
    }

    private func list(_ changes: [Outlook.Change]) -> String {
        changes.map(\.sentence).joined(separator: ", then ")
    }

    private func sentence(_ text: String) -> String { text.sentenceCased }
}

/// `lull why --json`: the verdict, and beside it the outlook.
package struct WhyJSON: Encodable {
    let verdict: VerdictJSON
    let outlook: OutlookJSON
    var feasibility: FeasibilityJSON?
    var historyTrouble: String?
    /// The command that it runs, and its place in the manifest.
    var command: String?
    var place: String?
    /// `BetterTool.sentence`.
    var hint: String?

    package init(
        verdict: VerdictJSON, outlook: OutlookJSON, feasibility: FeasibilityJSON? = nil,
        historyTrouble: String? = nil, command: String? = nil, place: String? = nil, hint: String? = nil
    ) {
        self.verdict = verdict
        self.outlook = outlook
        self.feasibility = feasibility
        self.historyTrouble = historyTrouble
        self.command = command
        self.place = place
        self.hint = hint
    }

    private enum CodingKeys: String, CodingKey {
        case outlook, feasibility, historyTrouble, command, place, hint
    }

    package func encode(to encoder: any Encoder) throws {
        try verdict.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(outlook, forKey: .outlook)
        try container.encodeIfPresent(feasibility, forKey: .feasibility)
        try container.encodeIfPresent(historyTrouble, forKey: .historyTrouble)
        try container.encodeIfPresent(command, forKey: .command)
        try container.encodeIfPresent(place, forKey: .place)
        try container.encodeIfPresent(hint, forKey: .hint)
    }
}

package struct OutlookJSON: Encodable {
    struct Opening: Encodable {
        let gate: GateName
        /// `by_time`, `likely`, `unknown` or `never`.
        let opens: String
        /// For `by_time`.
        let time: String?
        /// For `likely`: 50 % and 90 % likely to open by then.
        let halfBy: String?
        let mostBy: String?
        let reason: String?
    }
    struct Chance: Encodable {
        let until: String
        let ms: Int64
        let probability: Double
    }
    struct Change: Encodable {
        let gates: [GateName]
        let change: String
    }

    let openings: [Opening]
    let chances: [Chance]
    /// 90 % likely to run by then.
    let mostBy: String?
    let certain: String?
    /// The time of `at` that will be left out.
    let leftOut: String?
    /// Once each time the machine boots.
    let atBoot: Bool?
    let awaitsEvent: Bool?
    /// For the time of `--by`.
    let askedChance: Chance?
    let unknown: String?
    let needsHost: Bool
    let now: [Change]
    let lasting: [Change]

    package init(_ outlook: Outlook) {
        func chance(_ chance: Outlook.Chance) -> Chance {
            Chance(
                until: chance.by.rfc3339, ms: (chance.by - outlook.time).milliseconds,
                probability: chance.probability)
        }
        func change(_ change: Outlook.Change) -> Change {
            Change(gates: change.gates, change: change.sentence)
        }
        openings = outlook.gates.map(Self.opening)
        chances = outlook.chances.map(chance)
        mostBy = outlook.most?.rfc3339
        certain = outlook.certain?.rfc3339
        leftOut = outlook.leftOut?.rfc3339
        atBoot = outlook.isAtBoot
        awaitsEvent = outlook.awaitsEvent
        askedChance = outlook.asked.map(chance)
        unknown = outlook.unknown
        needsHost = outlook.needsHost
        now = outlook.now.map(change)
        lasting = outlook.lasting.map(change)
    }

    private static func opening(_ gate: Outlook.Gate) -> Opening {
        func opening(
            _ opens: String, time: WallTime? = nil, half: WallTime? = nil, most: WallTime? = nil,
            reason: String? = nil
        ) -> Opening {
            Opening(
                gate: gate.gate, opens: opens, time: time?.rfc3339, halfBy: half?.rfc3339,
                mostBy: most?.rfc3339, reason: reason)
        }
        return switch gate.opening {
        case .at(let time): opening("by_time", time: time)
        case .likely(let half, let most): opening("likely", half: half, most: most)
        case .unknown(let why): opening("unknown", reason: why)
        case .never: opening("never")
        }
    }
}

/// On how many days a task's constraints held.
package struct FeasibilityJSON: Encodable {
    let heldDays: Int
    let watchedDays: Int
    let longestWithoutDays: Int
    let isBound: Bool
    let names: [String]

    package init(_ feasibility: Feasibility) {
        (heldDays, watchedDays) = (feasibility.held, feasibility.watched)
        longestWithoutDays = feasibility.longestWithout
        (isBound, names) = (feasibility.isBound, feasibility.names)
    }
}
