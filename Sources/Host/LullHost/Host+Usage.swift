import LullHistory
import LullModel
import LullScheduler
import LullSystem
import LullUsage

/// Uses that the manifest's sources report.
extension Host {
    /// Follows the sources of `manifest` from now on; a pass reads them up to their present ends.
    ///
    /// `caughtUp` is called once all their past uses are known: soon in most cases, and in some before this returns.
    func followUsage(_ manifest: Manifest, caughtUp: @escaping () -> Void) {
        guard configuration.goal == .service || configuration.goal == .pass else { return caughtUp() }
        let hasSources = manifest.apps.contains { app in
            if case .sources = app.usage { true } else { false }
        }
        if usage == nil, hasSources { usage = makeFollower() }
        guard let usage else { return caughtUp() }
        guard let since = usage.pastNeeded(by: manifest.apps) else {
            return follow(manifest, after: [:], caughtUp)
        }
        usesMeanwhile = [:]
        reads.run(within: Self.readingTimeout) { (history) throws(HistoryError) in
            try history.uses(since: since)
        } then: { [unowned self] found in
            follow(manifest, after: known(found), caughtUp)
        }
    }

    private func follow(
        _ manifest: Manifest, after known: [AppIdentifier: [WallTime]], _ caughtUp: @escaping () -> Void
    ) {
        usage?.follow(manifest.apps) { _ in
            known
        } caughtUp: { [unowned self] in
            caughtUp()
            saveUsagePlaces()
        }
    }

    /// The uses of the past that were read, and those that were recorded in the meantime.
    private func known(
        _ found: Result<[AppIdentifier: [WallTime]], HistoryError>?
    ) -> [AppIdentifier: [WallTime]] {
        let late = usesMeanwhile ?? [:]
        usesMeanwhile = nil
        switch found {
        case .success(let uses): return uses.merging(late) { $0 + $1 }
        case .failure(let error):
            logger.warning("\(error.message) Uses that are known already may be recorded again.")
        case nil:
            logger.warning("The history did not answer. Uses that are known already may be recorded again.")
        }
        return late
    }

    func noteUse(_ app: AppIdentifier, at time: WallTime) {
        usage?.note(app, at: time)
        fleet?.uses.used(app, at: time)
        usesMeanwhile?[app, default: []].append(time)
    }

    private static let readingTimeout: Duration = .seconds(30)

    private func makeFollower() -> UsageFollower? {
        let surroundings = UsageFollower.Surroundings(
            clock: { Clock.wall }, zone: { [unowned self] in zones.host },
            roots: configuration.usageRoots,
            isAtWork: { [unowned self] app in ownWork.isGoingOn(app, at: Clock.monotonic) })
        do {
            let follower = try UsageFollower(
                folder: configuration.state.path, loop: configuration.goal == .service ? loop : nil,
                surroundings)
            follower.onUses = { [unowned self] uses in
                handle(.usesFound(uses.map { Use(app: $0.app, time: $0.time) }))
                saveUsagePlaces()
            }
            follower.onFaultsChanged = { [unowned self] in noteChange() }
            follower.onFault = { [unowned self] fault in logger.warning("\(fault.message) \(fault.fix)") }
            return follower
        } catch {
            logger.warning(
                "\(error.message) No use is learned from the manifest's sources until the next start.")
            return nil
        }
    }

    /// Saves the read positions once all uses are durable: a position saved too early would lose a use.
    private func saveUsagePlaces() {
        guard usage != nil else { return }
        commits.add(nil) { [unowned self] in
            usage?.save()
            // An earlier check may have found this still to be done.
            restIfQuiet()
        }
    }
}

extension SQLiteHistory {
    func uses(since: WallTime) throws(HistoryError) -> [AppIdentifier: [WallTime]] {
        var uses: [AppIdentifier: [WallTime]] = [:]
        try forEachEvent(matching: HistoryQuery(names: [.used], since: since)) { event in
            uses[event.app, default: []].append(event.time)
        }
        return uses
    }
}
