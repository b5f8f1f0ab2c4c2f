import LullModel

/// `on` of a task: the events that launch it.
extension ManifestDecoder {
    /// The kinds that are a mapping, and those that are a word; `login` may be either.
    static let eventKeys: [Key] = [.path, .after, .device, .login]
    static let eventWords = ["login", "resume", "network", "external_power", "boot"]

    /// One event, or a list; wrong events are left out.
    mutating func events(_ entry: Entry, of draft: TaskDraft) -> [Trigger] {
        if isItemWithoutSpace(entry) { return [] }
        guard document.nodes[entry.value].shape == .sequence else {
            return event(entry.value, of: draft).map { [$0] } ?? []
        }
        var triggers: [Trigger] = []
        let items = document.contents(of: entry.value).map(document.resolve)
        if items.isEmpty, !document.isCut(entry.value) { add(.event(.none), at: entry.value) }
        if items.count > Limits.triggers { add(.event(.tooMany(limit: Limits.triggers)), at: entry.value) }
        for item in items.prefix(Limits.triggers) {
            guard let trigger = event(item, of: draft) else { continue }
            if triggers.contains(trigger) { add(.event(.twice), at: item) } else { triggers.append(trigger) }
        }
        return triggers
    }

    private mutating func event(_ node: NodeID, of draft: TaskDraft) -> Trigger? {
        if document.isScalar(node) { return event(word: node) }
        guard document.nodes[node].shape == .mapping else {
            if document.nodes[node].shape != .refused {
                add(.event(.notAMapping(found: found(node).phrase)), at: node)
            }
            return nil
        }
        var first: Key?
        var trigger: Trigger?
        var settle: (node: NodeID, span: Duration?)?
        keys(of: node, in: .event) { decoder, entry in
            if Self.eventKeys.contains(entry.key) {
                if let first { return decoder.add(.event(.twoEvents(first, entry.key)), at: entry.keyNode) }
                first = entry.key
            }
            switch entry.key {
            case .path: trigger = decoder.watchedPath(entry).map { .path($0) }
            case .settle:
                settle = (entry.keyNode, decoder.duration(entry, in: .zero ... .hours(1)))
            case .after: trigger = decoder.after(entry, of: draft)
            case .device: trigger = decoder.device(entry).map { .device($0) }
            case .login: trigger = decoder.text(entry).map { .login(user: $0 == "any" ? nil : $0) }
            default: Self.unread(entry.key)
            }
        }
        if first == nil, !document.isCut(node) { add(.event(.saysNoEvent), at: node) }
        if let settle {
            if case .path(var path)? = trigger {
                path.settle = settle.span ?? path.settle
                trigger = .path(path)
            } else if let first, first != .path {
                add(.event(.settleWithoutPath), at: settle.node)
            }
        }
        return trigger
    }

    private mutating func event(word node: NodeID) -> Trigger? {
        let text = document.text(node)
        switch text {
        case "resume": return .resume
        case "boot": return .boot
        case "login": return .login(user: nil)
        case "network": return .network
        case "external_power": return .externalPower
        default: break
        }
        let meant: String? =
            switch text.lowercased() {
            case "wake", "wakeup", "suspend", "sleep": "resume"
            case "reboot", "@reboot", "start", "startup": "boot"
            case "power", "ac", "plugged", "mains": "external_power"
            case "online", "net", "up", "network-online": "network"
            case "session", "logon": "login"
            default: Spelling.nearest(to: text, among: Self.eventWords)
            }
        let path = text.hasPrefix("/") ? "path: \(text)" : nil
        add(.event(.notAnEvent(text, nearest: path.map { "{ \($0) }" } ?? meant)), at: node)
        return nil
    }

