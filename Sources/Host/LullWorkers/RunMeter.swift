import LullModel

/// What is known at a run's launch, to tell at its end what it cost.
struct RunMeter {
    /// `peak` nil: what the processes have at the run's end is of the run.
    var before = Meter.zero
    /// The most memory of one of the worker's children that had ended before; nil: no run of the worker has ended.
    var childPeak: Int64?
    /// The other runs that were open in the worker meanwhile.
    var sharers = 0

    /// `told`: the most memory of one of the worker's ended children, by its own word; nil: the worker has ended, and the kernel
    /// has counted its children into the peak.
    func cost(at end: Meter, told: Int64?) -> RunCost {
        guard sharers == 0 else { return RunCost(sharers: sharers) }
        return RunCost(
            processor: Self.difference(before.processor, end.processor),
            memory: end.orphanFaults == before.orphanFaults ? peak(end.peak, told) : nil,
            read: Self.difference(before.read, end.read),
            written: Self.difference(before.written, end.written))
    }

    /// A peak that was there before the run may be another's: then the run's is unknown.
    private func peak(_ end: Int64?, _ told: Int64?) -> Int64? {
        guard let end else { return nil }
        guard let told else { return childPeak == nil && before.peak == nil ? end : nil }
        let before = max(self.before.peak ?? 0, childPeak ?? 0)
        if end >= told, end > before { return end }
        return told > before ? told : nil
    }

    private static func difference(_ before: Int64?, _ end: Int64?) -> Int64? {
        guard let before, let end else { return nil }
        return max(0, end - before)
    }
}

extension Worker {
    /// Nothing but files of the kernel is read, and only if the worker has lived before the run.
    func beginMeter(of run: RunID) {
        for other in meters.keys { meters[other]?.sharers += 1 }
        var meter = RunMeter(childPeak: childPeak, sharers: meters.count)
        if meter.sharers == 0, session.isReady {
            meter.before = Meter(below: process.supervisor, in: countedGroup, resetsPeak: true)
            // A child that ended between two runs had a peak that nobody has told.
            if workerChildFaults != childFaults { meter.childPeak = .max }
        }
        meters[run.number] = meter
    }

    /// `told`: as in the frame that ends the run; nil: the worker has ended.
    func endMeter(of run: RunID, childPeak told: Int64? = nil) {
        guard let meter = meters.removeValue(forKey: run.number) else { return }
        // Where no figure can be told apart, nothing is read.
        let ended =
            meter.sharers > 0 ? Meter() : Meter(ofEnded: process.supervisor, process.worker, in: countedGroup)
        let end = ended ?? Meter(below: process.supervisor, in: countedGroup)
        pool.emit(.cost(run, meter.cost(at: end, told: ended == nil ? told : nil)), of: id)
        if let told {
            childPeak = max(childPeak ?? 0, told)
            childFaults = workerChildFaults
        }
    }

    private var workerChildFaults: Int64 {
        process.worker.flatMap { ProcessTable.entry(of: $0)?.childFaults } ?? 0
    }

    private var countedGroup: AppGroup? { process.isInGroup ? group : nil }
}
