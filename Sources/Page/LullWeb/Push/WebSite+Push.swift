import LullControl
import LullHistory
import LullManifest
import LullModel

/// `POST /push/APP`: hands a message from outside to the host, which has it in its history before this answers.
extension WebSite {
    nonisolated func push(to app: AppIdentifier, _ request: Request) async throws -> WebReply {
        guard let pushes else { throw WebRefusal(404, "This page accepts no pushes.") }
        let claim = PushGuard.Claim(
            authorization: request.client.authorization, signature: request.signature, body: request.body)
        var rules: PushRules?
        var isSigned = false
        switch pushes.hasToken(claim, of: app) {
        case true?: rules = try await answers.pushRules(of: app)
        case false?: throw pushes.refusal(of: app)
        case nil:
            // A request with neither token nor signature does not reach the host.
            guard claim.signature != nil else { throw pushes.refusal(of: app) }
            rules = try await answers.pushRules(of: app)
            if let file = rules?.secretFile { await tell(of: app, secretIn: file, pushes) }
            isSigned = pushes.isSigned(claim, by: rules?.secretFile)
            guard isSigned else { throw pushes.refusal(of: app) }
        }
        guard let rules else { throw WebRefusal(409, "\(app) takes no pushes.") }
        guard request.body.count <= rules.maxBytes else {
            throw WebRefusal(
                413,
                "The payload is \(request.body.count) bytes long, but \(app) takes at most \(rules.maxBytes)."
            )
        }
        let push = Push(
            payload: try payload(of: request), isUrgent: request.query["urgent"] == "true", source: .http)
        if isSigned, push.isUrgent {
            throw WebRefusal(
                403,
                "A signature covers the body, not the address, so it can't make a push urgent. Leave `?urgent=true` out, or send "
                    + "the token of \(app).")
        }
        if isSigned, let ago = pushes.repetition(of: claim, to: app, at: .now) { return .done(repeated(ago)) }
        do {
            var reply = try await carryOut(Ask.Push(push, to: app))
            reply.status = 202
            return reply
        } catch {
            pushes.forget(claim, to: app)
            throw error
        }
    }

    private nonisolated func repeated(_ ago: Duration) -> OrderAnswer {
        OrderAnswer(
            "The same body came \(Phrase.span(ago)) ago, and was accepted then: a signed body counts once in "
                + "\(Phrase.span(PushGuard.remembers)). Put a time or a number into it, or send the app's token.",
            wasSo: true)
    }

    /// The sender learns only that its signature is wrong; the host's status has the reason.
    private nonisolated func tell(of app: AppIdentifier, secretIn file: String, _ pushes: PushGuard) async {
        guard let isRead = pushes.change(of: app, secretIn: file) else { return }
        let trouble =
            "\(file), its `secret_file`, "
            + (PushGuard.opening(to: file).map { "is not safe: \($0.message). To mend that, \($0.fix). A" }
                ?? "is missing, can't be read or has fewer than 8 bytes, so a")
            + " signed push was refused. Lull reads it again at each push."
        _ = try? await answers.carryOut(Ask.PushHindrance(of: app, .http, isRead ? nil : trouble), for: nil)
    }

    private nonisolated func payload(of request: Request) throws -> String {
        if request.body.isEmpty { return "{}" }
        if request.contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            throw WebRefusal(415, "The payload is a form. Let the webhook send application/json.")
        }
        guard let text = String(validating: request.body, as: UTF8.self), JSONValue(text: text) != nil else {
            throw WebRefusal(400, Push.notJSON)
        }
        return text
    }
}
