public import LullModel

extension TransferNote {
    /// The form in JSON Lines and in the table: `{"id":17,"state":"paused"}`, with the members of its state.
    public var json: JSONValue {
        var members: [String: JSONValue] = ["id": .counting(id.number), "state": .string(state)]
        switch self {
        case .asked(_, let order): members["order"] = order.json
        case .interrupted(_, let until, let received):
            members["until"] = .string(until.rfc3339)
            if received != 0 { members["received"] = .integer(received) }
        case .challenged(_, let challenge): members["challenge"] = challenge.json
        case .answered(_, let answer): members["answer"] = answer.json
        case .finished(_, let result): members["result"] = result.json
        case .failed(_, let failure): members["failure"] = failure.json
        case .cancelled(_, let keepsPart): if keepsPart { members["keeps_part"] = true }
        case .paused(_, let byOperator), .resumed(_, let byOperator):
            if byOperator { members["by_operator"] = true }
        case .taking, .taken, .givenUp: break
        }
        return .object(members)
    }

    /// Nil if a required member is missing or of another type; unknown keys are ignored.
    public init?(json: JSONValue) {
        guard let members = JSONMembers(json), let id = members.count("id").map({ TransferID($0) }),
            let state = members.string("state")
        else { return nil }
        switch state {
        case "asked":
            guard let order = members["order"].flatMap(TransferOrder.init(json:)) else { return nil }
            self = .asked(id, order)
        case "interrupted":
            guard let until = members.time("until"), let received = members.integer("received", else: 0)
            else { return nil }
            self = .interrupted(id, until: until, received: received)
        case "challenged":
            guard let challenge = members["challenge"].flatMap(TransferChallenge.init(json:)) else {
                return nil
            }
            self = .challenged(id, challenge)
        case "answered":
            guard let answer = members["answer"].flatMap(TransferAnswer.init(json:)) else { return nil }
            self = .answered(id, answer)
        case "finished":
            guard let result = members["result"].flatMap(TransferResult.init(json:)) else { return nil }
            self = .finished(id, result)
        case "failed":
            guard let failure = members["failure"].flatMap(TransferFailure.init(json:)) else { return nil }
            self = .failed(id, failure)
        case "cancelled":
            guard let keepsPart = members.flag("keeps_part") else { return nil }
            self = .cancelled(id, keepsPart: keepsPart)
        case "paused", "resumed":
            guard let byOperator = members.flag("by_operator") else { return nil }
            self =
                state == "paused"
                ? .paused(id, byOperator: byOperator) : .resumed(id, byOperator: byOperator)
        case "taking": self = .taking(id)
        case "taken": self = .taken(id)
        case "given_up": self = .givenUp(id)
        default: return nil
        }
    }

    /// Tells it apart from other notes on transfers of the same time; the texts that the history removes are no part of it.
    var identity: String { "\(id.number) \(state)" }

    /// A word of the format.
    private var state: String {
        switch self {
        case .asked: "asked"
        case .interrupted: "interrupted"
        case .challenged: "challenged"
        case .answered: "answered"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .paused: "paused"
        case .resumed: "resumed"
        case .taking: "taking"
        case .taken: "taken"
        case .givenUp: "given_up"
        }
    }
}

extension TransferResult {
    var json: JSONValue {
        var members: [String: JSONValue] = ["status": .integer(Int64(status)), "url": .string(url)]
        if !headers.isEmpty { members["headers"] = headers.json }
        if received != 0 { members["received"] = .integer(received) }
        if sent != 0 { members["sent"] = .integer(sent) }
        return .object(members)
    }

    init?(json: JSONValue) {
        guard let members = JSONMembers(json), let status = members.int("status"),
            let url = members.string("url"), let headers = [TransferHeader](json: members["headers"] ?? []),
            let received = members.integer("received", else: 0), let sent = members.integer("sent", else: 0)
        else { return nil }
        self.init(status: status, url: url, headers: headers, received: received, sent: sent)
    }
}

extension TransferFailure {
    var json: JSONValue {
        var members: [String: JSONValue] = ["code": .integer(Int64(code)), "sentence": .string(sentence)]
        if isResumable { members["resumable"] = true }
        return .object(members)
    }

    init?(json: JSONValue) {
        guard let members = JSONMembers(json), let code = members.int("code"),
            let sentence = members.string("sentence"), let isResumable = members.flag("resumable")
        else { return nil }
        self.init(code: code, sentence: sentence, isResumable: isResumable)
    }
}

extension TransferChallenge {
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "method": .string(method.rawValue), "host": .string(host), "port": .integer(Int64(port)),
            "scheme": .string(scheme),
        ]
        members["realm"] = realm.map(JSONValue.string)
        if failures != 0 { members["failures"] = .integer(Int64(failures)) }
        if !sentence.isEmpty { members["sentence"] = .string(sentence) }
        return .object(members)
    }

    init?(json: JSONValue) {
        guard let members = JSONMembers(json),
            let method = members.string("method").flatMap(Method.init(rawValue:)),
            let host = members.string("host"), let port = members.int("port"),
            let scheme = members.string("scheme"), let failures = members.int("failures", else: 0),
            members.has("realm", as: \.string), members.has("sentence", as: \.string)
        else { return nil }
        self.init(
            method: method, host: host, port: port, scheme: scheme, realm: members.string("realm"),
            failures: failures, sentence: members.string("sentence") ?? "")
    }
}

extension TransferAnswer {
    /// A word, or a user with a password.
    var json: JSONValue {
        switch self {
        case .byDefault: "default"
        case .cancel: "cancel"
        case .reject: "reject"
        case .trust: "trust"
        case .nobody: "nobody"
        case .credential(let user, let password):
            ["user": .string(user), "password": .string(password)]
        }
    }

    init?(json: JSONValue) {
        switch json {
        case "default": self = .byDefault
        case "cancel": self = .cancel
        case "reject": self = .reject
        case "trust": self = .trust
        case "nobody": self = .nobody
        default:
            guard let members = JSONMembers(json), let user = members.string("user"),
                let password = members.string("password")
            else { return nil }
            self = .credential(user: user, password: password)
        }
    }
}
