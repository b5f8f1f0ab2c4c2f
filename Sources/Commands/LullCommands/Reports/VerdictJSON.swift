import LullHistory
import LullModel

/// `lull why`.
package struct VerdictJSON: Encodable {
    struct Gate: Encodable {
        let gate: GateName
        let open: Bool
        let reason: String
        let since: String?
        let until: String?
        let closes: String?
        let remedy: String?
    }

    let task: TaskIdentifier
    let mayRun: Bool
    let gateStates: [Gate]
    let score: Double?
    /// When it is judged again.
    let judgedAgain: String?

    package init(_ verdict: Verdict) {
        task = verdict.task
        mayRun = verdict.mayRun
        gateStates = verdict.gates.map {
            Gate(
                gate: $0.gate, open: $0.isOpen, reason: $0.reason, since: $0.since?.rfc3339,
                until: $0.until?.rfc3339, closes: $0.closes?.rfc3339, remedy: $0.remedy)
        }
        score = verdict.score
        judgedAgain = verdict.next?.rfc3339
    }
}
