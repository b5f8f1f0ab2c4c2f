public import LullModel

/// The places of a manifest's keys and list items: in a task, in its app, in `defaults` or at the top.
public struct KeyPlaces: Sendable {
    private struct Name: Hashable {
        var file: String
        /// Keys as they are written, the task's perhaps in its short form; an item of a list is its number, from 0.
        var path: [String]
    }

    private var spans: [Name: (key: Span, value: Span?)] = [:]
    private var sources: [String: (bytes: [UInt8], starts: [Int])] = [:]
    /// The file whose `defaults` hold in all others.
    private var main: String?

    public init() {}

    /// Reads the places from a manifest's files as they are now.
    public init(of manifest: Manifest, fileSystem: any FileSystem = LocalFileSystem()) {
        main = manifest.files.first
        for file in manifest.files {
            guard let bytes = try? fileSystem.bytes(of: file) else { continue }
            let hasMark = bytes.starts(with: TextScan.byteOrderMark)
            let source = hasMark ? Array(bytes.dropFirst(TextScan.byteOrderMark.count)) : bytes
            guard TextScan.problems(in: source).isEmpty else { continue }
            var parser = DocumentParser(source)
            parser.parse()
            sources[file] = (source, SourceLines.starts(in: source))
            if let root = parser.document.root { take(parser.document, root, [], file) }
        }
    }

    /// Deep enough for a task's settings, and a list of maps in them.
    private static let depth = 12

    private mutating func take(_ document: Document, _ id: Document.NodeID, _ path: [String], _ file: String)
    {
        let id = document.resolve(id)
        guard path.count < Self.depth else { return }
        var entries = document.contents(of: id)
        switch document.nodes[id].shape {
        case .mapping:
            while let key = entries.next(), let value = entries.next() {
                let node = document.resolve(key)
                guard document.isScalar(node) else { continue }
                let below = path + [document.text(node)]
                let isShort =
                    document.isScalar(document.resolve(value)) && !document.isNothing(document.resolve(value))
                spans[Name(file: file, path: below)] = (
                    document.nodes[key].span, isShort ? document.nodes[value].span : nil
                )
                take(document, value, below, file)
            }
        case .sequence:
            for (number, item) in entries.enumerated() {
                let below = path + [String(number)]
                spans[Name(file: file, path: below)] = (document.nodes[item].span, nil)
                take(document, item, below, file)
            }
        case .plain, .quoted, .alias, .refused: break
        }
    }

    /// The place of a value, or of its key if the value is more than a text; for an inherited key, where that is written.
    ///
    /// `parts`: the key, and the keys below it; empty for the task or the app itself.
    public func place(
        of parts: [String], app: AppIdentifier?, task: TaskIdentifier? = nil, in file: String
    ) -> SourcePlace? {
        guard let name = name(of: parts, app: app, task: task, in: file), let span = spans[name],
            var lines = lines(of: name.file, around: span.key)
        else { return nil }
        return SourcePlace(path: name.file, parts.isEmpty ? span.key : span.value ?? span.key, in: &lines)
    }

    private func lines(of file: String, around key: Span) -> SourceLines? {
        guard let source = sources[file] else { return nil }
        let line = Int(key.start.line)
        guard line < source.starts.count else { return SourceLines(source.bytes) }
        return SourceLines(source.bytes, atLine: line, from: source.starts[line])
    }

    /// The place of a setting, or of the nearest key around it that exists, up to the task or the app itself.
    ///
    /// `isKey`: the place of the setting's key and not of its value.
    public func place(
        ofSetting path: [String], isKey: Bool, app: AppIdentifier, task: TaskIdentifier?, in file: String
    ) -> SourcePlace? {
        var parts = ["settings"] + path
        while !parts.isEmpty {
            if let name = name(of: parts, app: app, task: task, in: file), name.path.last == parts.last,
                let span = spans[name], var lines = lines(of: name.file, around: span.key)
            {
                let isWhole = parts.count == path.count + 1 && !isKey
                return SourcePlace(
                    path: name.file, isWhole ? span.value ?? span.key : span.key, in: &lines)
            }
            parts.removeLast()
        }
        return place(of: [], app: app, task: task, in: file)
    }

    /// The key with the file and the line of its new value.
    func placed(_ key: ManifestDiff.Key, app: AppIdentifier?, task: TaskIdentifier?, in file: String)
        -> ManifestDiff.Key
    {
        var key = key
        let parts = key.name.split(separator: ".", maxSplits: 1).map(String.init)
        guard let name = name(of: parts, app: app, task: task, in: file), let span = spans[name] else {
            return key
        }
        key.file = name.file
        key.line = Int(span.key.start.line) + 1
        return key
    }

    private func name(of parts: [String], app: AppIdentifier?, task: TaskIdentifier?, in file: String)
        -> Name?
    {
        var owners: [[String]] = []
        if let app, let task {
            let short =
                task.text.hasPrefix(app.text + ".")
                ? [String(task.text.dropFirst(app.text.utf8.count + 1))] : []
            owners += ([task.text] + short).map { ["apps", app.text, "tasks", $0] }
        }
        let isInherited = parts.first != "settings"
        if let app, task == nil || isInherited { owners.append(["apps", app.text]) }
        if isInherited { owners.append(["defaults"]) }
        if app == nil { owners.append([]) }
        for owner in owners {
            // `requires.idle` may stand in braces on the line of `requires`.
            for path in [owner + parts, owner + parts.prefix(1)] {
                let files = owner == ["defaults"] ? [file] + (main.map { [$0] } ?? []) : [file]
                for file in files {
                    let name = Name(file: file, path: path)
                    if spans[name] != nil { return name }
                }
            }
        }
        return nil
    }
}
