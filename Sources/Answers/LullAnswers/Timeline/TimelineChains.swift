import LullModel

/// Why the tasks of a chain were not requested: the outcomes of the preceding tasks in the same span.
struct TimelineChains {
    private let lanes: [TaskIdentifier: Timeline.Lane]
    private let links: [TaskIdentifier: [ChainLink]]
    private let from: WallTime
    private let zone: Zone

    init(lanes: [Timeline.Lane], links: [TaskIdentifier: [ChainLink]], from: WallTime, zone: Zone) {
        self.lanes = links.isEmpty ? [:] : Dictionary(lanes.map { ($0.task, $0) }) { first, _ in first }
        (self.links, self.from, self.zone) = (links, from, zone)
    }

    /// A clause about the run that broke the chain; nil: the task ran, or no preceding task is the reason.
    func cause(of task: TaskIdentifier) -> String? { cause(of: task, past: []) }

    /// `seen`: the tasks visited so far, because a chain may be a ring.
    private func cause(of task: TaskIdentifier, past seen: Set<TaskIdentifier>) -> String? {
        guard let lane = lanes[task], !seen.contains(task),
            !lane.runs.contains(where: { $0.launched >= from })
        else { return nil }
        for link in links[task] ?? [] {
            // A task that waits for a failure has nothing to do if there is none.
            guard link.outcome != .failure, let before = lanes[link.task] else { continue }
            guard let last = before.runs.last(where: \.isOver) else {
                if let root = cause(of: link.task, past: seen.union([task])) {
                    return root.contains(" did not run: ") ? root : "\(link.task) did not run: \(root)"
                }
                guard before.result(since: from) == .held else { continue }
                return "\(link.task) did not run either"
            }
            let outcome = last.outcome ?? .interrupted
            guard !link.outcome.fits(outcome, endedBy: last.gates) else { continue }
            let time = Phrase.clock(last.ended ?? last.lost ?? last.launched, in: zone)
            // A task that follows several may wait for others, too, and so may one further down the chain.
            let then = seen.isEmpty && links[task]?.count == 1 ? ", and this runs once that succeeds" : ""
            return "\(link.task) \(outcome.deed) at \(time)\(then)"
        }
        return nil
    }
}
