import LullHistory
import LullModel
import LullScheduler

/// An outlook in words: when a gate is likely to open, how likely the task runs by when, what lets it run now.
struct OutlookText {
    let outlook: Outlook
    let phrases: Phrases

    /// A sentence for the gate's line; nil: its verdict says it all.
    func opening(of gate: GateName) -> String? {
        guard let opening = outlook.gates.first(where: { $0.gate == gate })?.opening else { return nil }
        switch opening {
        case .at: return nil
        case .never: return "It does not open by itself."
        case .unknown(let clause): return clause.prefix(1).uppercased() + clause.dropFirst() + "."
        case .likely(nil, _): return "It is not likely to open within \(Phrases.span(Outlook.horizon))."
        case .likely(let half?, nil):
            return "Likely open by \(phrases.time(half)) (50 %), and later than in "
                + "\(Phrases.span(Outlook.horizon)) with more than 10 %."
        case .likely(let half?, let most?) where most - half < .minutes(1):
            return "Likely open by \(phrases.time(most)) (90 %)."
        case .likely(let half?, let most?):
            return "Likely open by \(phrases.time(half)) (50 %), by \(phrases.time(most)) (90 %)."
        }
    }

    /// Nothing for a task that may run.
    var paragraphs: [String] {
        guard !outlook.gates.isEmpty else { return [] }
        var paragraphs = [chances]
        if !outlook.now.isEmpty {
            paragraphs.append("To run it now: " + list(outlook.now) + ".")
        }
        if !outlook.lasting.isEmpty {
            paragraphs.append("To have it run now by itself: " + list(outlook.lasting) + ".")
        }
        return paragraphs
    }

    private var chances: String {
        var text = outlook.needsHost ? "No host is running. Were one started now: " : ""
        if let unknown = outlook.unknown {
            return sentence(text + "no likelihood can be given, for \(unknown).")
        }
        if let certain = outlook.certain {
            text += "it runs at \(phrases.time(certain)), \(phrases.relative(certain)), "
            return sentence(text + "for nothing but time holds it back." + (asked ?? ""))
        }
        guard outlook.chances.contains(where: { $0.probability > 0 }) else {
            let isStopped = outlook.gates.contains { $0.opening == .never }
            text +=
                isStopped ? "it does not run by itself." : "it is not likely to run within 7 d (under 1 %)."
            return sentence(text + (asked ?? ""))
        }
        text += "it runs " + outlook.chances.map(chance).joined(separator: ", ") + "."
        if let most = outlook.most { text += " With 90 % it has run by \(phrases.time(most))." }
        return sentence(text + (asked ?? ""))
    }

    private var asked: String? {
        outlook.asked.map { " By \(phrases.time($0.by)) it runs with \(Self.percent($0.probability))." }
    }

    /// Near ones by their distance, far ones by their time.
    private func chance(_ chance: Outlook.Chance) -> String {
        let span = chance.by - outlook.time
        let when = span < .hours(24) ? "within \(Phrases.span(span))" : "by \(phrases.time(chance.by))"
        return "\(when) with \(Self.percent(chance.probability))"
    }

    /// What is drawn is never sure.
    static func percent(_ probability: Double) -> String {
        let percent = Int((probability * 100).rounded())
        return percent < 1 ? "under 1 %" : percent > 99 ? "over 99 %" : "\(percent) %"
    }

    private func list(_ changes: [Outlook.Change]) -> String {
        changes.map(\.sentence).joined(separator: ", then ")
    }

    private func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

/// `lull why --json`: the verdict, and beside it the outlook.
struct WhyJSON: Encodable {
    let verdict: VerdictJSON
    let outlook: OutlookJSON
    var feasibility: Feasibility?

    private enum CodingKeys: String, CodingKey { case outlook, feasibility }

    func encode(to encoder: any Encoder) throws {
        try verdict.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(outlook, forKey: .outlook)
        try container.encodeIfPresent(feasibility, forKey: .feasibility)
    }
}

struct OutlookJSON: Encodable {
    struct Gate: Encodable {
        let gate: GateName
        /// `by_time`, `likely`, `unknown` or `never`.
        let opens: String
        let at: String?
        let half: String?
        let most: String?
        let reason: String?
    }
    struct Chance: Encodable {
        let by: String
        let ms: Int64
        let probability: Double
    }
    struct Change: Encodable {
        let gates: [GateName]
        let change: String
    }

    let gates: [Gate]
    let chances: [Chance]
    let most: String?
    let certain: String?
    let asked: Chance?
    let unknown: String?
    let needsHost: Bool
    let now: [Change]
    let lasting: [Change]

    init(_ outlook: Outlook) {
        func chance(_ chance: Outlook.Chance) -> Chance {
            Chance(
                by: chance.by.rfc3339, ms: (chance.by - outlook.time).milliseconds,
                probability: chance.probability)
        }
        func change(_ change: Outlook.Change) -> Change {
            Change(gates: change.gates, change: change.sentence)
        }
        gates = outlook.gates.map(Self.gate)
        chances = outlook.chances.map(chance)
        most = outlook.most?.rfc3339
        certain = outlook.certain?.rfc3339
        asked = outlook.asked.map(chance)
        unknown = outlook.unknown
        needsHost = outlook.needsHost
        now = outlook.now.map(change)
        lasting = outlook.lasting.map(change)
    }

    private static func gate(_ gate: Outlook.Gate) -> Gate {
        let name = gate.gate
        return switch gate.opening {
        case .at(let time):
            Gate(gate: name, opens: "by_time", at: time.rfc3339, half: nil, most: nil, reason: nil)
        case .likely(let half, let most):
            Gate(
                gate: name, opens: "likely", at: nil, half: half?.rfc3339, most: most?.rfc3339, reason: nil)
        case .unknown(let why):
            Gate(gate: name, opens: "unknown", at: nil, half: nil, most: nil, reason: why)
        case .never: Gate(gate: name, opens: "never", at: nil, half: nil, most: nil, reason: nil)
        }
    }
}
