public import LullModel

extension Timeline.Lane {
    /// The result of the span, in a word.
    public enum Result: String, Sendable, Codable {
        case ran, failed
        /// Its last run ended before it was done, through no fault of the task: a condition ended, or the host shut down.
        case cut
        /// It did not run although it was due: a gate was closed that time alone does not open, its time was given up, its chain
        /// broke, it had no handler, or no host could launch it.
        case held
        /// It did not run, and did not have to.
        case quiet
    }

    /// The result of its last run that has ended; runs that were launched before the span count only if there are no others.
    public func result(since from: WallTime) -> Result {
        let from = known(since: from)
        let launched = runs.filter { $0.launched >= from }
        let counted = launched.isEmpty ? runs.filter { $0.ended.map { $0 >= from } ?? true } : launched
        if !counted.isEmpty, !isHeldButByHand(counted) {
            guard let last = counted.last(where: \.isOver) else { return .ran }
            return last.isFailure ? .failed : last.isCutShort ? .cut : stranded == nil ? .ran : .held
        }
        // The figures do not show which run was the last.
        if days.contains(where: { $0.succeeded > 0 }) { return .ran }
        if days.contains(where: { $0.failed > 0 }) { return .failed }
        let isOwed = isHeld || !missed.isEmpty || brokenChain != nil || lack != nil
        return isOwed || stretches.contains { $0.due != nil } ? .held : .quiet
    }

    /// The parts of an overview: the results, and tasks that failed or did not run and have run well since.
    public static let groups = ["failed", "cut", "held", "mended", "ran", "quiet"]

    public func group(since from: WallTime) -> String {
        let result = result(since: from)
        return isMended(result) ? "mended" : result.rawValue
    }

    /// Whether nobody has to look after this result any more.
    func isMended(_ result: Result) -> Bool {
        later?.outcome?.isSuccess == true && result != .ran && result != .quiet
    }

    /// The end of the span, if the task was due then and its app had no handler for it: runs before that say nothing of it.
    var stranded: Timeline.Stretch? {
        guard let last = stretches.last(where: { $0.state != .unknown }), last.isHeld,
            last.gates.contains(GateName.registered.rawValue), last.to - last.from >= known / 100
        else { return nil }
        return last
    }

    // A moment without network is no reason for a whole night.
    private var isHeld: Bool { stretches.contains { $0.isHeld && $0.to - $0.from >= known / 100 } }

    /// Whether it was held back, and all its runs were launched by hand and succeeded.
    func isHeldButByHand(_ runs: [Timeline.Run]) -> Bool {
        isHeld && runs.allSatisfy { $0.isExtra && $0.outcome?.isSuccess == true }
    }

    /// The time from which on all events of its runs are there.
    func known(since from: WallTime) -> WallTime { thinned.map { max(from, $0) } ?? from }

    /// How much of the span is known.
    var known: Duration {
        stretches.reduce(.zero) { $1.state == .unknown ? $0 : $0 + ($1.to - $1.from) }
    }
}

extension Timeline.Stretch {
    /// Gates that open by the clock alone, or were closed on purpose: while one is closed, nothing is due.
    private static let calm: Set<String> = Set(
        [GateName.window, .quiet, .earliestBegin, .moment, .requested, .enabled].map(\.rawValue))

    /// Whether the task's time had come, and another gate kept it from running.
    var isHeld: Bool { state == .waiting && !gates.isEmpty && !gates.contains(where: Self.calm.contains) }
}
