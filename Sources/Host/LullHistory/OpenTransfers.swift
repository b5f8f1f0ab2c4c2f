import GRDB
public import LullModel

/// The rows of the history with long texts of transfers whose results their apps have not received yet.
///
/// The row of an order has its headers and its body, the row of a result has the server's response. The host needs them after a
/// restart until the app has the result, and then no longer. The changes of a transaction count once it is committed.
struct OpenTransfers: Sendable {
    private struct Key: Hashable {
        let app: AppIdentifier
        let id: TransferID
    }
    private var rows: [Key: [Int64]] = [:]
    /// The changes of the open transaction.
    private var added: [Key: [Int64]] = [:]
    private var ended: Set<Key> = []

    /// Returns the rows whose texts can be removed, now that this event is recorded.
    mutating func note(_ event: HistoryEvent, at seq: Int64) -> [Int64] {
        guard event.event == .transfer, let note = event.transfer else { return [] }
        let key = Key(app: event.app, id: note.id)
        switch note {
        case .asked, .answered, .finished:
            if note != note.spent { added[key, default: []].append(seq) }
        case .taken, .givenUp:
            let known = ended.insert(key).inserted ? rows[key] ?? [] : []
            return known + (added.removeValue(forKey: key) ?? [])
        case .interrupted, .challenged, .failed, .cancelled, .paused, .resumed, .taking: break
        }
        return []
    }

    mutating func end(isWritten: Bool) {
        if isWritten {
            for key in ended { rows[key] = nil }
            rows.merge(added) { $0 + $1 }
        }
        (added, ended) = ([:], [])
    }
}

extension SQLiteHistory {
    /// Finds the texts of transfers that were recorded before this history was opened; `times` are the times at which they were
    /// requested and ended.
    public func expect(transfersOf times: Set<WallTime>) throws(HistoryError) {
        guard !times.isEmpty else { return }
        let found = try readNamed { db, names in
            let table = EventTable(of: db, names)
            let sql = table.selection + " WHERE event = ? AND time = ? AND \(HistoryQuery.rare)"
            return try times.flatMap { time in
                let rows = try EventRows(table, sql, [Thinner.code(.transfer), time.milliseconds])
                var found: [(seq: Int64, event: HistoryEvent)] = []
                while let row = try rows.next() { found.append(row) }
                return found
            }
        }
        openTransfers.withLock { open in
            for row in found { _ = open.note(row.event, at: row.seq) }
            open.end(isWritten: true)
        }
    }
}
