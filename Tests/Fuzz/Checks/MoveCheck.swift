import LullImport
import LullManifest
import LullModel

/// Any crontab and any units become a manifest without errors; the same text always gives the same manifest.
enum MoveCheck {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let manifest = try self.manifest(of: bytes, first)
        guard let manifest else { return }
        let again = try self.manifest(of: bytes, first)
        try hold(manifest.text == again?.text, "the same input is another manifest")
        for note in manifest.notes {
            try hold(
                !note.message.isEmpty && !note.fix.isEmpty && note.line > 0, "no place or remedy: \(note)")
        }
        let result = reader.read(text: Array(manifest.text.utf8), path: "jobs.yaml")
        let errors = result.diagnostics.filter { $0.severity == .error }
        try hold(errors.isEmpty, "\(errors.map { $0.rendered() })\n\(manifest.text)")
        try hold(
            result.manifest?.tasks.count == manifest.taskCount,
            "\(manifest.taskCount) tasks, and \(result.manifest?.tasks.count ?? 0) are read:\n\(manifest.text)"
        )
    }

    private static func manifest(of bytes: [UInt8], _ first: UInt8) throws -> ImportedManifest? {
        let rest = Array(bytes.dropFirst())
        let machine = ImportMachine(
            isUser: { ["root", "kim"].contains($0) }, isZone: { ["UTC", "Europe/Berlin"].contains($0) },
            sendsMail: true)
        switch first % 4 {
        case 0, 1, 2:
            let formats: [CrontabFile.Format] = [.system, .user(nil), .unknown]
            let file = CrontabFile(path: "crontab", bytes: rest, format: formats[Int(first % 4)])
            do throws(CrontabImport.Undecided) {
                return try CrontabImport(on: machine).manifest(from: [file])
            } catch {
                try hold(error.withUser != error.without, "one line is of both kinds: \(error)")
                return nil
            }
        default:
            let parts = pieces(of: rest)
            guard parts.count > 1 else { return nil }
            var timer = UnitFile(name: "a.timer", path: "a.timer", bytes: Array(parts[0]))
            for part in parts.dropFirst(2) { timer.append(Array(part), from: "a.timer.d/more.conf") }
            let service = UnitFile(name: "a.service", path: "a.service", bytes: Array(parts[1]))
            return TimersImport([timer, service], on: machine).manifest()
        }
    }

    private static let reader: ManifestReader = {
        var entries: [String: FileEntry] = [:]
        for path in ["/usr/lib/lull/libCommand.so", "/zones/UTC", "/zones/Europe/Berlin"] {
            entries[path] = FileEntry(.file, realPath: path)
        }
        for path in ["/usr/lib/lull", "/zones", "/zones/Europe"] {
            entries[path] = FileEntry(.folder, realPath: path)
        }
        return ManifestReader(
            pluginPath: ["/usr/lib/lull"],
            fileSystem: FixedFileSystem(currentFolder: "/home/me", entries: entries),
            zoneFolder: "/zones")
    }()
}