    private mutating func watchedPath(_ entry: Entry) -> WatchedPath? {
        guard var text = text(entry) else { return nil }
        guard text.hasPrefix("/"), !text.contains("\0") else {
            add(.event(.relativePath(text)), at: entry.value)
            return nil
        }
        let isFolder = text.hasSuffix("/")
        text = Path.join("/", text)
        while text.count > 1, text.hasSuffix("/") { text.removeLast() }
        guard text != "/" else {
            add(.event(.folderOfAll), at: entry.value)
            return nil
        }
        let folder = Path.folder(of: text)
        let name = String(text.split(separator: "/").last ?? "")
        if NamePattern.isPattern(folder) || (isFolder && NamePattern.isPattern(name)) {
            add(.event(.patternInFolder(text)), at: entry.value)
            return nil
        }
        for silent in ["/proc", "/sys"] where text == silent || text.hasPrefix(silent + "/") {
            add(.event(.silentFiles(silent)), at: entry.value)
        }
        guard NamePattern.isPattern(name) else { return WatchedPath(path: text, isFolder: isFolder) }
        guard NamePattern(name) != nil else {
            add(.event(.badPattern(name)), at: entry.value)
            return nil
        }
        return WatchedPath(path: folder, names: name, isFolder: true)
    }

    private mutating func device(_ entry: Entry) -> DevicePattern? {
        var pattern = DevicePattern()
        func name(_ decoder: inout ManifestDecoder, _ entry: Entry) -> String? {
            guard var text = decoder.text(entry) else { return nil }
            if text.hasPrefix("/dev/") { text.removeFirst(5) }
            guard !text.isEmpty, !text.hasPrefix("/"), NamePattern(text) != nil else {
                decoder.add(.event(.isPathOfDevice(text)), at: entry.value)
                return nil
            }
            return text
        }
        if document.isScalar(entry.value) {
            guard let name = name(&self, entry) else { return nil }
            pattern.name = name
            return pattern
        }
        guard isMapping(entry.value, of: .device) else { return nil }
        var isWhole = true
        keys(of: entry.value, in: .device) { decoder, entry in
            switch entry.key {
            case .subsystem: pattern.subsystem = decoder.text(entry)
            case .name:
                pattern.name = name(&decoder, entry)
                isWhole = pattern.name != nil
            default: Self.unread(entry.key)
            }
        }
        guard isWhole else { return nil }
        if pattern == DevicePattern() {
            if !document.isCut(entry.value) { add(.event(.anyDevice), at: entry.value) }
            return nil
        }
        return pattern
    }

    /// One task, or a list: all of them.
    private mutating func after(_ entry: Entry, of draft: TaskDraft) -> Trigger? {
        guard document.nodes[entry.value].shape == .sequence else {
            return link(entry.value, of: draft).map { .after($0.task, $0.outcome) }
        }
        let items = document.contents(of: entry.value).map(document.resolve)
        if items.isEmpty, !document.isCut(entry.value) { add(.event(.afterNone), at: entry.value) }
        if items.count > Limits.triggers { add(.event(.tooMany(limit: Limits.triggers)), at: entry.value) }
        var links: [ChainLink] = []
        for item in items.prefix(Limits.triggers) {
            guard let link = link(item, of: draft) else { continue }
            if links.contains(where: { $0.task == link.task }) {
                add(.event(.twice), at: item)
            } else {
                links.append(link)
            }
        }
        guard let first = links.first else { return nil }
        return links.count == 1 ? .after(first.task, first.outcome) : .afterAll(links)
    }

    private mutating func link(_ node: NodeID, of draft: TaskDraft) -> ChainLink? {
        var name: (text: String, node: NodeID)?
        var outcome = ChainOutcome.success
        if document.isScalar(node) {
            name = (document.text(node), node)
        } else {
            guard isMapping(node, of: .after) else { return nil }
            let seen = keys(of: node, in: .after) { decoder, entry in
                switch entry.key {
                case .task: name = decoder.text(entry).map { ($0, entry.value) }
                case .outcome: outcome = decoder.choice(entry) ?? outcome
                default: Self.unread(entry.key)
                }
            }
            if !seen.contains(.task, in: .after), !document.isCut(node) {
                add(.structure(.missingKey(.task, in: .after)), at: node)
            }
        }
        guard let name, let app = draft.app else { return nil }
        guard let task = TaskIdentifier(TaskIdentifier.full(name.text, of: app.text)) else {
            add(.event(.unknownTask(name.text, nearest: nil)), at: name.node)
            return nil
        }
        guard !task.isWildcard else {
            add(.event(.afterWildcard(name.text)), at: name.node)
            return nil
        }
        if let next = draft.identifier {
            known.links.append(.init(next: next, before: task, place: place(of: name.node)))
        }
        return ChainLink(task: task, outcome: outcome)
    }

