import CLullPlugin

/// Collects the requests that the host's `pending` visits, on the calling thread.
final class PendingRequests {
    private(set) var contents: [RequestContent] = []

    func append(_ request: UnsafePointer<lull_request>) {
        contents.append(RequestContent(request))
    }
}
