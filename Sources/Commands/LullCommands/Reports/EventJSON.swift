import LullHistory
import LullModel

/// An event as the history's JSON Lines have it, without the fields of requests and discoveries.
package struct EventJSON: Encodable {
    let time: String
    let event: HistoryEvent.Name
    let app: AppIdentifier
    let task: TaskIdentifier?
    let request: RequestID?
    let run: RunID?
    let outcome: Outcome?
    let ms: Int64?
    let triggerEvent: JSONValue?
    let params: [String: String]?
    let reason: String?

    package init(_ event: HistoryEvent) {
        time = event.time.rfc3339
        self.event = event.event
        app = event.app
        task = event.task
        request = event.request
        run = event.run
        outcome = event.outcome
        ms = event.milliseconds
        triggerEvent = event.triggerEvent?.json
        params = event.params
        reason = event.reason
    }
}
