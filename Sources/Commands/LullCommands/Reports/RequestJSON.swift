import LullHistory
import LullModel

/// `lull pending`.
package struct RequestJSON: Encodable {
    let request: RequestID
    let task: TaskIdentifier
    let app: AppIdentifier
    let kind: Kind
    let origin: TaskRequest.Origin
    /// The operator who made it.
    let by: String?
    let submitted: String
    let earliestBegin: String?
    /// The next time of `at`, without the shift of `spread`.
    let due: String?
    let awaitsBoot: Bool?
    let title: String?
    let subtitle: String?
    /// The events of `on` that it stands for.
    let triggerEvent: JSONValue?
    /// The values that were given for parameters.
    let params: [String: String]?

    package init(_ request: TaskRequest) {
        self.request = request.id
        task = request.task
        app = request.app
        kind = request.kind
        origin = request.origin
        by = request.by
        submitted = request.submitted.rfc3339
        earliestBegin = request.earliestBegin?.rfc3339
        due = request.occurrence?.time?.rfc3339
        awaitsBoot = request.awaitsBoot ? true : nil
        title = request.label?.title
        subtitle = request.label?.subtitle
        triggerEvent = request.triggerEvent?.json
        params = request.params
    }
}
