import Foundation
import GRDB
public import LullModel

/// The result of salvaging a damaged history.
public struct SalvageReport: Sendable, Equatable {
    /// Where the damaged file is now.
    public var movedTo: String
    public var events: Int
    /// Runs' pieces of output.
    public var outputs: Int
    public var hasCheckpoint: Bool
    /// How many event numbers are missing, between the saved events and up to the checkpoint.
    public var lostEvents: Int
    /// The number of the last event that was saved.
    var last: Int64 = 0

    /// One sentence for the log.
    public var message: String {
        "The history was damaged, and was moved to \(movedTo); \(events) events were saved, at least \(lostEvents) lost, "
            + "and the checkpoint was \(hasCheckpoint ? "saved" : "lost")."
    }
}

extension SQLiteHistory {
    /// Opens the history for writing; a damaged one is moved aside and its readable rows go into a new one.
    ///
    /// The caller holds the `StateLock`, and this process has no connection to it.
    public static func openSalvaging(
        folder: String, at time: WallTime
    ) throws(HistoryError) -> (history: SQLiteHistory, salvage: SalvageReport?) {
        let path = folder + "/" + fileName
        if !DatabaseSeal.fits(path) { ReadAhead.file(path) }
        do {
            return (try open(folder: folder, mode: .readWrite), nil)
        } catch .damaged {
            let report = try salvage(folder: folder, at: time)
            return (try open(folder: folder, mode: .readWrite), report)
        }
    }

    /// Moves a damaged history aside, `history.damaged-<time>.sqlite`, and copies its readable rows into a new one.
    ///
    /// The new one is built beside the old and takes its name when it is whole; after a crash in between the next
    /// opening finishes this. The caller holds the `StateLock`, and no connection is open.
    public static func salvage(folder: String, at time: WallTime) throws(HistoryError) -> SalvageReport {
        let path = folder + "/" + fileName
        let stamp = time.rfc3339.filter { $0 != ":" && $0 != "-" && $0 != "." }
        let moved = folder + "/history.damaged-\(stamp).sqlite"
        do {
            let scratch = folder + salvageFolder
            try? FileManager.default.removeItem(atPath: scratch)
            // Closed once, so that its first page is in its file for `SalvageSource` to borrow.
            try open(folder: scratch, mode: .readWrite).close()
            let source = SalvageSource.open(path, scratch: scratch, model: scratch + "/" + fileName)
            let fresh = try open(folder: scratch, mode: .readWrite)
            let report = try SalvageCopy(from: source, to: fresh).run(movedTo: moved)
            try source?.close()
            try fresh.close()
            // From here on the new one is whole, and its folder's name says so: any host can do the rest.
            try FileManager.default.moveItem(atPath: scratch, toPath: folder + savedFolder + stamp)
            DurableFolder.sync(folder)
            try finishSalvage(in: folder)
            clearMark(of: path)
            return report
        } catch {
            throw HistoryError(error, path: path)
        }
    }

    private static let salvageFolder = "/history.salvage"
    private static let savedFolder = "/history.saved-"

    /// Moves the damaged history aside and gives the new one its name.
    ///
    /// A crash may come after any step: files that were moved already are skipped.
    static func finishSalvage(in folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let prefix = savedFolder.dropFirst()
        guard let saved = names.filter({ $0.hasPrefix(prefix) }).max() else { return }
        let path = folder + "/" + fileName
        let whole = folder + "/" + saved + "/" + fileName
        if DurableFolder.exists(whole) {
            try move(path, to: folder + "/history.damaged-\(saved.dropFirst(prefix.count)).sqlite")
            // The database moves last: while it is still in the saved folder, the file at the path is the damaged one.
            try move(whole, to: path)
        }
        try FileManager.default.removeItem(atPath: folder + "/" + saved)
        DurableFolder.sync(folder)
    }

    /// Moves the file with SQLite's files beside it: a WAL holds commits that are nowhere else.
    private static func move(_ path: String, to target: String) throws {
        for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: target + suffix)
        }
    }
}
