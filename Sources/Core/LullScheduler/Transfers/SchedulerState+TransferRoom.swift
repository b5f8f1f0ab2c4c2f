import LullModel

/// The room that an app with a finite `limits: { disk }` has left in its folder for transfers.
///
/// Between two measurements of the folder the scheduler counts the bytes that come. The next one shows what the app has
/// deleted meanwhile.
extension SchedulerState {
    /// Whether a transfer of the app waits until its folder takes less.
    public func waitsForRoom(_ app: AppIdentifier) -> Bool { transfers[app]?.waitsForRoom ?? false }

    /// Nil: there is no limit, or the folder was not measured.
    func folderRoom(of app: AppIdentifier) -> Int64? {
        guard let limit = self.app(app)?.limits.disk, let use = disk.folders[app] else { return nil }
        return limit - use.bytes - (transfers[app]?.added ?? 0)
    }

    /// The room beside the bytes that the active transfers have yet to bring.
    func transferRoom(of app: AppIdentifier) -> Int64? {
        guard let room = folderRoom(of: app) else { return nil }
        let active = transfers[app]?.active.keys.lazy.compactMap { ledger.transfers.records[$0] }
        return room - (active?.reduce(0) { $0 + toCome(of: $1) } ?? 0)
    }

    /// The bytes of a transfer that are still to come, as far as its size is known.
    func toCome(of record: TransferRecord) -> Int64 {
        let progress = progress(of: record.state)
        return max(0, (progress.toReceive ?? record.state.order.expectedToReceive ?? 0) - progress.received)
    }

    /// Why a transfer can't begin; nil: it can.
    func shortage(of record: TransferRecord, in room: Int64?) -> String? {
        guard let room, !Mutation.fillsFolders.isOn, room <= 0 || room < toCome(of: record) else {
            return nil
        }
        return TransferRules.shortage(
            toCome: toCome(of: record), room: room, remedy: "raise `disk` in its `limits` in \(manifest.path)"
        )
    }

    /// The progress, as far as this host knows.
    func progress(of state: TransferState) -> TransferProgress {
        let appTransfers = transfers[state.app]
        return appTransfers?.active[state.id]?.progress ?? appTransfers?.last[state.id] ?? state.progress
    }

    /// The app's folder was measured.
    mutating func countTransfersAnew(of app: AppIdentifier) {
        transfers[app]?.added = 0
        if waitsForRoom(app) { touchTransfers(of: app) }
    }
}

extension TransferNews {
    /// In place of an attempt's number: the news tells how much a starting host found in the folder. A host that was
    /// killed could not report it.
    public static let found: UInt64 = 0

    /// The bytes that are there by now; nil: the news does not say.
    var received: Int64? {
        switch self {
        case .progressed(let progress): progress.received
        case .finished(let result): result.received
        case .interrupted, .failed, .challenged: nil
        }
    }
}
