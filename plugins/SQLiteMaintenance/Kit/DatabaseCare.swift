import Foundation
import GRDB
import Synchronization

/// The steps on one database. Each is whole or without effect, also when its Swift task is cancelled.
struct DatabaseCare: Sendable {
    private let item: MaintenanceSettings.Item
    private let busySeconds: Int

    init(_ item: MaintenanceSettings.Item, busySeconds: Int) {
        self.item = item
        self.busySeconds = busySeconds
    }

    /// Takes one step and returns its result in a few words; nil when its settings ask for nothing.
    func take(_ step: MaintenanceStep, at now: Date) async throws -> String? {
        guard FileManager.default.fileExists(atPath: item.path) else {
            throw MaintenanceError.missing(item.path)
        }
        do {
            switch step {
            case .check: return try await check()
            case .backup: return try await backup(at: now)
            case .optimize: return try await optimize()
            case .vacuum: return try await vacuum()
            }
        } catch let error as DatabaseError {
            if Task.isCancelled { throw CancellationError() }
            throw sentence(error, step: step)
        }
    }

    private func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(TimeInterval(busySeconds))
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func check() async throws -> String {
        let full = item.integrity == .full
        let findings = try await open(item.path).read { try Self.findings(in: $0, full: full) }
        guard findings.isEmpty else {
            throw MaintenanceError.damaged(path: item.path, finding: Self.summary(findings))
        }
        return full ? "sound (full check)" : "sound (quick check)"
    }

    private static func findings(in database: Database, full: Bool) throws -> [String] {
        let pragma = full ? "integrity_check" : "quick_check"
        let rows = try String.fetchAll(database, sql: "PRAGMA \(pragma)(10)")
        return rows == ["ok"] ? [] : rows.map { $0.replacing("\n", with: " ") }
    }

    private static func summary(_ findings: [String]) -> String {
        guard let first = findings.first else { return "" }
        return findings.count == 1 ? first : "\(first) (and \(findings.count - 1) more)"
    }

    private func optimize() async throws -> String {
        try await open(item.path).writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA analysis_limit = 1000")
            // Before 3.46 `optimize` looks only at tables that this very connection has queried: none.
            let version = try String.fetchOne(database, sql: "SELECT sqlite_version()") ?? ""
            let numbers = version.split(separator: ".").compactMap { Int($0) }
            let looksAtAll = numbers.lexicographicallyPrecedes([3, 46]) == false
            try database.execute(sql: looksAtAll ? "PRAGMA optimize = 0x10002" : "ANALYZE")
            return "statistics renewed"
        }
    }

    private func vacuum() async throws -> String? {
        guard item.vacuum != .never else { return nil }
        let isAsked = item.vacuum == .always
        return try await open(item.path).writeWithoutTransaction { database in
            func number(_ pragma: String) throws -> Int {
                try Int.fetchOne(database, sql: "PRAGMA " + pragma) ?? 0
            }
            let free = try number("freelist_count")
            let before = try number("page_count")
            guard isAsked || (free > 0 && free * 4 >= before) else {
                return "no need to vacuum (\(free) of \(before) pages free)"
            }
            try database.execute(sql: "VACUUM")
            return "vacuumed from \(before) to \(try number("page_count")) pages"
        }
    }

    private func backup(at now: Date) async throws -> String? {
        guard let settings = item.backup else { return nil }
        let folder = try BackupFolder(settings.folder, of: item.path)
        let path = folder.path(at: now)
        let new = path + ".new"
        defer { Self.remove(new) }
        Self.remove(new)
        try await copy(to: new)
        try folder.adopt(new, as: path)
        try folder.prune(keeping: settings.keep, at: now)
        return "backed up to \(path)"
    }

    private static func remove(_ path: String) {
        for ending in ["", "-journal", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + ending)
        }
    }

    /// Copies through SQLite's backup interface, in one read transaction, so that writers can't make it begin
    /// anew.
    private func copy(to new: String) async throws {
        let source = try open(item.path)
        let copy = try open(new)
        let isCancelled = Atomic(false)
        try await withTaskCancellationHandler {
            try await source.read { source in
                try copy.writeWithoutTransaction { copy in
                    try source.backup(to: copy, pagesPerStep: 1024) { _ in
                        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
                    }
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
        let findings: [String]
        do {
            findings = try await copy.read { try Self.findings(in: $0, full: false) }
        } catch let error as DatabaseError where Self.isDamage(error) {
            findings = [error.message ?? "\(error.resultCode)"]
        }
        try copy.close()
        guard findings.isEmpty else {
            throw MaintenanceError.damagedBackup(path: item.path, finding: Self.summary(findings))
        }
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }

    private func sentence(_ error: DatabaseError, step: MaintenanceStep) -> MaintenanceError {
        let message = error.message ?? "\(error.resultCode)"
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: item.path, seconds: busySeconds)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged(path: item.path, finding: message)
        default: .database(path: item.path, step: step.rawValue, reason: message)
        }
    }
}
