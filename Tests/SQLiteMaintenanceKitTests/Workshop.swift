import Foundation
import GRDB
import Synchronization
import TestSupport

@testable import SQLiteMaintenanceKit

/// Real databases in a folder of the test's own, and a pass over them.
struct Workshop {
    /// 2026-11-21T08:30:00Z.
    static let now = Date(timeIntervalSince1970: 1_795_249_800)

    let folder: TemporaryFolder
    var stateFile: String { folder.path + "/maintain.json" }
    var backups: String { folder.path + "/backups" }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A database with an index, 2,000 rows, and after `deleting` many free pages.
    func database(_ name: String, deleting: Bool = false) throws -> String {
        let path = folder.path + "/" + name
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: "CREATE TABLE colour (name TEXT, shade INTEGER); CREATE INDEX shades ON colour (shade)")
            for number in 0..<2000 {
                try database.execute(
                    sql: "INSERT INTO colour VALUES (?, ?)",
                    arguments: ["a colour by the name of \(number)", number % 7]
                )
            }
            if deleting { try database.execute(sql: "DELETE FROM colour WHERE shade > 0") }
        }
        try queue.close()
        return path
    }

    /// Overwrites the middle of the file.
    func damage(_ path: String) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size / 2 / 4096 * 4096)
        try handle.write(contentsOf: Data(repeating: 0x5A, count: 8192))
        try handle.close()
    }

    func pass(_ items: [MaintenanceSettings.Item], steps: [MaintenanceStep] = MaintenanceStep.allCases)
        -> Maintenance
    {
        Maintenance(.init(databases: items, busySeconds: 0), steps: steps, stateFile: stateFile)
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}

/// The notes of a pass, from whichever thread.
final class Notes: Sendable {
    private let all = Mutex<[Maintenance.Note]>([])

    func add(_ note: Maintenance.Note) {
        all.withLock { $0.append(note) }
    }

    var texts: [String] { all.withLock { $0.map(\.text) } }
    var problems: [String] { all.withLock { $0.filter(\.isProblem).map(\.text) } }
}
