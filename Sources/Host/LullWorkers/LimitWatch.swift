import LullModel

/// Whether an app uses more than it may, from what is known of it at each look.
struct LimitWatch {
    let limits: AppLimits
    /// Bytes.
    let memory: Int64
    private var samples: [(at: MonotonicTime, time: Duration)] = []
    /// The share of one core at the last look; nil: the app is not held to one, or less than the span is known.
    private(set) var share: Double?
    /// The kernel holds its processes to their share: what is measured a little over that is the kernel's own slack.
    var isHeldByKernel = false

    private static let slack = 1.1

    init(_ limits: AppLimits) {
        self.limits = limits
        memory = Confinement.memory(limits)
    }

    /// Why the app is to be ended; nil: it is within its limits. `isTimed`: the share of the processor over `span` is
    /// limited, too.
    mutating func excess(
        of used: Consumption, at now: MonotonicTime, isTimed: Bool, over span: Duration = AppLimits.cpuSpan
    ) -> String? {
        if isTimed, limits.cpu != nil {
            share = share(at: now, of: used.time, over: span)
            if isHeldByKernel, let used = share, let most = limits.cpu, used <= most * Self.slack {
                share = min(used, most)
            }
        } else {
            (samples, share) = ([], nil)
        }
        return Self.excess(
            memory: (used.memory, memory), processes: (used.processes, limits.processes),
            share: share.flatMap { share in limits.cpu.map { (share, $0) } }, over: span)
    }

    /// Each pair is what is used and what is permitted.
    static func excess(
        memory: (Int64, Int64), processes: (Int, Int), share: (Double, Double)?, over span: Duration
    ) -> String? {
        if memory.0 > memory.1 {
            return
                "it used \(Phrase.size(memory.0)) of memory, but may use \(Phrase.size(memory.1)) "
                + "(`limits: { memory }`)"
        }
        if processes.0 > processes.1 {
            return "it had \(processes.0) processes, but may have \(processes.1) (`limits: { processes }`)"
        }
        guard let share, share.0 > share.1 else { return nil }
        return
            "it used \(Phrase.share(share.0)) of a core over the last \(Phrase.span(span)), but may use "
            + "\(Phrase.share(share.1)) (`limits: { cpu }`)"
    }

    /// The average share of one core; nil while less than the span is known.
    private mutating func share(at now: MonotonicTime, of time: Duration, over span: Duration) -> Double? {
        samples.append((now, time))
        // One sample as old as the span stays.
        while samples.count > 1, now - samples[1].at >= span { samples.removeFirst() }
        guard let first = samples.first, now - first.at >= span else { return nil }
        return max(0, (time - first.time) / (now - first.at))
    }
}
