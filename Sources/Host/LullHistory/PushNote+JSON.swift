import LullModel

extension PushNote {
    /// `{"from":"http","merged":2,"payload":"…","urgent":true}`; a 0, a false and a missing payload are left out.
    var json: JSONValue {
        var members: [String: JSONValue] = ["from": .string(source.rawValue)]
        if merged > 0 { members["merged"] = .integer(Int64(merged)) }
        if isUrgent { members["urgent"] = .bool(true) }
        if let payload { members["payload"] = .string(payload) }
        return .object(members)
    }

    init?(json: JSONValue) {
        guard case .object(let members) = json, case .string(let from)? = members["from"],
            let source = Push.Source(rawValue: from)
        else { return nil }
        var note = PushNote(payload: nil, source: source)
        switch members["merged"] {
        case nil: break
        case .integer(let merged): note.merged = max(0, Int(clamping: merged))
        default: return nil
        }
        switch members["urgent"] {
        case nil: break
        case .bool(let isUrgent): note.isUrgent = isUrgent
        default: return nil
        }
        switch members["payload"] {
        case nil: break
        case .string(let payload) where !payload.utf8.contains(0): note.payload = payload
        default: return nil
        }
        self = note
    }
}
