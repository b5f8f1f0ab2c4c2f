import Foundation
import LullModel
import Testing

@testable import LullHost

struct ManifestFilesTests {
    @Test func `what is included, and what will be, is followed like the manifest itself`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-\(UUID().uuidString)"
        ).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/jobs.d", withIntermediateDirectories: true)
        var manifest = Manifest(path: folder)
        manifest.files = [folder + "/jobs.yaml", folder + "/more/a.yaml"]
        manifest.includePatterns = [folder + "/jobs.d/*.yaml"]
        let files = ManifestFiles(path: folder, manifest)
        let before = ["/jobs.d/*.yaml", "/jobs.yaml", "/more/a.yaml"].map { folder + $0 }
        #expect(files.now == before)
        for name in ["new.yaml", ".new.yaml.swp", "new.yaml~", "backup.tar", ".hidden.yaml"] {
            try "x".write(toFile: folder + "/jobs.d/" + name, atomically: true, encoding: .utf8)
        }
        #expect(files.now == (before + [folder + "/jobs.d/new.yaml"]).sorted())
        #expect(ManifestFiles(path: folder + "/jobs.yaml").now == [folder + "/jobs.yaml"])
    }
}
