import LullHistory
public import LullModel
public import LullScheduler

/// What would become of requests and runs if a host put another manifest in force now.
public struct ManifestPreview: Sendable {
    /// Requests that would end, each with its end and the reason.
    public var ended: [HistoryEvent] = []
    /// Requests that would wait on.
    public var kept: [TaskRequest] = []
    /// Runs that are under way, if a host is running: a change of the manifest ends none.
    public var running: [RunRecord] = []
}

extension OfflineHost {
    /// Gives the new manifest to the scheduler itself, on a copy of the state that is thrown away.
    public func preview(of new: Manifest) throws(HostError) -> ManifestPreview {
        let ledger = try readLedger()
        var scheduler = judge(ledger)
        let now = self.now
        var preview = ManifestPreview()
        preview.running = ledger.runs.values.sorted { $0.run < $1.run }
        _ = scheduler.handle(.manifestLoaded(manifest, stamps: Self.stamps(of: manifest)), at: now)
        // Requests that this copy made for itself do not count.
        let waiting = Set(judge(ledger).pending(of: nil).map(\.id))
        let effects = scheduler.handle(.manifestLoaded(new, stamps: Self.stamps(of: new)), at: now)
        let left = Set(scheduler.pending(of: nil).map(\.id))
        preview.kept = judge(ledger).pending(of: nil).filter { left.contains($0.id) }
        for effect in effects {
            guard case .record(let event) = effect, let request = event.request, waiting.contains(request),
                !left.contains(request), [.givenUp, .replaced, .merged, .cancelled].contains(event.event)
            else { continue }
            preview.ended.append(event)
        }
        return preview
    }
}
