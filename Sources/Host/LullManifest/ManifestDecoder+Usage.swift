import LullModel

extension ManifestDecoder {
    /// The word for the uses of all hosts, alone or among the sources.
    static let usesOfFleet = "fleet"

    mutating func usage(_ entry: Entry) -> (App.Usage, isShared: Bool) {
        if document.isScalar(entry.value), document.text(entry.value) == "manual" { return (.manual, false) }
        if isUsesOfFleet(entry.value) { return (.manual, true) }
        if isItemWithoutSpace(entry) { return (.none, false) }
        guard document.nodes[entry.value].shape == .sequence else {
            add(.usage(.notASource(found(entry.value))), at: entry.value)
            return (.none, false)
        }
        var sources: [UsageSource] = []
        var isShared = false
        var count = 0
        for item in document.contents(of: entry.value) {
            count += 1
            let item = document.resolve(item)
            if isUsesOfFleet(item) {
                if isShared { add(.usage(.twice), at: item) }
                isShared = true
                continue
            }
            guard document.nodes[item].shape == .mapping else {
                if document.nodes[item].shape != .refused { add(.usage(.notASource(found(item))), at: item) }
                continue
            }
            guard let source = source(item) else { continue }
            if sources.contains(source) {
                add(.usage(.twice), at: item)
            } else {
                sources.append(source)
            }
        }
        if count == 0, !document.isCut(entry.value) { add(.usage(.noSources), at: entry.value) }
        return (isShared && sources.isEmpty ? .manual : .sources(sources), isShared)
    }

    private mutating func isUsesOfFleet(_ node: NodeID) -> Bool {
        guard document.isScalar(node), document.text(node) == Self.usesOfFleet else { return false }
        needsFleet(.usage, at: node)
        return true
    }

    /// The keys that say what a source is; it has one of them.
    static let sourceKeys = [Key.log, .login, .journal, .access]

    private mutating func source(_ id: NodeID) -> UsageSource? {
        var draft = SourceDraft()
        let seen = keys(of: id, in: .usage) { decoder, entry in
            if Self.sourceKeys.contains(entry.key) {
                if let first = draft.kind {
                    decoder.add(.usage(.twoSources(first, entry.key)), at: entry.keyNode)
                    return
                }
                draft.kind = entry.key
            }
            switch entry.key {
            case .log: draft.log = decoder.log(entry)
            case .login: draft.login = decoder.login(entry)
            case .journal: draft.journal = decoder.journal(entry)
            case .access: draft.access = decoder.access(entry)
            case .match:
                draft.match = decoder.match(entry)
                draft.ofLogs.append(entry)
            case .time:
                draft.time = decoder.time(entry)
                draft.ofLogs.append(entry)
            default: Self.unread(entry.key)
            }
        }
        if let kind = draft.kind, kind != .log {
            for entry in draft.ofLogs { add(.usage(.onlyOfLogs(entry.key, kind)), at: entry.keyNode) }
        }
        if !document.isCut(id) {
            if Self.sourceKeys.allSatisfy({ !seen.contains($0, in: .usage) }) {
                add(.usage(.saysNoSource), at: id)
            } else if draft.kind == .log, !seen.contains(.time, in: .usage) {
                add(.structure(.missingKey(.time, in: .usage)), at: id)
            }
        }
        return draft.source
    }

    private mutating func log(_ entry: Entry) -> String? {
        guard let path = path(entry) else { return nil }
        switch fileSystem.entry(at: path) {
        case nil: add(.usage(.logMissing(path: path)), at: entry.value)
        case let log? where log.kind == .folder: add(.usage(.logIsFolder(path: path)), at: entry.value)
        case let log? where !log.isReadable: add(.usage(.logUnreadable(path: path)), at: entry.value)
        default: break
        }
        return path
    }

    /// `.some(nil)` for all users.
    private mutating func login(_ entry: Entry) -> String?? {
        guard let text = text(entry) else { return nil }
        return text == "any" ? .some(nil) : userName(entry).map { .some($0) }
    }

    /// A user's name that `useradd` permits and a record of a login can hold.
    mutating func userName(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        let isName =
            (1...32).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0.value != 0x7F && !":/,".contains(Character($0))
            }
        guard isName else {
            add(.usage(.userName(text, of: entry.key)), at: entry.value)
            return nil
        }
        return text
    }

    private mutating func journal(_ entry: Entry) -> (unit: String, match: String?)? {
        guard document.nodes[entry.value].shape == .mapping else {
            let example = document.isScalar(entry.value) ? document.text(entry.value) : "NAME"
            refuse(entry, expected: .mapping, remedies: ["{ unit: \(example) }"])
            return nil
        }
        var unit: String?
        var match: String?
        let seen = keys(of: entry.value, in: .journal) { decoder, entry in
            if entry.key == .unit { unit = decoder.unit(entry) } else { match = decoder.match(entry) }
        }
        if !seen.contains(.unit, in: .journal), !document.isCut(entry.value) {
            add(.structure(.missingKey(.unit, in: .journal)), at: entry.value)
        }
        return unit.map { ($0, match) }
    }

    private mutating func unit(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        let marks = ":-_.\\@"
        let isName =
            (1...255).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
        guard isName else {
            add(.usage(.unitName(text)), at: entry.value)
            return nil
        }
        return text
    }

    private mutating func access(_ entry: Entry) -> String? {
        guard let path = path(entry) else { return nil }
        switch fileSystem.entry(at: path) {
        case nil: add(.usage(.accessMissing(path: path)), at: entry.value)
        case let file? where !file.isReadable: add(.usage(.accessUnreadable(path: path)), at: entry.value)
        default: break
        }
        return path
    }

    mutating func path(_ entry: Entry) -> String? { text(entry).map { Path.join(folder, $0) } }

    private mutating func match(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        if let problem = ExpressionCheck.problem(with: text) { add(.usage(problem), at: entry.value) }
        return text
    }

    private mutating func time(_ entry: Entry) -> UsageSource.TimeFormat? {
        guard let text = text(entry) else { return nil }
        switch text {
        case "common": return .common
        case "rfc3339": return .rfc3339
        default: break
        }
        guard text.contains("%") else {
            let nearest = Spelling.nearest(to: text, among: ["common", "rfc3339"])
            add(.usage(.timeFormat(text, nearest: nearest)), at: entry.value)
            return nil
        }
        if let problem = ExpressionCheck.problem(withTime: text) { add(.usage(problem), at: entry.value) }
        return .strptime(text)
    }
}

/// A source while its keys are read.
private struct SourceDraft {
    /// The first of the keys that say what it is.
    var kind: Key?
    var log: String?
    var login: String??
    var journal: (unit: String, match: String?)?
    var access: String?
    var match: String?
    var time: UsageSource.TimeFormat?
    /// `match` and `time`, which say nothing of other sources.
    var ofLogs: [ManifestDecoder.Entry] = []

    var source: UsageSource? {
        switch kind {
        case .log:
            guard let log, let time else { return nil }
            return .log(path: log, match: match, time: time)
        case .login: return login.map { .login(user: $0) }
        case .journal: return journal.map { .journal(unit: $0.unit, match: $0.match) }
        default: return access.map { .access(path: $0) }
        }
    }
}
