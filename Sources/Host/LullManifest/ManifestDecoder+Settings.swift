import LullModel

extension ManifestDecoder {
    /// Settings as JSON: the one place in which the form of a scalar decides its type.
    mutating func settings(_ entry: Entry) -> JSONValue {
        let id = entry.value
        if document.isEmpty(id) { return .object([:]) }
        guard document.nodes[id].shape == .mapping else {
            // For a line without its colon, `run echo hi`, the example shows the right form.
            refuse(
                entry, expected: .mapping, remedies: pluginName == "Command" ? ["{ run: backup --all }"] : [])
            return .object([:])
        }
        // Each node is a byte of JSON at least: settings that can't fit are not converted, however often
        // aliases multiply them.
        guard Int(document.nodes[id].expanded) <= Limits.settingsBytes else {
            add(.setting(.tooLarge(bytes: nil)), at: entry.keyNode)
            return .object([:])
        }
        let value = object(id, isTop: true)
        guard !isSurelySmall(id) else { return value }
        let bytes = value.text.utf8.count
        if bytes > Limits.settingsBytes { add(.setting(.tooLarge(bytes: bytes)), at: entry.keyNode) }
        return value
    }

    /// Whether even with every byte escaped, and every scalar a long number, the JSON is within its limit.
    private func isSurelySmall(_ id: NodeID) -> Bool {
        let node = document.nodes[id]
        let count = Int(node.next) - id
        // With an alias inside, the text is elsewhere too.
        guard !document.isCut(id), count == Int(node.expanded) else { return false }
        let bytes = document.nodes[id..<id + count].reduce(0) { $0 + Int($1.count) }
        return bytes * 6 + count * 32 <= Limits.settingsBytes
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
        var entries = document.contents(of: id)
        var last: (key: NodeID, value: NodeID)?
        while let name = entries.next(), let value = entries.next() {
            let key = document.resolve(name)
            defer { last = (key, document.resolve(value)) }
            guard document.isScalar(key) else {
                if document.nodes[key].shape != .refused {
                    add(.structure(.keyIsNotText(found(key))), at: name)
                }
                continue
            }
            let text = document.text(key)
            if text == "<<", document.nodes[key].shape == .plain { add(.structure(.mergeKey), at: name) }
            if isTop, text == "lull" { add(.setting(.reserved), at: name) }
            if isTop, text == "run" { checkComment(after: document.resolve(value)) }
            if let meant = textInBraces(document.resolve(value), of: text) {
                add(.setting(.braces(text, meant: meant)), at: value)
                members[text] = .null
                continue
            }
            if document.nodes[id].isInBraces, document.isScalar(value), document.isNothing(value),
                !document.isCut(id)
            {
                let end = lastEmpty(name, entries)
                var meant: String?
                if let last { meant = joined(last.key, last.value, with: end) }
                add(.setting(.noValue(text, meant: meant)), at: name)
            }
            if members.updateValue(json(document.resolve(value)), forKey: text) != nil {
                add(.setting(.duplicate(text, firstLine: lineOfFirst(text, in: id))), at: name)
            }
        }
        return .object(members)
    }

    /// `run: { cd /srv; ./tick; }` with the quotes that it lacks; nil where a key in the braces has a value.
    private mutating func textInBraces(_ id: NodeID, of key: String) -> String? {
        let node = document.nodes[id]
        guard node.shape == .mapping, node.isInBraces, !document.isCut(id),
            node.span.start.line == node.span.end.line
        else { return nil }
        var entries = document.contents(of: id)
        var count = 0
        while let name = entries.next(), let value = entries.next() {
            guard document.isScalar(name), document.isScalar(value), document.isNothing(value) else {
                return nil
            }
            count += 1
        }
        let line = lines.text(lines.range(ofLine: Int(node.span.start.line))).unicodeScalars
        let text = line.dropFirst(Int(node.span.start.column)).prefix(
            Int(node.span.end.column) - Int(node.span.start.column))
        guard count > 0, text.last == "}", text.count <= 200 else { return nil }
        return "\(key): '\(String(text).replacing("'", with: "''"))'"
    }

    /// `run: echo a,b` as it was written, in quotes; nil where that is not on one line.
    private mutating func joined(_ key: NodeID, _ value: NodeID, with rest: NodeID) -> String? {
        let (start, end) = (document.nodes[value].span.start, document.nodes[rest].span.end)
        guard document.isScalar(key), document.nodes[value].shape == .plain, !document.isNothing(value),
            start.line == end.line, start.column < end.column, end.column - start.column <= 200
        else { return nil }
        let line = lines.text(lines.range(ofLine: Int(start.line))).unicodeScalars
        let text = String(line.dropFirst(Int(start.column)).prefix(Int(end.column) - Int(start.column)))
        let isPlain = !text.contains { "\"\\".contains($0) }
        return "\(document.text(key)): " + (isPlain ? "\"\(text)\"" : "'\(text.replacing("'", with: "''"))'")
    }

    /// The last of the keys without values that follow at once: `2` and `3` of `sort -k 1,2,3`.
    private func lastEmpty(_ name: NodeID, _ entries: Document.Contents) -> NodeID {
        var (last, entries) = (name, entries)
        while let name = entries.next(), let value = entries.next(), document.isScalar(name),
            document.isScalar(value), document.isNothing(value)
        {
            last = name
        }
        return last
    }

    /// Warns of a comment after a command that may be unintended: no space after its `#`, or a quote that it leaves open.
    private mutating func checkComment(after node: NodeID) {
        guard document.nodes[node].shape == .plain, !document.isNothing(node) else { return }
        let end = document.nodes[node].span.end
        let line = lines.range(ofLine: Int(end.line))
        let rest = lines.text(line).unicodeScalars.dropFirst(Int(end.column)).drop { $0 == " " || $0 == "\t" }
        guard rest.first == "#" else { return }
        let next = rest.dropFirst().first
        let text = document.text(node)
        let isOpen = ["'", "\""].contains { quote in text.filter { $0 == quote }.count % 2 == 1 }
        guard isOpen || next.map({ $0 != " " && $0 != "\t" && $0 != "#" && $0 != "!" }) ?? false else {
            return
        }
        let before = lines.text(line).unicodeScalars.count - rest.count
        problems.add(.setting(.comment), at: Span(line: Int(end.line), column: before))
    }

    func lineOfFirst(_ name: String, in mapping: NodeID) -> Int {
        var entries = document.contents(of: mapping)
        while !problems.isFull, let key = entries.next(), entries.next() != nil {
            let node = document.resolve(key)
            if document.isScalar(node), document.text(node) == name { return line(of: key) }
        }
        return line(of: mapping)
    }
}
