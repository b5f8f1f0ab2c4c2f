import LullModel

/// The use of each app's worker: its memory, and its share of a processor between two measurements.
struct TopUsage {
    private struct Look {
        var load: WorkerLoad
        var time: MonotonicTime
    }

    private var looks: [AppIdentifier: Look] = [:]
    private var shares: [AppIdentifier: Double] = [:]
    /// Closer measurements say little: the kernel counts in hundredths of a second.
    private static let span: Duration = .milliseconds(500)

    mutating func take(_ loads: [WorkerLoad], at time: MonotonicTime) {
        let before = looks
        let known = shares
        looks = [:]
        shares = [:]
        for load in loads {
            guard let earlier = before[load.app], earlier.load.pid == load.pid else {
                looks[load.app] = Look(load: load, time: time)
                continue
            }
            guard time - earlier.time >= Self.span else {
                // The next share is measured from the earlier time.
                var look = earlier
                look.load.memory = load.memory
                looks[load.app] = look
                shares[load.app] = known[load.app]
                continue
            }
            let spent = Double(load.cpuMilliseconds - earlier.load.cpuMilliseconds) / 1000
            shares[load.app] = max(0, spent / (time - earlier.time).inSeconds)
            looks[load.app] = Look(load: load, time: time)
        }
    }

    /// 1: one processor; nil: not known yet.
    func share(of app: AppIdentifier) -> Double? { shares[app] }

    func memory(of app: AppIdentifier) -> Int64? { looks[app]?.load.memory }
}
