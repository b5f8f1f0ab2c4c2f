import Foundation
import FoundationNetworking

// The methods that FoundationNetworking calls for a session that is no background session.
extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: FoundationNetworking.URLSession, task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let session = session as? URLSession else { return }
        urlSession(session, task: task, didCompleteWithError: error)
    }

    public func urlSession(
        _ session: FoundationNetworking.URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        guard let session = session as? URLSession else { return }
        urlSession(
            session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    public func urlSession(
        _ session: FoundationNetworking.URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let session = session as? URLSession else {
            return completionHandler(.performDefaultHandling, nil)
        }
        urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }

    public func urlSession(
        _ session: FoundationNetworking.URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let session = session as? URLSession else { return completionHandler(request) }
        urlSession(
            session, task: task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
    }

    public func urlSession(
        _ session: FoundationNetworking.URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let session = session as? URLSession else { return completionHandler(nil) }
        urlSession(session, task: task, needNewBodyStream: completionHandler)
    }

    public func urlSession(
        _ session: FoundationNetworking.URLSession, task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler:
            @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        guard let session = session as? URLSession else { return completionHandler(.continueLoading, nil) }
        urlSession(
            session, task: task, willBeginDelayedRequest: request, completionHandler: completionHandler)
    }

    public func urlSession(
        _ session: FoundationNetworking.URLSession, task: URLSessionTask,
        didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        guard let session = session as? URLSession else { return }
        urlSession(session, task: task, didFinishCollecting: metrics)
    }
}
