import LullModel

/// What the workers of one app use together: its limits hold for all its processes, however many workers it has.
extension WorkerPool {
    /// While one worker retires an app has several, each started with limits of its own: together they may use what the
    /// most generous of these permit. Beyond that only the worker that uses most is killed.
    func holdTogether(_ app: AppIdentifier) {
        let workers = workers(of: app).filter { !$0.session.isEnding }
        guard workers.count > 1 else { return }
        let used = workers.map { Consumption(ofSupervisor: $0.process.supervisor) }
        let shares = workers.map { $0.limits.share ?? 0 }
        let memory = (used.reduce(0) { $0 + $1.memory }, workers.map(\.limits.memory).max() ?? 0)
        let processes = (
            used.reduce(0) { $0 + $1.processes }, workers.map(\.limits.limits.processes).max() ?? 0
        )
        // If one worker has no such limit, the app has none.
        let most = workers.compactMap(\.limits.limits.cpu)
        let share = most.count == workers.count ? most.max().map { (shares.reduce(0, +), $0) } : nil
        guard
            let reason = LimitWatch.excess(memory: memory, processes: processes, share: share, over: cpuSpan)
        else { return }
        // Of those that use the same, the one that was started last.
        let greediest = workers.indices.max { first, second in
            if memory.0 > memory.1 { return used[first].memory <= used[second].memory }
            if processes.0 > processes.1 { return used[first].processes <= used[second].processes }
            return shares[first] <= shares[second]
        }
        if let greediest {
            workers[greediest].kill(reason: "with the other workers of its app \(reason)")
        }
    }
}
