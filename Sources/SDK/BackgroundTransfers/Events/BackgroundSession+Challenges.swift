import Foundation
import FoundationNetworking

/// A server's challenges, and the app's answers.
extension BackgroundSession {
    func ask(_ challenge: TransferChallenge, of task: any TransferTask, _ session: URLSession) {
        let sender = ChallengeSender()
        let asked = URLAuthenticationChallenge(challenge, sender: sender)
        let number = task.transfer.number
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            [self] disposition, credential in
            let isNobodys = sender.takeDecline()
            try? table?.answer(isNobodys ? .nobody : .init(disposition, credential), to: number)
        }
        let tasks = session.delegate as? any URLSessionTaskDelegate
        guard challenge.isOfSession, let delegate = session.delegate as? any URLSessionDelegate else {
            guard let tasks else {
                // A session without any delegate does not decline: another session of the name may have one.
                if session.delegate != nil { ChallengeSender.isDeclined(asked) }
                return answer(.performDefaultHandling, nil)
            }
            return tasks.urlSession(session, task: task, didReceive: asked, completionHandler: answer)
        }
        delegate.urlSession(session, didReceive: asked) { [self] disposition, credential in
            guard let tasks, sender.takeDecline() else { return answer(disposition, credential) }
            tell { session in
                tasks.urlSession(session, task: task, didReceive: asked, completionHandler: answer)
            }
        }
    }
}

extension TransferChallenge {
    /// Apple calls the session's delegate method for these.
    fileprivate var isOfSession: Bool { method == .serverTrust || method == .clientCertificate }

    fileprivate var name: String {
        switch method {
        case .serverTrust: NSURLAuthenticationMethodServerTrust
        case .basic: NSURLAuthenticationMethodHTTPBasic
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .clientCertificate: NSURLAuthenticationMethodClientCertificate
        case .other: NSURLAuthenticationMethodDefault
        }
    }
}

extension URLAuthenticationChallenge {
    fileprivate convenience init(_ challenge: TransferChallenge, sender: ChallengeSender) {
        let space = URLProtectionSpace(
            host: challenge.host, port: challenge.port, protocol: challenge.scheme, realm: challenge.realm,
            authenticationMethod: challenge.name)
        self.init(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: challenge.failures,
            failureResponse: nil, error: nil, sender: sender)
    }
}

extension TransferTable.Answer {
    fileprivate init(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        switch disposition {
        case .useCredential:
            guard let credential else {
                self = .byDefault
                return
            }
            if credential.isTrust {
                self = .trust
            } else {
                self = .credential(user: credential.user ?? "", password: credential.password ?? "")
            }
        case .performDefaultHandling: self = .byDefault
        case .cancelAuthenticationChallenge: self = .cancel
        case .rejectProtectionSpace: self = .reject
        }
    }
}
