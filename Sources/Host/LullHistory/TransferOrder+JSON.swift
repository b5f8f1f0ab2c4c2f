import LullModel

extension TransferOrder {
    /// Default values are left out; durations are in milliseconds, a body is in base64.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "session": .string(session), "ordinal": .counting(ordinal),
            "direction": .string(direction.rawValue), "url": .string(url),
        ]
        if method != Self.usual.method { members["method"] = .string(method) }
        if !headers.isEmpty { members["headers"] = headers.json }
        members["body"] = body.map { .string(Base64.encode($0.bytes)) }
        members["file"] = file.map(JSONValue.string)
        members["label"] = label.map(JSONValue.string)
        if isDiscretionary { members["discretionary"] = true }
        if !allowsExpensive { members["expensive"] = false }
        if !allowsConstrained { members["constrained"] = false }
        if !sendsLaunchEvents { members["launches"] = false }
        if asksChallenges { members["challenges"] = true }
        members["earliest_begin"] = earliestBegin.map { .string($0.rfc3339) }
        members["to_send"] = expectedToSend.map(JSONValue.integer)
        members["to_receive"] = expectedToReceive.map(JSONValue.integer)
        if idleLimit != Self.usual.idleLimit { members["idle_ms"] = .integer(idleLimit.milliseconds) }
        if wholeLimit != Self.usual.wholeLimit { members["whole_ms"] = .integer(wholeLimit.milliseconds) }
        members["resumes"] = resumes.map { .counting($0.number) }
        return .object(members)
    }

    /// Nil if a required member is missing, a member is of another type, or `file` does not name a file for an upload.
    /// Unknown keys are ignored.
    init?(json: JSONValue) {
        guard let members = JSONMembers(json), let session = members.string("session"),
            let ordinal = members.count("ordinal"), let url = members.string("url"),
            let direction = members.string("direction").flatMap(Direction.init(rawValue:)),
            let headers = [TransferHeader](json: members["headers"] ?? [])
        else { return nil }
        self.init(session: session, ordinal: ordinal, direction: direction, url: url, headers: headers)
        guard readTexts(of: members), readFlags(of: members), readNumbers(of: members) else { return nil }
    }

    private mutating func readTexts(of members: JSONMembers) -> Bool {
        guard members.has("method", as: \.string), members.has("file", as: \.string),
            members.has("label", as: \.string), members.has("body", as: \.string),
            members.string("file").map(TransferFiles.isUpload) != false
        else { return false }
        method = members.string("method") ?? method
        (file, label) = (members.string("file"), members.string("label"))
        guard let text = members.string("body") else { return true }
        body = Base64.decode(text).map { TransferBody($0) }
        return body != nil
    }

    private mutating func readFlags(of members: JSONMembers) -> Bool {
        guard let discretionary = members.flag("discretionary"),
            let expensive = members.flag("expensive", else: true),
            let constrained = members.flag("constrained", else: true),
            let launches = members.flag("launches", else: true), let challenges = members.flag("challenges")
        else { return false }
        (isDiscretionary, allowsExpensive, allowsConstrained) = (discretionary, expensive, constrained)
        (sendsLaunchEvents, asksChallenges) = (launches, challenges)
        return true
    }

    private mutating func readNumbers(of members: JSONMembers) -> Bool {
        guard let idle = members.integer("idle_ms", else: idleLimit.milliseconds), idle >= 0,
            let whole = members.integer("whole_ms", else: wholeLimit.milliseconds), whole >= 0,
            members.has("to_send", as: \.integer), members.has("to_receive", as: \.integer),
            members.has("resumes", as: \.integer),
            members["earliest_begin"] == nil || members.time("earliest_begin") != nil
        else { return false }
        (idleLimit, wholeLimit) = (.milliseconds(idle), .milliseconds(whole))
        earliestBegin = members.time("earliest_begin")
        (expectedToSend, expectedToReceive) = (members.integer("to_send"), members.integer("to_receive"))
        resumes = members.count("resumes").map { TransferID($0) }
        return true
    }

    private static let usual = TransferOrder(session: "", ordinal: 0, direction: .download, url: "")
}

extension [TransferHeader] {
    /// Pairs of a name and a value, in their order: a name may repeat.
    var json: JSONValue { .array(map { [.string($0.name), .string($0.value)] }) }

    init?(json: JSONValue) {
        guard case .array(let pairs) = json else { return nil }
        self = []
        for pair in pairs {
            guard case .array(let texts) = pair, texts.count == 2, let name = texts[0].string,
                let value = texts[1].string
            else { return nil }
            append(TransferHeader(name, value))
        }
    }
}
