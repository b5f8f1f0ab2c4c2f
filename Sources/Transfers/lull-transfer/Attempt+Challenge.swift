import LullModel
import LullTransfers

/// Challenges of servers, and the app's answers to them.
extension Attempt {
    /// The method by which the server wants the client to authenticate; nil: none that is known here.
    private var wayOfAsking: TransferChallenge.Method? {
        let ways = head.headers.values("www-authenticate").map { $0.lowercased() }
        if ways.contains(where: { $0.hasPrefix("digest") }) { return .digest }
        return ways.contains { $0.hasPrefix("basic") } ? .basic : nil
    }

    /// What follows an answer 401; nil: the transfer is finished with that answer.
    func answerChallenge(_ hop: Hop) -> Next? {
        guard let method = wayOfAsking else { return nil }
        var failures = 0
        if let given = answer(at: hop.place, ofCertificate: false) {
            guard case .credential = given.answer else { return nil }
            guard credential?.place == hop.place else { return .credential(method) }
            failures = given.challenge.failures + 1
        }
        guard start.order.asksChallenges else { return nil }
        let header = head.headers.values("www-authenticate").joined(separator: ", ")
        return .end(
            .challenged(
                TransferChallenge(
                    method: method, host: hop.place.host, port: hop.place.port, scheme: hop.place.scheme,
                    realm: Self.realm(header), failures: failures, sentence: header.terminalSafe)))
    }

    /// Handles a server's certificate that this system does not trust.
    func answerMistrust(_ hop: Hop, _ reason: String) {
        let given = answer(at: hop.place, ofCertificate: true)
        if given?.answer == .trust, trustedPlace != hop.place {
            trustedPlace = hop.place
            return request()
        }
        guard given == nil, start.order.asksChallenges else {
            return fail(
                TransferFailure.Code.serverCertificateUntrusted,
                "The certificate of \(hop.place.host.terminalSafe) is not trusted: \(reason). Give the server one that is, "
                    + "or install its authority's (`update-ca-certificates`).")
        }
        end(
            .challenged(
                TransferChallenge(
                    method: .serverTrust, host: hop.place.host, port: hop.place.port,
                    scheme: hop.place.scheme, failures: 0, sentence: reason)))
    }

    /// The app's answer to this place; its answers to others are not used for it.
    func answer(at place: Place, ofCertificate: Bool) -> GivenAnswer? {
        start.answers.last {
            $0.holds(
                forCertificate: ofCertificate, scheme: place.scheme, host: place.host, port: place.port)
        }
    }

    private static func realm(_ header: String) -> String? {
        guard let range = header.lowercased().firstRange(of: "realm=\"") else { return nil }
        // Lower case may be of other length.
        let distance = header.lowercased().distance(
            from: header.lowercased().startIndex, to: range.upperBound)
        return String(header.dropFirst(distance).prefix { $0 != "\"" })
    }
}
