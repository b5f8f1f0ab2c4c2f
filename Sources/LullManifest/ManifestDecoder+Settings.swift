import LullModel

extension ManifestDecoder {
    /// Settings as JSON: the one place in which scalars are typed by what they look like.
    mutating func settings(_ entry: Entry) -> JSONValue {
        let id = entry.value
        if document.isEmpty(id) { return .object([:]) }
        guard document.nodes[id].shape == .mapping else {
            refuse(entry, expected: .mapping)
            return .object([:])
        }
        // Each node is a byte of JSON at least: what can't fit is not converted, however often aliases multiply it.
        guard Int(document.nodes[id].expanded) <= Limits.settingsBytes else {
            add(.setting(.tooLarge(bytes: nil)), at: entry.keyNode)
            return .object([:])
        }
        let value = object(id, isTop: true)
        let bytes = value.text.utf8.count
        if bytes > Limits.settingsBytes { add(.setting(.tooLarge(bytes: bytes)), at: entry.keyNode) }
        return value
    }

    private mutating func json(_ id: NodeID) -> JSONValue {
        switch document.nodes[id].shape {
        case .plain:
            switch CoreSchema.value(document.text(id)) {
            case .success(let value): return value
            case .failure(let problem):
                add(.setting(problem), at: id)
                return .null
            }
        case .quoted: return .string(document.text(id))
        case .sequence:
            var values: [JSONValue] = []
            for item in document.contents(of: id) { values.append(json(document.resolve(item))) }
            return .array(values)
        case .mapping: return object(id, isTop: false)
        case .alias, .refused: return .null
        }
    }

    private mutating func object(_ id: NodeID, isTop: Bool) -> JSONValue {
        var members: [String: JSONValue] = [:]
        var lines: [String: Int] = [:]
        var entries = document.contents(of: id)
        while let name = entries.next(), let value = entries.next() {
            let key = document.resolve(name)
            guard document.isScalar(key) else {
                if document.nodes[key].shape != .refused { add(.structure(.keyIsNotText(found(key))), at: name) }
                continue
            }
            let text = document.text(key)
            if text == "<<", document.nodes[key].shape == .plain { add(.structure(.mergeKey), at: name) }
            if isTop, text == "lull" { add(.setting(.reserved), at: name) }
            if let first = lines.updateValue(line(of: name), forKey: text) {
                add(.setting(.duplicate(text, firstLine: first)), at: name)
            }
            members[text] = json(document.resolve(value))
        }
        return .object(members)
    }
}
