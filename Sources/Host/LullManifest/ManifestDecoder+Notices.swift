import LullModel

extension ManifestDecoder {
    /// The recipients of notices; nil if the value can't be used, `[]` for no recipient.
    mutating func notify(_ entry: Entry) -> [NoticeSink]? {
        if isItemWithoutSpace(entry, showsText: false) { return nil }
        guard document.nodes[entry.value].shape == .sequence else {
            add(.notice(.notAList(found(entry.value))), at: entry.value)
            return nil
        }
        var sinks: [NoticeSink] = []
        for item in document.contents(of: entry.value).map(document.resolve) {
            guard document.nodes[item].shape == .mapping else {
                if document.nodes[item].shape != .refused { add(.notice(.notASink(found(item))), at: item) }
                continue
            }
            guard let sink = sink(item) else { continue }
            if sinks.contains(where: { $0.target == sink.target }) {
                add(.notice(.twice), at: item)
            } else {
                sinks.append(sink)
            }
        }
        return sinks
    }

    static let sinkKeys = [Key.mail, .command, .webhook, .journal, .desktop]

    private mutating func sink(_ id: NodeID) -> NoticeSink? {
        var first: Key?
        var target: NoticeSink.Target?
        var on = NoticeKind.usual
        keys(of: id, in: .notify) { decoder, entry in
            if Self.sinkKeys.contains(entry.key) {
                if let first {
                    return decoder.add(.notice(.twoSinks(first, entry.key)), at: entry.keyNode)
                }
                first = entry.key
            }
            switch entry.key {
            case .mail: target = decoder.mail(entry).map { .mail($0) }
            case .command: target = decoder.command(entry).map { .command($0) }
            case .webhook: target = decoder.webAddress(entry).map { .webhook($0) }
            case .journal:
                guard let isOn = decoder.boolean(entry) else { return }
                if isOn {
                    target = .journal
                } else {
                    decoder.add(.notice(.isOff(entry.key)), at: entry.value)
                }
            case .desktop:
                guard let isOn = decoder.boolean(entry) else { return }
                if isOn {
                    target = .desktop
                } else {
                    decoder.add(.notice(.isOff(entry.key)), at: entry.value)
                }
            case .on: on = decoder.noticeKinds(entry) ?? on
            default: Self.unread(entry.key)
            }
        }
        if first == nil, !document.isCut(id) { add(.notice(.saysNoSink), at: id) }
        return target.map { NoticeSink($0, on: on) }
    }

    /// A list of kinds, or one.
    private mutating func noticeKinds(_ entry: Entry) -> Set<NoticeKind>? {
        if document.isScalar(entry.value) {
            return choice(entry, of: NoticeKind.self).map { [$0] }
        }
        guard let items = list(entry, remedy: { "[\($0)]" }) else { return nil }
        if items.isEmpty { add(.notice(.toldOfNothing), at: entry.value) }
        var kinds: Set<NoticeKind> = []
        for item in items {
            let one = Entry(key: entry.key, keyNode: entry.keyNode, value: item)
            if let kind = choice(one, of: NoticeKind.self) { kinds.insert(kind) }
        }
        return kinds
    }

    /// A text that sendmail takes for one address, and that breaks no header.
    private mutating func mail(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        let isAddress =
            (1...254).contains(text.utf8.count) && !text.hasPrefix("-")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && !text.contains { "<>(),;:\\\"[]".contains($0) }
        if isAddress { return text }
        add(.notice(.address), at: entry.value)
        return nil
    }

    private mutating func command(_ entry: Entry) -> [String]? {
        guard let items = list(entry, remedy: { "[\($0)]" }) else { return nil }
        guard !items.isEmpty else {
            add(.notice(.emptyCommand), at: entry.value)
            return nil
        }
        var words: [String] = []
        for item in items {
            guard document.isScalar(item), !document.text(item).contains("\0") else {
                add(.notice(.commandIsNotText), at: item)
                return nil
            }
            words.append(document.text(item))
        }
        guard !words[0].isEmpty else {
            add(.notice(.emptyCommand), at: entry.value)
            return nil
        }
        if words[0].contains("/") {
            words[0] = Path.join(folder, words[0])
            if fileSystem.entry(at: words[0]) == nil {
                add(.notice(.programMissing(path: words[0])), at: items[0])
            }
        }
        return words
    }

    private mutating func webAddress(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        let isAddress =
            text.utf8.count <= 2048 && (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && text.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
            && !SecretURL.host(of: text).isEmpty
        if isAddress { return text }
        add(.notice(.webAddress(entry.key)), at: entry.value)
        return nil
    }

    /// An address, or keys and values.
    mutating func heartbeat(_ entry: Entry, in place: Place) -> Heartbeat? {
        guard document.nodes[entry.value].shape == .mapping else {
            return webAddress(entry).map { Heartbeat(url: $0) }
        }
        var heartbeat: Heartbeat?
        var tellsFailures = false
        var every: Duration = .minutes(5)
        let seen = keys(of: entry.value, in: place) { decoder, entry in
            switch entry.key {
            case .url: heartbeat = decoder.webAddress(entry).map { Heartbeat(url: $0) }
            case .fail: tellsFailures = decoder.boolean(entry) ?? false
            case .every: every = decoder.duration(entry, in: .seconds(30) ... .days(1)) ?? every
            default: Self.unread(entry.key)
            }
        }
        if !seen.contains(.url, in: place), !document.isCut(entry.value) {
            add(.structure(.missingKey(.url, in: place)), at: entry.value)
        }
        heartbeat?.tellsFailures = tellsFailures
        heartbeat?.every = every
        return heartbeat
    }

    mutating func expect(_ entry: Entry) -> Expectation? {
        guard isMapping(entry.value, of: .expect) else { return nil }
        var expectation: Expectation?
        let seen = keys(of: entry.value, in: .expect) { decoder, entry in
            expectation = decoder.atLeast(entry)
        }
        if !seen.contains(.atLeast, in: .expect), !document.isCut(entry.value) {
            add(.structure(.missingKey(.atLeast, in: .expect)), at: entry.value)
        }
        return expectation
    }

    private mutating func atLeast(_ entry: Entry) -> Expectation? {
        guard let text = text(entry) else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), count > 0,
            let span = DurationText.parse(ArraySlice(parts[1].utf8)), span >= .minutes(1),
            span <= Inherited.longest
        else {
            add(.notice(.expectation(text)), at: entry.value)
            return nil
        }
        guard count <= Expectation.mostCount else {
            add(.notice(.expectedTooOften(most: Expectation.mostCount)), at: entry.value)
            return nil
        }
        return Expectation(count: count, span: span)
    }
}
