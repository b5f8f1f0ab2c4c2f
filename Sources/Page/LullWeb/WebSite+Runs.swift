import Foundation
import LullAnswers
import LullHistory
import LullModel

/// The list of runs, and one of them.
extension WebSite {
    nonisolated func runs(_ query: [String: String], showsPrinted: Bool) async throws -> WebReply {
        var asked = RunQuery(showsPrinted: showsPrinted)
        for (key, value) in query {
            switch key {
            case "app": asked.app = try Self.known(AppIdentifier(value), key, value, "an app's identifier")
            case "task": asked.task = try Self.known(TaskIdentifier(value), key, value, "a task's identifier")
            case "outcome":
                asked.ending = try Self.known(
                    RunQuery.Ending(rawValue: value), key, value, "failed, succeeded or running")
            case "text":
                guard value.count <= RunQuery.mostText else {
                    throw WebRefusal(400, "text may have \(RunQuery.mostText) characters.")
                }
                asked.text = value
            case "since": asked.since = try Self.time(key, value)
            case "until": asked.until = try Self.time(key, value)
            case "limit":
                asked.limit = min(try Self.count(key, value), RunQuery.mostRows)
            default:
                throw WebRefusal(
                    400,
                    "'\(key)' is not known here. The keys here are: app, task, outcome, text, since, until and limit."
                )
            }
        }
        return WebReply(body: WebJSON.encode(RunListJSON(try await answers.runs(asked))))
    }
}

/// A list of runs as a format (`docs/web.md`).
struct RunListJSON: Encodable {
    struct Row: Encodable {
        let run: RunID?
        let app: AppIdentifier
        let task: TaskIdentifier?
        let origin: TaskRequest.Origin?
        let by: String?
        let attempt: Int?
        let attempts: Int?
        /// The time of `at` that the run was for.
        let due: String?
        let launched: String?
        let ended: String?
        let ms: Int64?
        let outcome: Outcome?
        let exitCode: UInt8?
        let failed: Bool?
        let reason: String?
        let printed: [String]?
        let printedHidden: Bool?
    }

    let runs: [Row]
    let earlier: String?

    init(_ list: RunList) {
        runs = list.rows.map {
            Row(
                run: $0.run, app: $0.app, task: $0.task, origin: $0.origin, by: $0.by,
                attempt: $0.attempt?.number,
                attempts: $0.attempt?.most,
                due: $0.time?.rfc3339,
                launched: $0.launched?.rfc3339, ended: $0.ended?.rfc3339, ms: $0.milliseconds,
                outcome: $0.outcome, exitCode: $0.exitCode, failed: $0.outcome == nil ? nil : $0.isFailure,
                reason: $0.reason, printed: $0.printed.isEmpty ? nil : $0.printed,
                printedHidden: $0.hidesPrinted ? true : nil)
        }
        earlier = list.earlier?.rfc3339
    }
}
