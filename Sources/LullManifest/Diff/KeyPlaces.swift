public import LullModel

/// On which line of which file each key of a manifest stands: in a task, in its app, or in `defaults`.
public struct KeyPlaces: Sendable {
    private struct Name: Hashable {
        var file: String
        /// As they are written, of the task perhaps in short.
        var path: [String]
    }

    private var lines: [Name: Int] = [:]
    /// The file whose `defaults` hold in all others.
    private var main: String?

    public init() {}

    /// Of a manifest's files, as they are now.
    public init(of manifest: Manifest, fileSystem: any FileSystem = LocalFileSystem()) {
        main = manifest.files.first
        for file in manifest.files {
            guard let bytes = try? fileSystem.bytes(of: file) else { continue }
            let hasMark = bytes.starts(with: TextScan.byteOrderMark)
            let source = hasMark ? Array(bytes.dropFirst(TextScan.byteOrderMark.count)) : bytes
            guard TextScan.problems(in: source).isEmpty else { continue }
            var parser = DocumentParser(source)
            parser.parse()
            if let root = parser.document.root { take(parser.document, root, [], file) }
        }
    }

    /// No deeper than a key of `requires` or of `settings` in a task.
    private static let depth = 6

    private mutating func take(_ document: Document, _ id: Document.NodeID, _ path: [String], _ file: String)
    {
        let id = document.resolve(id)
        guard document.nodes[id].shape == .mapping, path.count < Self.depth else { return }
        var entries = document.contents(of: id)
        while let key = entries.next(), let value = entries.next() {
            let node = document.resolve(key)
            guard document.isScalar(node) else { continue }
            let below = path + [document.text(node)]
            lines[Name(file: file, path: below)] = Int(document.nodes[key].span.start.line) + 1
            take(document, value, below, file)
        }
    }

    /// The key with the line on which its new value stands.
    func placed(_ key: ManifestDiff.Key, app: AppIdentifier?, task: TaskIdentifier?, in file: String)
        -> ManifestDiff.Key
    {
        var key = key
        let parts = key.name.split(separator: ".", maxSplits: 1).map(String.init)
        var owners: [[String]] = []
        if let app, let task {
            let short =
                task.text.hasPrefix(app.text + ".")
                ? [String(task.text.dropFirst(app.text.utf8.count + 1))] : []
            owners += ([task.text] + short).map { ["apps", app.text, "tasks", $0] }
        }
        if let app, task == nil || parts[0] != "settings" { owners.append(["apps", app.text]) }
        if parts[0] != "settings" { owners.append(["defaults"]) }
        for owner in owners {
            // `requires.idle` may stand in braces on the line of `requires`.
            for path in [owner + parts, owner + parts.prefix(1)] {
                let files = owner == ["defaults"] ? [file] + (main.map { [$0] } ?? []) : [file]
                for file in files {
                    guard let line = lines[Name(file: file, path: path)] else { continue }
                    key.file = file
                    key.line = line
                    return key
                }
            }
        }
        return key
    }
}
