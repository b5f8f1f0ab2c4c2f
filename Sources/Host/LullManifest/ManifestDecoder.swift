import LullCalendar
import LullModel

/// A `Document` → a typed `Manifest`, and every problem on the way.
///
/// A value that can't be used is reported and left at its default, so that one slip does not hide the next.
/// Nothing here throws: whether there is a manifest is decided at the end, by whether there were errors.
struct ManifestDecoder {
    typealias NodeID = Document.NodeID

    /// One known key of a mapping, with its value.
    struct Entry {
        let key: Key
        let keyNode: NodeID
        let value: NodeID
    }

    let document: Document
    /// As they are written.
    var lines: SourceLines
    var problems = Problems()
    var plugins: PluginSearch
    var zones: ZoneNames
    /// Where relative paths in the manifest start from.
    let folder: String
    let fileSystem: any FileSystem

    var calendars = CalendarFiles()
    /// Most tasks of a large manifest share a few windows.
    var knownWindows: [String: Window] = [:]
    var knownTimes: [String: ExactTimes] = [:]
    /// A value is nil if there is no such gap.
    var knownGaps: [LaunchGap.Question: LaunchGap?] = [:]
    /// The name of the plugin of the app that is read, as far as it is known, without `lib` and `.so`.
    var pluginName = ""
    /// Values that are empty because their content is not indented.
    var misindented: Set<NodeID> = []
    /// Where each identifier was first seen, in this file or in one before it.
    var known = KnownIdentifiers()
    /// As it is named in messages.
    let file: String
    /// The same where it is not the file that the manifest is named by.
    let otherFile: String?
    /// Whether this is a file that another includes.
    let isIncluded: Bool
    /// The patterns of `include`, with their places.
    private(set) var includes: [(pattern: String, node: NodeID)] = []
    /// Whether the main file has a `fleet`, and the part of it that is right.
    var hasFleet = false
    var fleet: FleetDefinition?
    /// Whether `fleet` has a `follow`, right or wrong.
    var hasFollow = false
    /// Whether the app whose tasks are read has a source of uses.
    var appHasUses = true
    /// The values of `defaults`, on top of earlier ones.
    private(set) var inherited: Inherited

    init(
        _ document: Document, source: [UInt8], file: String, otherFile: String?, isIncluded: Bool,
        inherited: Inherited,
        folder: String, fileSystem: any FileSystem, plugins: PluginSearch, zones: ZoneNames
    ) {
        self.file = file
        self.otherFile = otherFile
        self.isIncluded = isIncluded
        self.inherited = inherited
        self.fileSystem = fileSystem
        self.document = document
        lines = SourceLines(source)
        self.folder = folder
        self.plugins = plugins
        self.zones = zones
    }

    /// Adds this file's content to the content of the files before it.
    mutating func read(into manifest: inout Manifest) {
        guard let root = document.root else { return }
        guard document.nodes[root].shape == .mapping else {
            return add(.structure(.rootIsNotAMapping(found: found(root))), at: root)
        }
        var defaults: NodeID?
        var list: (key: NodeID, value: NodeID)?
        let place: Place = isIncluded ? .included : .top
        let seen = keys(of: root, in: place) { decoder, entry in
            switch entry.key {
            case .version: decoder.version(entry)
            case .include: decoder.include(entry)
            case .defaults: defaults = entry.value
            case .heartbeat: manifest.heartbeat = decoder.heartbeat(entry, in: .heartbeat)
            case .groups: manifest.groups = decoder.groups(entry)
            case .costLimit: manifest.costLimits = decoder.costLimits(entry)
            case .fleet:
                decoder.hasFleet = true
                decoder.fleet = decoder.fleet(entry)
                manifest.fleet = decoder.fleet
            case .apps: list = (entry.keyNode, entry.value)
            default: Self.unread(entry.key)
            }
        }
        if !document.isCut(root) {
            // The included files may have all the apps.
            let required =
                !isIncluded && (seen.contains(.include, in: .top) || hasFollow)
                ? [Key.version] : [.version, .apps]
            for key in required where !seen.contains(key, in: place) {
                problems.add(.structure(.missingKey(key, in: place)), at: Span(line: 0, column: 0, count: 0))
            }
        }
        var inherited = inherited
        if let defaults { self.defaults(defaults, into: &inherited, manifest: &manifest) }
        self.inherited = inherited
        if let list { manifest.apps += apps(list.value, key: list.key, inherited: inherited) }
    }

    private mutating func include(_ entry: Entry) {
        guard let items = list(entry, remedy: { "[\($0)]" }) else { return }
        for item in items {
            guard document.isScalar(item), !document.isEmpty(item) else {
                add(.value(.wrongType(.include, expected: .text, found: found(item), remedies: [])), at: item)
                continue
            }
            includes.append((document.text(item), item))
        }
    }

    private mutating func version(_ entry: Entry) {
        guard let number = integer(entry, in: .min / 2 ... .max / 2) else { return }
        if number != 1 { add(.value(.unsupportedVersion(String(number))), at: entry.value) }
    }

