import LullModel

/// When one task is launched in all of its futures.
///
/// The part that time alone decides is the same in each of them, and is played once. From the first random event on
/// each is played by itself.
struct OutlookFutures {
    /// In ascending order, of `count` futures.
    private(set) var launches: [WallTime] = []
    private(set) var count = 1
    /// When it is launched by time alone; nil: something else matters, or it never is.
    private(set) var certain: WallTime?
    /// In all of them a time of its `at` is given up.
    private(set) var hasSkipped = false
    /// Why they can't be drawn, as a clause: too little has been seen; nil: they can.
    private(set) var unknown: String?
    /// The task once its app has been started, if it is about to be.
    let started: OutlookPlay
    let prospect: OutlookProspect

    /// `record`: the task's record to assume; nil: its real one. Returns nil if the manifest does not list the task.
    init?(
        of task: TaskIdentifier, in host: SchedulerState, with record: TaskRecord? = nil,
        until end: WallTime, at now: Now, draws: Int
    ) {
        guard let started = OutlookPlay(host, task, record, at: now) else { return nil }
        self.started = started
        var play = started
        prospect = OutlookProspect(
            started.state.gateInput(for: task), history: host.ledger.conditions, until: end)
        let knowsUses = prospect.knowsUses
        play.passTime(until: end, uses: knowsUses)
        hasSkipped = play.hasSkipped
        play.forgetSkipped()
        if let launch = play.launch {
            launches = [launch]
            if !play.isGuess { certain = launch }
            return
        }
        let world = prospect.world(
            uses: knowsUses && (play.isAwaitingUse || play.isIdle(by: end)))
        count = world.isRandom ? draws : 1
        var plans = OutlookPlans(from: now.wall)
        plans.note(play, lastUse: nil)
        var random = OutlookRandom(task: task, at: now.wall)
        do {
            for _ in 0..<count {
                var future = OutlookFuture(
                    play, in: world, from: now.wall, sensed: host.sensing.conditions, &random)
                if let launch = try future.launch(by: end, &plans, &random) { launches.append(launch) }
            }
            launches.sort()
        } catch {
            unknown = error.clause
            launches = []
        }
    }

    /// By when it has been launched in this share of the futures; nil: not within them.
    func quantile(_ share: Double) -> WallTime? {
        let rank = Int((Double(count) * share).rounded(.up))
        return rank > 0 && rank <= launches.count ? launches[rank - 1] : nil
    }
}
