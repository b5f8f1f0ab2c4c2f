import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTransfers

/// The challenges of a server, and the effects of the delegate's answer.
@Suite(.timeLimit(.minutes(20))) struct ChallengeTests {
    private let host = TransferHost()
    private let name = UUID().uuidString

    private func answer(_ challenge: Int, to delegate: any URLSessionDelegate) async throws -> [String] {
        let session = TransferTable.$replaced.withValue(host.table) {
            URLSession(
                configuration: .background(withIdentifier: name), delegate: delegate, delegateQueue: nil)
        }
        session.downloadTask(with: try #require(URL(string: "https://example.org/a"))).resume()
        host.change(1, in: name) { kept in
            kept.phase = lull_transfer_phase(LULL_TRANSFER_CHALLENGED)
            (kept.challenge, kept.failures) = (lull_challenge(challenge), 2)
        }
        while host.record.withLock(\.answers.isEmpty) { await Task.yield() }
        return host.record.withLock(\.answers)
    }

    @Test(
        arguments: [LULL_CHALLENGE_SERVER_TRUST, LULL_CHALLENGE_BASIC, LULL_CHALLENGE_DIGEST], [true, false])
    func `who has written no method has it handled by default, and is not launched for it again`(
        challenge: Int, hearsOfTasks: Bool
    ) async throws {
        let delegate: any URLSessionDelegate = hearsOfTasks ? Listener() : PlainDelegate()
        #expect(try await answer(challenge, to: delegate) == ["5"])
    }

    @Test func `who leaves it to the default is asked again`() async throws {
        #expect(try await answer(LULL_CHALLENGE_CLIENT_CERTIFICATE, to: TrustAnswerer()) == ["1"])
    }

    @Test func `who answers for the certificate alone has no method for a password`() async throws {
        #expect(try await answer(LULL_CHALLENGE_BASIC, to: TrustAnswerer()) == ["5"])
    }

    @Test func `a name and a password are asked of the task's method`() async throws {
        let delegate = TaskAnswerer()
        #expect(try await answer(LULL_CHALLENGE_BASIC, to: delegate) == ["0 user 2 realm"])
    }

    @Test func `a certificate is asked of the session's method`() async throws {
        #expect(try await answer(LULL_CHALLENGE_SERVER_TRUST, to: TrustAnswerer()) == ["4"])
    }

    @Test func `a certificate is asked of the task's method where that is the only one`() async throws {
        #expect(try await answer(LULL_CHALLENGE_SERVER_TRUST, to: TaskAnswerer()) == ["2"])
    }

    @Test func `a method that waits answers as well`() async throws {
        #expect(try await answer(LULL_CHALLENGE_CLIENT_CERTIFICATE, to: AsyncAnswerer()) == ["3"])
    }
}

/// Has no methods for tasks.
private final class PlainDelegate: NSObject, URLSessionDelegate {}

/// Answers the challenges of its task.
private final class TaskAnswerer: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        guard space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic else {
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(
            .useCredential,
            URLCredential(
                user: "user", password: "\(challenge.previousFailureCount) \(space.realm ?? "")",
                persistence: .none))
    }
}

/// Trusts the server, as apps do on iOS.
private final class TrustAnswerer: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust, trust.host == "example.org" else {
            return completionHandler(.performDefaultHandling, nil)
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}

/// Answers from an async method.
private final class AsyncAnswerer: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await Task.yield()
        return (.rejectProtectionSpace, nil)
    }
}
