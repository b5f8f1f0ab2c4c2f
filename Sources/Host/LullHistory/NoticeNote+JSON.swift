import LullModel

extension NoticeNote {
    /// The form in JSON Lines and in the table.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "id": .integer(Int64(clamping: id)), "kind": .string(kind.rawValue), "sink": .string(sink),
            "state": .string(state.rawValue),
        ]
        members["attempt"] = attempt.map { .integer(Int64($0)) }
        members["covers"] = covers.map { .integer(Int64($0)) }
        members["said"] = said?.json
        return .object(members)
    }

    /// Nil if a required member is missing or of another type; unknown keys are ignored.
    init?(json: JSONValue) {
        guard case .object(let members) = json, case .integer(let id)? = members["id"], id >= 0,
            let kind = members["kind"]?.string.flatMap(NoticeKind.init(rawValue:)),
            let sink = members["sink"]?.string,
            let state = members["state"]?.string.flatMap(State.init(rawValue:))
        else { return nil }
        self.init(id: UInt64(id), kind: kind, sink: sink, state: state)
        if case .integer(let attempt)? = members["attempt"] { self.attempt = Int(exactly: attempt) }
        said = members["said"].flatMap(NoticeText.init(json:))
        if case .integer(let covers)? = members["covers"] { self.covers = Int(exactly: covers) }
    }
}
