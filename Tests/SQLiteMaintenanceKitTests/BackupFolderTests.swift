import Foundation
import TestSupport
import Testing

@testable import SQLiteMaintenanceKit

@Suite struct BackupFolderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a backup is named by its moment`() throws {
        let backups = try BackupFolder(folder.path, of: "/var/lib/app.sqlite")
        #expect(backups.path(at: Workshop.now) == folder.path + "/app-20261121T083000Z.sqlite")
        let plain = try BackupFolder(folder.path, of: "app")
        #expect(plain.path(at: Workshop.now) == folder.path + "/app-20261121T083000Z")
    }

    @Test func `pruning keeps the newest, and what is not its own`() throws {
        let foreign = [
            "app-20261101T000000Z.txt", "app-2-20261101T000000Z.sqlite", "app.sqlite", "app-old.sqlite",
            "other-20261101T000000Z.sqlite", "app-20261121T080000Z.sqlite.new",
        ]
        let own = (1...9).map { "app-2026111\($0)T000000Z.sqlite" }
        for name in foreign + own + ["app-20261119T000000Z.sqlite.new"] { _ = try folder.file(name, "x") }
        try BackupFolder(folder.path, of: "/var/lib/app.sqlite").prune(keeping: 3, at: Workshop.now)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.sorted() == (foreign + own.suffix(3)).sorted())
    }
}
