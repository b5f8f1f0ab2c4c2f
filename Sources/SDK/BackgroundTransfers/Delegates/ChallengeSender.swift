import Foundation
import FoundationNetworking
import Synchronization

/// The sender of a challenge that a background session hands to its delegate.
///
/// Apple calls the session's delegate method, else the task's, else none. Swift can't ask whether a delegate has a method, so
/// the default implementations note here that they were called.
final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
    private let hasDeclined = Mutex(false)

    /// Whether a default implementation was called. Clears the note.
    func takeDecline() -> Bool {
        hasDeclined.withLock { declined in
            defer { declined = false }
            return declined
        }
    }

    /// Notes that a default implementation was called for the challenge.
    static func isDeclined(_ challenge: URLAuthenticationChallenge) {
        (challenge.sender as? ChallengeSender)?.hasDeclined.withLock { $0 = true }
    }

    /// Calls the async method in place of the one with a handler.
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

    // Deprecated: Apple's systems ignore answers through the sender as well. Only the handler counts.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
