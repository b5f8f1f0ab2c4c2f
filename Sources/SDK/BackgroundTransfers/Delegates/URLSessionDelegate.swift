import Foundation
import FoundationNetworking

/// Who hears what becomes of a session.
///
/// FoundationNetworking's protocol with what a background session tells. Of any other session FoundationNetworking calls its
/// own requirements, which are answered here by calling these.
///
/// As with Apple's, which come from Objective-C, the compiler asks nothing about Sendable of a delegate in Swift 5.
///
/// Apple: Foundation, `URLSessionDelegate`.
@preconcurrency
public protocol URLSessionDelegate: FoundationNetworking.URLSessionDelegate {
    /// All that became of the session's transfers while the app was away has been told. Call the handler that
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)` was given.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// The server's certificate is trusted by nobody here, or it wants one of the app.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

    /// The same, where one may wait; called in place of the above by whoever does not write that.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

// On Apple's systems all of them are optional.
extension URLSessionDelegate {
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}

    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        ChallengeSender.passOn(challenge) { [self] challenge in
            await urlSession(session, didReceive: challenge)
        } completionHandler: {
            completionHandler($0, $1)
        }
    }

    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        ChallengeSender.isDeclined(challenge)
        return (.performDefaultHandling, nil)
    }
}

// What FoundationNetworking calls.
extension URLSessionDelegate {
    public func urlSession(
        _ session: FoundationNetworking.URLSession, didBecomeInvalidWithError error: (any Error)?
    ) {
        guard let session = session as? URLSession else { return }
        urlSession(session, didBecomeInvalidWithError: error)
    }

    public func urlSession(
        _ session: FoundationNetworking.URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let session = session as? URLSession else {
            return completionHandler(.performDefaultHandling, nil)
        }
        urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    }
}
