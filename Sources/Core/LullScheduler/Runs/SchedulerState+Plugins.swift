import LullModel

/// Plugin files that change under a running host.
///
/// A worker goes on with the files that it has loaded: after `mv` with the old one, after `cp` with one that is changing under
/// it. So before each launch into a worker that is there, its files are compared with those that it was started with, and
/// another file means another worker. The shell compares, for a disk may not answer; whatever waits is offered again then.
extension SchedulerState {
    /// Whether something may be launched in the app's worker in this turn; if not, its files are being compared.
    mutating func mayLaunchInWorker(of name: AppIdentifier) -> Bool {
        guard options.comparesPlugins, let known = apps[name]?.current, known.comparedIn != turn.number else {
            return true
        }
        if comparing.insert(known.id).inserted { turn.effects.append(.comparePlugin(known.id)) }
        return false
    }

    /// The stamp that a worker was started with; nil: there is no such worker.
    public func stamp(of id: WorkerID) -> String? { worker(id)?.stamp }

    mutating func pluginCompared(_ id: WorkerID, _ stamp: String?) {
        comparing.remove(id)
        let name = id.app
        if let known = apps[name]?.current, known.id == id {
            switch known.state {
            // It is not started before it is known what it loads.
            case .starting: adopt(stamp, id)
            case .warm, .suspended:
                if let stamp, stamp != known.stamp, !Mutation.keepsWorkers.isOn {
                    pluginChanged(of: name, stamp)
                } else {
                    trustPlugin(of: id)
                    for (task, instead, token) in takeForced(of: name) {
                        force(task, instead: instead, token)
                    }
                }
            case .none, .leaving: break
            }
        }
        // What waited for a worker that has no future, if no other one starts yet.
        if apps[name]?.forced.isEmpty == false { startWorker(name) }
        offer(name)
    }

    /// Its files are what it has loaded, for this turn.
    mutating func trustPlugin(of id: WorkerID) {
        let number = turn.number
        change(id) { $0.comparedIn = number }
    }

    private mutating func adopt(_ stamp: String?, _ id: WorkerID) {
        guard let stamp else { return }
        stamps[id.app] = stamp
        change(id) { $0.stamp = stamp }
    }

    private mutating func pluginChanged(of name: AppIdentifier, _ stamp: String) {
        stamps[name] = stamp
        if let app = app(name), needsDiscovery(app) { wantDiscovery(of: name) }
        retireWorkers(of: name)
        touchTasks(of: name)
    }
}
