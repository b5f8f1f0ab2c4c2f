extension TransferNote {
    /// For a line of the history: "asked for a download of https://example.com/a.iso (t17)". The event's reason says why.
    ///
    /// - Parameter time: formats a moment for the reader of the line.
    public func words(_ time: (WallTime) -> String) -> String {
        switch self {
        case .asked(_, let order): "asked for \(order.deed) (\(id))"
        case .interrupted(_, let until, let received):
            "\(id) was interrupted" + (received > 0 ? " at \(Phrase.size(received))" : "")
                + "; tried again \(time(until))"
        case .challenged(_, let challenge): "\(id) waits for the app's answer: \(challenge.words)"
        case .answered(_, let answer): "\(id) goes on: \(answer.words)"
        case .finished(_, let result): "\(id) finished: \(result.words)"
        case .failed(_, let failure): "\(id) failed for good (\(failure.code))"
        case .cancelled(_, let keepsPart):
            "\(id) was cancelled" + (keepsPart ? "; the part received is kept" : "")
        case .paused: "\(id) was paused"
        case .resumed: "\(id) was resumed"
        case .taking: "the app receives the result of \(id)"
        case .taken: "the app received the result of \(id)"
        case .givenUp: "\(id) was given up: the app never fetched its result"
        }
    }
}

extension TransferOrder {
    /// "a download of https://example.com/a.iso", "an upload to https://example.com/in".
    public var deed: String {
        switch direction {
        case .download: "a download of \(shownURL)"
        case .upload: "an upload to \(shownURL)"
        }
    }
}

extension TransferResult {
    /// "status 200, 3.2 GiB received".
    public var words: String {
        let sizes = [
            received > 0 || sent == 0 ? "\(Phrase.size(received)) received" : nil,
            sent > 0 ? "\(Phrase.size(sent)) sent" : nil,
        ]
        return (["status \(status)"] + sizes.compactMap(\.self)).joined(separator: ", ")
    }
}

extension TransferChallenge {
    /// "example.com asks for a password".
    public var words: String {
        switch method {
        case .serverTrust: "this system does not trust the certificate of \(host)"
        case .basic, .digest:
            "\(host) asks for a password" + (failures > 0 ? ", and did not accept the last one" : "")
        case .clientCertificate: "\(host) asks for a client certificate"
        }
    }
}

extension TransferAnswer {
    /// "the app trusts the certificate".
    public var words: String {
        switch self {
        case .byDefault: "the app chose the default"
        case .cancel: "the app cancels it"
        case .reject: "the app rejects this authentication method"
        case .trust: "the app trusts the certificate"
        case .credential: "the app gave a password"
        case .nobody: "the app does not answer this challenge, so the default applies"
        }
    }
}

extension TransferState {
    /// For a notice: "t17, a download of https://example.com/a.iso, failed for good: There is no such host."; nil: no failure.
    public var failureReason: String? {
        failure.map { "\(id), \(order.deed), failed for good: \($0.sentence)" }
    }
}
