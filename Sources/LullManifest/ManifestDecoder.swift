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
    var problems = Problems()
    var plugins: PluginSearch
    var zones: ZoneNames
    /// Where relative paths in the manifest start from.
    let folder: String
    let fileSystem: any FileSystem

    /// Most tasks of a large manifest share a few windows.
    var knownWindows: [String: Window] = [:]
    var knownTimes: [String: ExactTimes] = [:]
    /// Where each identifier was first seen.
    var apps: [String: UInt32] = [:]
    var tasks: [String: (line: UInt32, app: String)] = [:]

    init(
        _ document: Document, folder: String, fileSystem: any FileSystem, plugins: PluginSearch,
        zones: ZoneNames
    ) {
        self.fileSystem = fileSystem
        self.document = document
        self.folder = folder
        self.plugins = plugins
        self.zones = zones
    }

    mutating func manifest(path: String, hash: String) -> Manifest {
        var manifest = Manifest(path: path, hash: hash)
        guard let root = document.root else { return manifest }
        guard document.nodes[root].shape == .mapping else {
            add(.structure(.rootIsNotAMapping(found: found(root))), at: root)
            return manifest
        }
        var defaults: NodeID?
        var list: (key: NodeID, value: NodeID)?
        let seen = keys(of: root, in: .top) { decoder, entry in
            switch entry.key {
            case .version: decoder.version(entry)
            case .defaults: defaults = entry.value
            case .heartbeat: manifest.heartbeat = decoder.heartbeat(entry)
            default: list = (entry.keyNode, entry.value)
            }
        }
        if !document.isCut(root) {
            for key in [Key.version, .apps] where !seen.contains(key, in: .top) {
                problems.add(.structure(.missingKey(key, in: .top)), at: Span(line: 0, column: 0, count: 0))
            }
        }
        var inherited = Inherited()
        if let defaults { self.defaults(defaults, into: &inherited, manifest: &manifest) }
        if let list { manifest.apps = apps(list.value, key: list.key, inherited: inherited) }
        return manifest
    }

    private mutating func version(_ entry: Entry) {
        guard let number = integer(entry, in: .min / 2 ... .max / 2) else { return }
        if number != 1 { add(.value(.unsupportedVersion(String(number))), at: entry.value) }
    }

    private mutating func apps(_ list: NodeID, key: NodeID, inherited: Inherited) -> [App] {
        guard isMapping(list, of: .apps) else {
            if document.isEmpty(list), !document.isCut(0) { add(.sense(.noApps), at: key) }
            return []
        }
        var found: [App] = []
        var entries = document.contents(of: list)
        var count = 0
        while let name = entries.next(), let value = entries.next() {
            count += 1
            if let app = app(named: name, document.resolve(value), inherited: inherited) { found.append(app) }
        }
        if count == 0, !document.isCut(list) { add(.sense(.noApps), at: key) }
        return found
    }

    /// Goes through a mapping's keys, and reports those that `place` does not know and those that come twice.
    @discardableResult
    mutating func keys(
        of id: NodeID, in place: Place, _ body: (inout ManifestDecoder, Entry) -> Void
    ) -> KeySet {
        let table = place.table
        var seen = KeySet()
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
                unknown(keyNode, in: place)
                continue
            }
            let key = table.keys[index]
            guard seen.insert(index) else {
                let first = lineOfFirst(key.rawValue, in: id)
                add(.structure(.duplicateKey(key.rawValue, firstLine: first)), at: keyNode)
                continue
            }
            let entry = Entry(key: key, keyNode: keyNode, value: document.resolve(value))
            if document.nodes[entry.value].shape == .refused { continue }
            if !key.mayBeEmpty, document.isEmpty(entry.value) {
                if !document.isCut(id) { add(.value(.noValue(key)), at: keyNode) }
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
        if Key.reserved.contains(name) { return add(.structure(.reservedKey(name)), at: keyNode) }
        if let key = Key(rawValue: name) {
            return add(
                .structure(.misplacedKey(key, in: place, belongs: Place.places(for: key))), at: keyNode)
        }
        let nearest = Spelling.nearest(to: name, among: place.keys.map(\.rawValue))
        add(.structure(.unknownKey(name, in: place, nearest: nearest)), at: keyNode)
    }

    func line(of id: NodeID) -> Int { Int(document.nodes[id].span.start.line) + 1 }

    mutating func add(_ problem: ManifestProblem, at id: NodeID) {
        problems.add(problem, at: document.nodes[id].span)
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

/// Which keys of a place were there.
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
