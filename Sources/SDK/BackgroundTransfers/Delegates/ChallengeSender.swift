import Foundation
import FoundationNetworking
import Synchronization

/// Where a challenge comes from that a background session hands to its delegate.
///
/// Apple asks the session's delegate method, or the task's where there is none, and nobody where neither is there. Swift can't ask
/// whether a delegate has a method, so what those do that nobody has written is noted here.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
    private let hasDeclined = Mutex(false)

    /// Whether the method that was asked is one that nobody has written. The next one is asked anew.
    func takeDecline() -> Bool {
        hasDeclined.withLock { declined in
            defer { declined = false }
            return declined
        }
    }

    /// Nobody has written a method for the challenge.
    static func isDeclined(_ challenge: URLAuthenticationChallenge) {
        (challenge.sender as? ChallengeSender)?.hasDeclined.withLock { $0 = true }
    }

    /// Asks the async method in place of the one with a handler.
    static func passOn(
        _ challenge: URLAuthenticationChallenge,
        to method:
            @escaping @Sendable (URLAuthenticationChallenge) async -> (
                URLSession.AuthChallengeDisposition, URLCredential?
            ),
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        Task {
            let (disposition, credential) = await method(challenge)
            completionHandler(disposition, credential)
        }
    }

    // Of old: who answers through the sender, and not through the handler, is not heard on Apple's systems either.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
