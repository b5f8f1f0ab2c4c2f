import Foundation
import LullImport
import LullManifest
import LullModel
import Testing

/// The imports of the tests, and a machine on which the resulting manifests are read.
enum Samples {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/Import")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    static func crontab(_ text: String, as format: CrontabFile.Format = .user(nil), path: String = "crontab")
        throws
        -> ImportedManifest
    {
        let file = CrontabFile(path: path, bytes: Array(text.utf8), format: format)
        return try CrontabImport(on: machine).manifest(from: [file])
    }

    static var machine: ImportMachine {
        ImportMachine(
            isUser: { ["root", "www-data", "deploy", "mail"].contains($0) },
            isZone: { ["UTC", "America/New_York", "Europe/Berlin"].contains($0) }, sendsMail: true)
    }

    /// As `lull check --no-plugins` reads it, on a machine that has the plugin and the zones.
    static func read(_ manifest: ImportedManifest) throws -> Manifest {
        let result = reader.read(text: Array(manifest.text.utf8), path: "jobs.yaml")
        #expect(result.diagnostics.isEmpty, "\(result.diagnostics.map { $0.rendered() })\n\(manifest.text)")
        return try #require(result.manifest)
    }

    static let reader: ManifestReader = {
        var entries: [String: FileEntry] = [:]
        for path in [
            "/usr/lib/lull/libCommand.so", "/zones/UTC", "/zones/America/New_York", "/zones/Europe/Berlin",
        ] {
            entries[path] = FileEntry(.file, realPath: path)
        }
        for path in ["/usr/lib/lull", "/zones", "/zones/America", "/zones/Europe"] {
            entries[path] = FileEntry(.folder, realPath: path)
        }
        return ManifestReader(
            pluginPath: ["/usr/lib/lull"],
            fileSystem: FixedFileSystem(currentFolder: "/home/me", entries: entries),
            zoneFolder: "/zones")
    }()

    /// The text that is kept beside the sample; with LULL_RECORD set it is written anew.
    static func expect(
        _ text: String, isKeptIn name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["LULL_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(text == (try? String(contentsOf: file, encoding: .utf8)), sourceLocation: sourceLocation)
    }
}
