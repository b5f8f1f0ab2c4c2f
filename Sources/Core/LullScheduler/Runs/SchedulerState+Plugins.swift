import LullModel

/// Plugin files that change under a running host.
///
/// A worker keeps the files that it has loaded: after `mv` the old file, after `cp` one that is changing under it. So
/// before each launch into an existing worker its files are compared with those that it was started with, and another
/// file means another worker. The shell compares, for a disk may not answer; waiting tasks are offered again then.
extension SchedulerState {
    /// Whether something may be launched in the app's worker in this turn; if not, its files are being compared.
    mutating func mayLaunchInWorker(of name: AppIdentifier) -> Bool {
        guard options.comparesPlugins, let known = apps[name]?.current, known.comparedIn != turn.number else {
            return true
        }
        if workers.compare(known.id) { turn.effects.append(.comparePlugin(known.id)) }
        return false
    }

    /// The stamp that a worker was started with; nil: there is no such worker.
    public func stamp(of id: WorkerID) -> String? { worker(id)?.stamp }

    mutating func pluginCompared(_ id: WorkerID, _ stamp: String?) {
        workers.endComparison(of: id)
        let name = id.app
        if let known = apps[name]?.current, known.id == id {
            switch known.state {
            // It is not started before the stamp of the files that it loads is known.
            case .starting: adopt(stamp, id)
            case .warm, .suspended:
                if let stamp, stamp != known.stamp, !Mutation.keepsWorkers.isOn {
                    pluginChanged(of: name, stamp)
                } else {
                    trustPlugin(of: id)
                    for launch in takeForced(of: name) { force(launch) }
                }
            case .none, .leaving: break
            }
        }
        // Launches by hand that waited for a worker that is not used any more, if no other starts yet.
        if apps[name]?.forced.isEmpty == false { startWorker(name) }
        offer(name)
    }

    /// Takes the worker's files as unchanged for this turn.
    mutating func trustPlugin(of id: WorkerID) {
        let number = turn.number
        change(id) { $0.comparedIn = number }
    }

    private mutating func adopt(_ stamp: String?, _ id: WorkerID) {
        guard let stamp else { return }
        listing.adopt(stamp, of: id.app)
        change(id) { $0.stamp = stamp }
    }

    private mutating func pluginChanged(of name: AppIdentifier, _ stamp: String) {
        listing.adopt(stamp, of: name)
        if let app = app(name), needsDiscovery(app) { wantDiscovery(of: name) }
        retireWorkers(of: name)
        touchTasks(of: name)
    }
}