    private mutating func apps(_ list: NodeID, key: NodeID, inherited: Inherited) -> [App] {
        guard isMapping(list, of: .apps) else {
            if document.isEmpty(list), !document.isCut(0), !misindented.contains(list) {
                add(.sense(.noApps), at: key)
            }
            return []
        }
        var found: [App] = []
        for (name, value) in entries(of: list, each: .app) {
            if let app = app(named: name, document.resolve(value), inherited: inherited) { found.append(app) }
        }
        if isEmptyMapping(list), !document.isCut(list) { add(.sense(.noApps), at: key) }
        return found
    }

    /// Goes through a mapping's keys, and reports those that `place` does not know and those that come twice.
    @discardableResult
    mutating func keys(
        of id: NodeID, in place: Place, _ body: (inout ManifestDecoder, Entry) -> Void
    ) -> KeySet {
        let table = place.table
        var seen = KeySet()
        var hollow: Hollow?
        var entries = document.contents(of: id)
        while let name = entries.next() {
            let keyNode = document.resolve(name)
            // A key at the very place where reading stopped has no value.
            guard let value = entries.next() else { break }
            guard document.isScalar(keyNode) else {
                if document.nodes[keyNode].shape != .refused {
                    add(.structure(.keyIsNotText(found(keyNode))), at: name)
                }
                continue
            }
            guard let index = table.index(of: document.bytes[document.range(keyNode)]) else {
                if isMisindented(keyNode, below: hollow) { continue }
                if place == .app, seen.contains(.tasks, in: .app), isTask(document.resolve(value)) {
                    let name = document.text(keyNode)
                    add(.structure(.notDeeper(name, than: Key.tasks.rawValue)), at: keyNode)
                } else {
                    unknown(keyNode, in: place)
                }
                continue
            }
            let key = table.keys[index]
            hollow = hollowness(of: key, keyNode, document.resolve(value))
            guard seen.insert(index) else {
                let first = lineOfFirst(key.rawValue, in: id)
                add(.structure(.duplicateKey(key.rawValue, firstLine: first)), at: keyNode)
                continue
            }
            let entry = Entry(key: key, keyNode: keyNode, value: document.resolve(value))
            if document.nodes[entry.value].shape == .refused { continue }
            if !key.mayBeEmpty, document.isEmpty(entry.value) {
                if !document.isCut(id) {
                    add(.value(.noValue(key, example: key.example(in: place))), at: keyNode)
                }
                continue
            }
            body(&self, entry)
        }
        return seen
    }

    private mutating func unknown(_ keyNode: NodeID, in place: Place) {
        guard !problems.isFull else {
            return add(.structure(.unknownKey("", in: place, nearest: nil)), at: keyNode)
        }
        let name = document.text(keyNode)
        if name == "<<" { return add(.structure(.mergeKey), at: keyNode) }
        if let problem = guess(name, in: place) { return add(.structure(problem), at: keyNode) }
        if Key.reserved.contains(name) { return add(.structure(.reservedKey(name)), at: keyNode) }
        if let key = Key(rawValue: name), !place.keys.contains(where: { $0.rawValue == name + "s" }) {
            return add(
                .structure(.misplacedKey(key, in: place, belongs: Place.places(for: key))), at: keyNode)
        }
        let nearest = Spelling.nearest(to: name, among: place.keys.map(\.rawValue))
        add(.structure(.unknownKey(name, in: place, nearest: nearest)), at: keyNode)
    }

    func line(of id: NodeID) -> Int { Int(document.nodes[id].span.start.line) + 1 }

    mutating func add(_ problem: ManifestProblem, at id: NodeID) {
        guard let (lookalike, span) = lookalike(in: id, behind: problem) else {
            return problems.add(problem, at: document.nodes[id].span)
        }
        problems.add(.lookalike(lookalike), at: span)
    }

    /// A lookalike character that probably causes the problem.
    func lookalike(in id: NodeID, behind problem: ManifestProblem) -> (LookalikeProblem, Span)? {
        guard !problems.isFull, document.isScalar(id),
            document.bytes[document.range(id)].contains(where: { $0 >= 0x80 })
        else { return nil }
        let text = document.text(id)
        let (isOne, showsText) = problem.isPerhapsLookalike(text)
        guard isOne, let found = LookalikeProblem.first(in: text, showsText: showsText) else { return nil }
        return (found.problem, span(of: found.offset..<found.offset + 1, in: id))
    }

    func found(_ id: NodeID) -> Found {
        switch document.nodes[id].shape {
        case .plain: document.isEmpty(id) ? .nothing : .text(document.text(id))
        case .quoted: .textInQuotes(document.text(id))
        case .refused, .alias: .nothing
        case .sequence: .list
        case .mapping: .mapping
        }
    }

    /// A mapping, or nothing written at all; anything else is reported.
    mutating func isMapping(_ id: NodeID, of key: Key) -> Bool {
        if document.nodes[id].shape == .mapping { return true }
        if !document.isEmpty(id) {
            add(.value(.wrongType(key, expected: .mapping, found: found(id), remedies: [])), at: id)
        }
        return false
    }
}

/// The keys of a place that were found.
struct KeySet {
    private var bits: UInt64 = 0

    /// False if it was in already.
    mutating func insert(_ index: Int) -> Bool {
        defer { bits |= 1 << UInt64(index) }
        return bits & 1 << UInt64(index) == 0
    }

    func contains(_ key: Key, in place: Place) -> Bool {
        guard let index = place.table.keys.firstIndex(of: key) else { return false }
        return bits & 1 << UInt64(index) != 0
    }
}
