import Foundation
public import LullModel

/// What an import did.
public struct ImportReport: Sendable, Equatable {
    /// Events read from the file.
    public var read: Int
    public var added: Int
    /// In the history already, or in the file twice.
    public var known: Int
    /// From before the time from which the history is kept.
    public var tooOld: Int
}

/// A file of JSON Lines, read and held against a history: what is to be added, before anything is.
///
/// The same file imported twice adds nothing the second time. Uses go into any history. Requests and runs carry
/// numbers that are a history's own: they go into one that holds none yet.
public struct HistoryImport: Sendable, Equatable {
    public let events: [HistoryEvent]
    public let report: ImportReport

    /// Plans the import of a file into a history that is kept from `since` on; throws all bad lines in one go.
    public init(file path: String, into history: any History, since: WallTime = .distantPast)
        throws(HistoryError)
    {
        try self.init(bytes: try Self.bytes(of: path), path: path, into: history, since: since)
    }

    public init(
        bytes: some Sequence<UInt8>, path: String, into history: any History, since: WallTime = .distantPast
    ) throws(HistoryError) {
        let all = try HistoryLines.decode(file: bytes, path: path)
        let recent = all.filter { $0.time >= since }
        events = try history.unknown(among: recent)
        if events.contains(where: { $0.run != nil || $0.request != nil }), try history.holdsNumbers() {
            throw .foreignNumbers(path: path)
        }
        report = ImportReport(
            read: all.count, added: events.count, known: recent.count - events.count,
            tooOld: all.count - recent.count)
    }

    private static func bytes(of path: String) throws(HistoryError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            throw .inaccessible(path: path, reason: "the file can't be read: \(error.localizedDescription)")
        }
    }
}

extension History {
    /// Imports a file in one transaction: all of its events that are not there yet, or none when a line is bad.
    public func importLines(from path: String, since: WallTime = .distantPast) throws(HistoryError)
        -> ImportReport
    {
        let plan = try HistoryImport(file: path, into: self, since: since)
        try append(HistoryBatch(events: plan.events))
        return plan.report
    }
}
