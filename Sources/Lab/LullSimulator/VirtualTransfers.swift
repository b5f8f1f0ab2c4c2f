import LullModel

/// The process that transfers, and its files: they outlive the host.
struct VirtualTransfers: Sendable {
    struct Attempt: Sendable {
        let app: AppIdentifier
        let start: TransferStart
        let host: Int
    }

    /// The most bytes that an interrupted attempt has received.
    static let mostReceived: Int64 = 1000

    var random = SeededGenerator(seed: 0)
    var underWay: [TransferID: Attempt] = [:]
    /// Whole files, by their stems.
    var done: [UInt64: TransferResult] = [:]

    /// Attempts under way may go on to their end, if the machine is not off: their files are there, and no report.
    mutating func hostDied(leaves: Bool) {
        for known in underWay.sorted(by: { $0.key < $1.key }).map(\.value) where leaves {
            if random.chance(0.5) { _ = outcome(of: known.start) }
        }
        underWay = [:]
    }

    /// A challenge of one of its servers. One that was answered for good is not repeated.
    private mutating func question(to start: TransferStart) -> TransferNews {
        var challenge = TransferChallenge(
            method: random.chance(0.5) ? .serverTrust : .basic,
            host: random.chance(0.5) ? "example.com" : "mirror.example.com", port: 443, scheme: "https")
        guard let given = start.answers.last(where: { $0.holds(for: challenge) }) else {
            return .challenged(challenge)
        }
        guard case .credential = given.answer else {
            return .failed(
                TransferFailure(
                    code: TransferFailure.Code.cancelledAuthentication, sentence: "it is not let in"))
        }
        challenge.failures = given.challenge.failures + 1
        return .challenged(challenge)
    }

    /// The outcome of an attempt.
    mutating func outcome(of start: TransferStart) -> TransferNews {
        if let result = done[start.stem] { return .finished(result) }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<10:
            let bytes = Int64.random(in: 0...1_000_000, using: &random)
            let result = TransferResult(
                status: 200, url: start.order.url, headers: [], received: bytes, sent: 0)
            done[start.stem] = result
            return .finished(result)
        case 10..<17:
            let asked: Duration? =
                random.chance(0.3) ? .seconds(Int.random(in: 1...7_200, using: &random)) : nil
            return .interrupted(
                sentence: "the connection was lost", retryAfter: asked,
                received: Int64.random(in: 0...Self.mostReceived, using: &random))
        case 17...18 where start.order.asksChallenges:
            return question(to: start)
        default:
            return .failed(
                TransferFailure(
                    code: TransferFailure.Code.badServerResponse, sentence: "the server makes no sense",
                    isResumable: random.chance(0.3)))
        }
    }
}
