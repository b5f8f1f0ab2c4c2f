public import LullModel

extension Timeline.Lane {
    /// What the span came to, in a word.
    public enum Result: String, Sendable, Codable {
        case ran, failed
        /// Its last run ended before it was done, through no fault of the task: a condition ended, or the host shut down.
        case cut
        /// It did not run although it was due: a gate was closed that time alone does not open, or its time was given up.
        case held
        /// It did not run, and did not have to.
        case quiet
    }

    /// Of its last run that has ended; runs that were launched before the span count where there is no other.
    public func result(since from: WallTime) -> Result {
        let from = known(since: from)
        let launched = runs.filter { $0.launched >= from }
        let counted = launched.isEmpty ? runs.filter { $0.ended.map { $0 >= from } ?? true } : launched
        if !counted.isEmpty, !isHeldButByHand(counted) {
            guard let last = counted.last(where: \.isOver) else { return .ran }
            return last.isFailure ? .failed : last.isCutShort ? .cut : .ran
        }
        // Of these nobody knows which was the last.
        if days.contains(where: { $0.succeeded > 0 }) { return .ran }
        if days.contains(where: { $0.failed > 0 }) { return .failed }
        let isOwed = isHeld || !missed.isEmpty || brokenChain != nil
        return isOwed || stretches.contains { $0.due != nil } ? .held : .quiet
    }

    // A moment without network is no reason for a night.
    private var isHeld: Bool { stretches.contains { $0.isHeld && $0.to - $0.from >= known / 100 } }

    /// Whether somebody launched by hand, and well, what was held back otherwise.
    func isHeldButByHand(_ runs: [Timeline.Run]) -> Bool {
        isHeld && runs.allSatisfy { $0.isExtra && $0.outcome?.isSuccess == true }
    }

    /// From when on all events of its runs are there.
    func known(since from: WallTime) -> WallTime { thinned.map { max(from, $0) } ?? from }

    /// For how long something is known of it.
    var known: Duration {
        stretches.reduce(.zero) { $1.state == .unknown ? $0 : $0 + ($1.to - $1.from) }
    }
}

extension Timeline.Stretch {
    /// What opens by the clock alone, or was closed on purpose: behind it nothing is due.
    private static let calm: Set<String> = Set(
        [GateName.window, .quiet, .earliestBegin, .moment, .requested, .enabled].map(\.rawValue))

    /// Whether the task's time had come, and something else kept it from running.
    var isHeld: Bool { state == .waiting && !gates.isEmpty && !gates.contains(where: Self.calm.contains) }
}
