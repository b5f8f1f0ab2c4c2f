import LullModel

extension ManifestDecoder {
    mutating func usage(_ entry: Entry) -> App.Usage {
        if document.isScalar(entry.value), document.text(entry.value) == "manual" { return .manual }
        guard document.nodes[entry.value].shape == .sequence else {
            add(.usage(.notASource(found(entry.value))), at: entry.value)
            return .none
        }
        var sources: [UsageSource] = []
        for item in document.contents(of: entry.value) {
            let item = document.resolve(item)
            guard document.nodes[item].shape == .mapping else {
                if document.nodes[item].shape != .refused { add(.usage(.notASource(found(item))), at: item) }
                continue
            }
            if let source = source(item) { sources.append(source) }
        }
        return .sources(sources)
    }

    private mutating func source(_ id: NodeID) -> UsageSource? {
        var log: String?
        var match: String?
        var time: UsageSource.TimeFormat?
        let seen = keys(of: id, in: .usage) { decoder, entry in
            switch entry.key {
            case .log: log = decoder.log(entry)
            case .match: match = decoder.match(entry)
            default: time = decoder.time(entry)
            }
        }
        if !document.isCut(id) {
            for key in [Key.log, .time] where !seen.contains(key, in: .usage) {
                add(.structure(.missingKey(key, in: .usage)), at: id)
            }
        }
        guard let log, let time else { return nil }
        return UsageSource(log: log, match: match, time: time)
    }

    private mutating func log(_ entry: Entry) -> String? {
        guard let text = text(entry) else { return nil }
        let path = Path.join(folder, text)
        switch fileSystem.entry(at: path) {
        case nil: add(.usage(.logMissing(path: path)), at: entry.value)
        case let log? where log.kind == .folder: add(.usage(.logIsFolder(path: path)), at: entry.value)
        case let log? where !log.isReadable: add(.usage(.logUnreadable(path: path)), at: entry.value)
        default: break
        }
        return path
    }

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
        if let conversion = ExpressionCheck.unknownConversion(in: text) {
            add(.usage(.timeConversion(conversion, in: text)), at: entry.value)
        }
        return .strptime(text)
    }
}
