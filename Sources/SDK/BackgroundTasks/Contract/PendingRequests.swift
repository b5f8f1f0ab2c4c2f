import CLullPlugin

/// Gathers what the host's `pending` visits, on the thread that asked.
final class PendingRequests {
    private(set) var contents: [RequestContent] = []

    func append(_ request: UnsafePointer<lull_request>) {
        contents.append(RequestContent(request))
    }
}
