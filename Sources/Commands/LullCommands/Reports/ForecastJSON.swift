import LullHistory
import LullModel

// A format, documented field by field in docs/forecast.md; as all of them with times in RFC 3339 and spans in `ms`.

/// `lull forecast APP`.
package struct ForecastJSON: Encodable {
    struct Uses: Encodable {
        let count: Int
        let isMore: Bool
        let since: String?
        let last: String?
    }

    struct Span: Encodable {
        let from: String
        let to: String
        let probability: Double

        init(_ span: ForecastReport.Span) {
            from = span.from.rfc3339
            to = span.to.rfc3339
            probability = span.probability
        }
    }

    struct Within: Encodable {
        let ms: Int64
        let probability: Double
    }

    struct Launch: Encodable {
        let time: String
        let freshUntil: String
        let chance: Double?
        let price: Double?
        let reason: String
    }

    struct Refresh: Encodable {
        let task: TaskIdentifier
        let running: Bool
        let mayRun: Bool
        let planned: String?
        let decided: String?
        let launches: [Launch]
        /// The closed gates.
        let gateStates: [VerdictJSON.Gate]
        let reason: String

        init(_ refresh: ForecastReport.Refresh) {
            task = refresh.task
            running = refresh.isRunning
            mayRun = refresh.mayRun
            planned = refresh.planned?.rfc3339
            decided = refresh.decided?.rfc3339
            launches = refresh.launches.map {
                Launch(
                    time: $0.time.rfc3339, freshUntil: $0.freshUntil.rfc3339, chance: $0.chance,
                    price: $0.price,
                    reason: $0.reason)
            }
            gateStates = VerdictJSON(Verdict(task: refresh.task, gates: refresh.closed)).gateStates
            reason = refresh.reason
        }
    }

    let app: AppIdentifier
    let time: String
    let zone: String
    let uses: Uses
    let evidence: Double
    let neededEvidence: Double
    let reliedOn: Bool
    let hours: [Double]
    let usesWithin: [Within]
    let likelyUntil: String
    let likelyUses: [Span]
    let refreshes: [Refresh]
    let pastLaunches: [String]

    package init(_ report: ForecastReport, _ past: ForecastPast) {
        app = report.app
        time = report.time.rfc3339
        zone = report.zone.name
        uses = Uses(
            count: past.uses, isMore: past.isMore, since: past.firstUse?.rfc3339,
            last: report.lastUse?.rfc3339)
        evidence = report.evidence
        neededEvidence = report.confidence
        reliedOn = report.isReliedOn
        hours = report.hours
        usesWithin = report.within.map {
            Within(ms: ($0.to - $0.from).milliseconds, probability: $0.probability)
        }
        likelyUntil = report.until.rfc3339
        likelyUses = report.likely.map(Span.init)
        refreshes = report.refreshes.map(Refresh.init)
        pastLaunches = past.launches.map(\.rfc3339)
    }
}

/// `lull forecast`.
package struct ForecastSummaryJSON: Encodable {
    let app: AppIdentifier
    let evidence: Double
    let neededEvidence: Double
    let reliedOn: Bool
    let lastUse: String?
    let nextUse: ForecastJSON.Span?
    let nextTask: TaskIdentifier?
    let nextLaunch: String?
    let heldBy: String?

    package init(_ summary: ForecastSummary) {
        app = summary.app
        evidence = summary.evidence
        neededEvidence = summary.confidence
        reliedOn = summary.isReliedOn
        lastUse = summary.lastUse?.rfc3339
        nextUse = summary.next.map(ForecastJSON.Span.init)
        nextTask = summary.task
        nextLaunch = summary.launch?.rfc3339
        heldBy = summary.heldBy
    }
}
