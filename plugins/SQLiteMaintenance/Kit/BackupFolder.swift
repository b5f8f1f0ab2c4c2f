import Foundation
import Glibc

/// The folder that holds the backups of one database, named `app-20261121T083000Z.sqlite` for `app.sqlite`.
///
/// It touches only files with such a name: whatever else lies in the folder is not its own.
struct BackupFolder {
    private let folder: String
    private let stem: String
    private let ending: String

    init(_ folder: String, of database: String) throws(MaintenanceError) {
        self.folder = folder
        let name = (database as NSString).lastPathComponent as NSString
        stem = name.deletingPathExtension
        ending = name.pathExtension.isEmpty ? "" : "." + name.pathExtension
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .backupFolder(path: folder, reason: "it can't be made: \(error.localizedDescription)")
        }
    }

    /// Where the backup of this moment belongs; `.new` is added to it while it is being written.
    func path(at time: Date) -> String {
        folder + "/" + stem + "-" + Self.stamp(time) + ending
    }

    /// Gives a finished backup its name, durably.
    func adopt(_ new: String, as path: String) throws(MaintenanceError) {
        do {
            try DurableFile.rename(new, to: path)
        } catch {
            throw .backupFolder(path: folder, reason: "the backup can't be kept: \(error.reason)")
        }
    }

    /// Deletes all but the newest `keep` backups, and what runs that were cut off left a day ago or earlier.
    func prune(keeping keep: Int, at now: Date) throws(MaintenanceError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let backups = names.filter { time(ofBackup: $0) != nil }.sorted()
        let yesterday = Self.stamp(now.addingTimeInterval(-86_400))
        let leftovers = names.filter { name in
            guard let end = name.range(of: ".new", options: .backwards) else { return false }
            return time(ofBackup: String(name[..<end.lowerBound])).map { $0 < yesterday } ?? false
        }
        for name in backups.dropLast(keep) + leftovers {
            guard unlink(folder + "/" + name) == 0 || errno == ENOENT else {
                throw .backupFolder(
                    path: folder, reason: "\"\(name)\" can't be deleted: \(DurableFile.Failure.last.reason)")
            }
        }
    }

    /// The stamp in a backup's name; nil when it is not one of this database's.
    private func time(ofBackup name: String) -> String? {
        guard name.hasPrefix(stem + "-"), name.hasSuffix(ending) else { return nil }
        let stamp = name.dropFirst(stem.count + 1).dropLast(ending.count)
        return stamp.wholeMatch(of: /[0-9]{8}T[0-9]{6}Z/) == nil ? nil : String(stamp)
    }

    private static func stamp(_ time: Date) -> String {
        time.formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    }
}
