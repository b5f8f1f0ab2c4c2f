import LullModel

/// What transfers may bring into the folder of an app whose `limits: { disk }` is finite: no more than that leaves.
///
/// Between two looks at the folder the scheduler counts what has come. What the app has deleted meanwhile the next look shows.
extension SchedulerState {
    /// Whether a transfer of the app waits until its folder takes less.
    public func waitsForRoom(_ app: AppIdentifier) -> Bool { transfers[app]?.waitsForRoom ?? false }

    /// Nil: there is no limit, or nobody has looked.
    func folderRoom(of app: AppIdentifier) -> Int64? {
        guard let limit = self.app(app)?.limits.disk, let use = disk.folders[app] else { return nil }
        return limit - use.bytes - (transfers[app]?.added ?? 0)
    }

    /// Beside what those bring that are under way.
    func transferRoom(of app: AppIdentifier) -> Int64? {
        guard let room = folderRoom(of: app) else { return nil }
        let active = transfers[app]?.active.keys.lazy.compactMap { ledger.transfers.records[$0] }
        return room - (active?.reduce(0) { $0 + toCome(of: $1) } ?? 0)
    }

    /// What is missing of one, as far as anybody has said how much it is.
    func toCome(of record: TransferRecord) -> Int64 {
        let progress = progress(of: record.state)
        return max(0, (progress.toReceive ?? record.state.order.expectedToReceive ?? 0) - progress.received)
    }

    /// Why one can't begin; nil: it can.
    func shortage(of record: TransferRecord, in room: Int64?) -> String? {
        guard let room, !Mutation.fillsFolders.isOn, room <= 0 || room < toCome(of: record) else {
            return nil
        }
        return TransferRules.shortage(
            toCome: toCome(of: record), room: room, remedy: "raise `disk` in its `limits` in \(manifest.path)"
        )
    }

    /// As far as this host has heard.
    func progress(of state: TransferState) -> TransferProgress {
        let desk = transfers[state.app]
        return desk?.active[state.id]?.progress ?? desk?.last[state.id] ?? state.progress
    }

    /// Somebody has looked at the app's folder.
    mutating func countTransfersAnew(of app: AppIdentifier) {
        transfers[app]?.added = 0
        if waitsForRoom(app) { touchTransfers(of: app) }
    }
}

extension TransferNews {
    /// In place of an attempt's number: what lies in the folder as a host starts. One that was killed has told nobody how far it was.
    public static let found: UInt64 = 0

    /// Bytes that are there by now; nil: it does not say.
    var received: Int64? {
        switch self {
        case .progressed(let progress): progress.received
        case .finished(let result): result.received
        case .interrupted, .failed, .challenged: nil
        }
    }
}
