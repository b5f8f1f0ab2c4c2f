import LullModel

/// Whether an app uses more than it may, from what is known of it at each look.
struct LimitWatch {
    let limits: AppLimits
    /// Bytes.
    let memory: Int64
    private var samples: [(at: MonotonicTime, time: Duration)] = []

    init(limits: AppLimits, memory: Int64) {
        self.limits = limits
        self.memory = memory
    }

    /// Why the app is to be ended; nil: it is within its limits. `isTimed`: what runs is held to its share of the processor,
    /// over `span`.
    mutating func excess(
        of used: Consumption, at now: MonotonicTime, isTimed: Bool, over span: Duration = AppLimits.cpuSpan
    ) -> String? {
        if used.memory > memory {
            return
                "it used \(Self.mebibytes(used.memory)) of memory and may use \(Self.mebibytes(memory)) "
                + "(`limits: { memory }`)"
        }
        if used.processes > limits.processes {
            return
                "it had \(used.processes) processes and may have \(limits.processes) (`limits: { processes }`)"
        }
        guard let most = limits.cpu, isTimed else {
            samples = []
            return nil
        }
        guard let share = share(at: now, of: used.time, over: span), share > most else { return nil }
        return
            "it used \(Self.percent(share)) of a core over the last \(span.milliseconds / 1000) s and may use "
            + "\(Self.percent(most)) (`limits: { cpu }`)"
    }

    /// Of one core, on average; nil while less than the span is known.
    private mutating func share(at now: MonotonicTime, of time: Duration, over span: Duration) -> Double? {
        samples.append((now, time))
        // One that is as old as the span stays.
        while samples.count > 1, now - samples[1].at >= span { samples.removeFirst() }
        guard let first = samples.first, now - first.at >= span else { return nil }
        return max(0, (time - first.time) / (now - first.at))
    }

    private static func mebibytes(_ bytes: Int64) -> String { "\((bytes + (1 << 19)) >> 20) MiB" }
    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