    /// The place of a node, for a problem that shows only once all files have been read.
    mutating func place(of node: NodeID) -> Diagnostic {
        let (start, end) = (document.nodes[node].span.start, document.nodes[node].span.end)
        var place = Diagnostic(
            path: file, line: Int(start.line) + 1, column: Int(start.column) + 1,
            endColumn: end.line == start.line && end.column > start.column ? Int(end.column) + 1 : nil,
            problem: .event(.none))
        let (text, column) = lines.excerpt(around: start)
        place.sourceLine = text
        place.sourceColumn = column + 1
        return place
    }
}

extension KnownIdentifiers {
    /// Chains that follow an unknown task, and chains that are circular: each once.
    func brokenChains() -> [Diagnostic] {
        var found: [Diagnostic] = []
        var before: [String: [String]] = [:]
        for link in links { before[link.next.text, default: []].append(link.before.text) }
        let knotted = knotted(before)
        let names = tasks.keys.sorted()
        var unknown = 0
        var told: Set<Set<String>> = []
        /// Steps of circles that are in `found`.
        var toldSteps: Set<[String]> = []
        for link in links {
            var diagnostic = link.place
            let isKnown = ([link.before] + link.before.wildcards).contains { tasks[$0.text] != nil }
            if !isKnown {
                unknown += 1
                let nearest = Spelling.nearest(
                    to: link.before.text, among: unknown <= Spelling.mostQuestions ? names : [])
                diagnostic.problem = .event(.unknownTask(link.before.text, nearest: nearest))
                found.append(diagnostic)
            } else if knotted.contains(link.next.text), knotted.contains(link.before.text),
                !toldSteps.contains([link.next.text, link.before.text]),
                let circle = circle(from: link, before), told.insert(Set(circle)).inserted
            {
                for (index, task) in circle.enumerated() {
                    toldSteps.insert([task, circle[(index + 1) % circle.count]])
                }
                diagnostic.problem = .event(.circle(circle))
                found.append(diagnostic)
            }
        }
        return found
    }

    /// The tasks that are left when those that follow no other task are taken away again and again: all circles are among them.
    private func knotted(_ before: [String: [String]]) -> Set<String> {
        var counts: [String: Int] = [:]
        var after: [String: [String]] = [:]
        for (task, others) in before {
            counts[task, default: 0] += others.count
            for other in others { after[other, default: []].append(task) }
        }
        var free = after.keys.filter { counts[$0] == nil }
        while let task = free.popLast() {
            for next in after[task] ?? [] {
                counts[next, default: 0] -= 1
                if counts[next] == 0 { free.append(next) }
            }
        }
        return Set(counts.filter { $0.value > 0 }.keys)
    }

    /// The tasks on the shortest way from a link back to its own task; nil if there is none.
    private func circle(from link: Link, _ before: [String: [String]]) -> [String]? {
        if link.next == link.before { return [link.next.text] }
        var ways: [String: String] = [link.before.text: link.next.text]
        var queue = [link.before.text]
        var index = 0
        while index < queue.count {
            let task = queue[index]
            index += 1
            for other in before[task] ?? [] where ways[other] == nil || other == link.next.text {
                if other == link.next.text {
                    var circle = [task]
                    var step = task
                    while let from = ways[step], from != link.next.text {
                        circle.insert(from, at: 0)
                        step = from
                    }
                    return [link.next.text] + circle
                }
                ways[other] = task
                queue.append(other)
            }
        }
        return nil
    }
}
