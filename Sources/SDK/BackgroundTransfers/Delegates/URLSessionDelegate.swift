import Foundation
import FoundationNetworking

/// The delegate of a session.
///
/// FoundationNetworking's protocol, with the methods of a background session. For any other session FoundationNetworking calls
/// its own requirements, which call these.
///
/// As with Apple's, which come from Objective-C, the compiler asks nothing about Sendable of a delegate in Swift 5.
///
/// Apple: Foundation, `URLSessionDelegate`.
@preconcurrency
public protocol URLSessionDelegate: FoundationNetworking.URLSessionDelegate {
    /// All events of the session's transfers from the time when the app was away have been delivered. Call the handler that
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)` was given.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)

    /// The server's certificate is not trusted here, or the server wants one from the app.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)

    /// The async form; called in place of the method above if the delegate lacks that.
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

// The methods that FoundationNetworking calls.
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
