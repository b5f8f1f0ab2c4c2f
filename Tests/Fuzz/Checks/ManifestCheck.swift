import LullManifest
import LullModel
import LullWire

@testable import LullWorkers

/// Any text is a manifest, or is refused with a place and a fix; the same text always gives the same result.
enum ManifestCheck {
    static func run(_ bytes: [UInt8]) throws {
        let (text, reader) = files(of: bytes)
        let result = reader.read(text: text, path: "jobs.yaml")
        let errors = result.diagnostics.filter { $0.severity == .error }
        try hold(
            (result.manifest == nil) == !errors.isEmpty,
            "\(result.manifest == nil ? "refused" : "accepted") with \(errors.count) errors")
        var last = (path: "", line: 0, column: 0)
        for diagnostic in result.diagnostics {
            try hold(!diagnostic.message.isEmpty && !diagnostic.fix.isEmpty, "no remedy: \(diagnostic)")
            let text = diagnostic.rendered()
            try hold(
                text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F },
                "a terminal would obey: \(text.debugDescription)")
            try hold(text.utf8.count < 64 << 10, "a diagnostic of \(text.utf8.count) bytes")
            guard diagnostic.line > 0 else { continue }
            try hold(diagnostic.column > 0, "no column: \(text)")
            let place = (diagnostic.path, diagnostic.line, diagnostic.column)
            try hold(last.path != place.0 || last <= place, "not in the file's order: \(text)")
            last = place
        }
        let again = reader.read(text: text, path: "jobs.yaml")
        try hold(again.manifest == result.manifest, "the same text is another manifest")
        try hold(again.diagnostics == result.diagnostics, "the same text has other diagnostics")
        if let manifest = result.manifest { try check(manifest) }
    }

    private static func check(_ manifest: Manifest) throws {
        var tasks: Set<TaskIdentifier> = []
        for app in manifest.apps {
            try checkWorker(of: app)
            for task in app.tasks {
                try hold(tasks.insert(task.identifier).inserted, "\(task.identifier) is there twice")
                try hold(task.timeLimit.map { $0 > .zero } ?? true, "\(task.identifier) has no time")
            }
        }
    }

    /// The frames that its worker would get: they survive encoding and decoding.
    private static func checkWorker(of app: App) throws {
        let spec = WorkerSpec(app: app, stateFolder: "/var/lib/lull/" + app.identifier.text)
        for frame in spec.confinement.frames() {
            let again = try frame.encoded().withUnsafeBytes { try HostFrame(decoding: $0) }
            try hold(again == frame, "its worker would not be told what the manifest says: \(frame)")
        }
    }

    /// `jobs.yaml`; the text after a line `#%%` is `more.yaml` beside it, and after a second such line `jobs.d/a.yaml`.
    private static func files(of bytes: [UInt8]) -> (text: [UInt8], reader: ManifestReader) {
        var texts: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while texts.count < 2, let mark = rest.firstRange(of: mark) {
            texts.append(rest[..<mark.lowerBound])
            rest = rest[mark.upperBound...]
        }
        texts.append(rest)
        var files = machine
        for (name, text) in zip(["more.yaml", "jobs.d/a.yaml"], texts.dropFirst()) {
            let path = "/home/me/" + name
            files.entries[path] = FileEntry(.file, realPath: path)
            files.texts[path] = String(decoding: text, as: UTF8.self)
        }
        let reader = ManifestReader(pluginPath: ["/usr/lib/lull"], fileSystem: files, zoneFolder: "/zones")
        return (Array(texts[0]), reader)
    }

    private static let mark = Array("#%%\n".utf8)

    /// A machine with some plugins, logs and zones.
    private static let machine: FixedFileSystem = {
        let files = [
            "/usr/lib/lull/libColorFeed.so", "/usr/lib/lull/libCommand.so", "/usr/lib/lull/libRepoRefresh.so",
            "/usr/lib/lull/libSQLiteMaintenance.so", "/home/me/mine.so", "/var/log/access.log",
            "/var/log/nginx/access.log", "/zones/Europe/Berlin", "/zones/America/New_York", "/zones/UTC",
        ]
        let folders = [
            "/usr/lib/lull", "/var/log", "/var/log/nginx", "/zones", "/zones/Europe", "/zones/America",
            "/home/me", "/home/me/jobs.d",
        ]
        var entries: [String: FileEntry] = [:]
        for path in files { entries[path] = FileEntry(.file, realPath: path) }
        for path in folders { entries[path] = FileEntry(.folder, realPath: path) }
        let calendar =
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\nRRULE:FREQ=YEARLY\nEND:VEVENT\nEND:VCALENDAR\n"
        return FixedFileSystem(
            currentFolder: "/home/me", entries: entries,
            texts: ["/home/me/h.ics": calendar, "/home/me/bad.ics": "BEGIN:VCALENDAR\n"])
    }()
}
