import LullModel

/// The random part of one task's futures: its conditions, and the uses of its app.
struct OutlookWorld {
    /// Too little has been seen of a condition.
    struct Lack: Error {
        let clause: String
    }

    /// The conditions that the task requires.
    let required: ConditionSet
    /// The required conditions together with an idle host; nil: its gates do not ask for that.
    let quiet: ConditionSet?
    let requiredCourse: Result<OutlookCourse, Lack>?
    let quietCourse: Result<OutlookCourse, Lack>?
    /// The uses of its app; nil: none are drawn.
    let uses: OutlookHazard?

    /// Whether one future differs from another.
    var isRandom: Bool { requiredCourse != nil || quietCourse != nil || uses != nil }

    /// The conditions while the required ones, and those with an idle host, hold together or do not.
    func conditions(_ base: Conditions?, isOpen: Bool, isQuiet: Bool, at time: WallTime) -> Conditions {
        var conditions = base ?? Conditions()
        for condition in required.conditions {
            condition.impose(isOpen || isQuiet, on: &conditions, at: time)
        }
        if quiet != nil { Condition.idle.impose(isQuiet, on: &conditions, at: time) }
        return conditions
    }
}

/// One simulated future of a task: conditions and uses are drawn, and fed to the scheduler as a host would feed them.
struct OutlookFuture {
    private var play: OutlookPlay
    private let world: OutlookWorld
    private let sensed: Conditions?
    private var required: OutlookCourse.Walk?
    private var quiet: OutlookCourse.Walk?
    /// The next use of its app.
    private var use: WallTime?
    private var lastUse: WallTime?

    init(
        _ play: OutlookPlay, in world: OutlookWorld, from start: WallTime, sensed: Conditions?,
        _ random: inout OutlookRandom
    ) {
        self.play = play
        self.world = world
        self.sensed = sensed
        if case .success(let course)? = world.requiredCourse {
            required = OutlookCourse.Walk(course, from: start, &random)
        }
        if case .success(let course)? = world.quietCourse {
            quiet = OutlookCourse.Walk(course, from: start, &random)
        }
        use = world.uses?.time(after: start, hazard: random.exponential())
    }

    /// When it is launched; nil: not by the end.
    mutating func launch(
        by end: WallTime, _ plans: inout OutlookPlans, _ random: inout OutlookRandom
    ) throws(OutlookWorld.Lack) -> WallTime? {
        // After time alone has passed, the conditions have to be set anew.
        if play.launch == nil, play.state.sensing.conditions == nil, play.isWatching {
            try know()
            arrive(at: play.now.wall, &plans, &random)
        }
        while play.launch == nil, !play.hasSkipped {
            guard let next = try next(), next < end else { return nil }
            arrive(at: next, &plans, &random)
        }
        return play.hasSkipped ? nil : play.launch
    }

    private mutating func next() throws(OutlookWorld.Lack) -> WallTime? {
        var next = play.next()
        func include(_ time: WallTime?) {
            if let time { next = min(next ?? time, time) }
        }
        if play.isWatching {
            try know()
            include(required?.change)
            include(quiet?.change)
        }
        if play.isAwaitingUse { include(use) }
        return next
    }

    /// Throws if too little is known of a condition that its gates look at.
    private func know() throws(OutlookWorld.Lack) {
        if case .failure(let lack)? = world.requiredCourse { throw lack }
        guard case .failure(let lack)? = world.quietCourse else { return }
        if play.state.ledger.tasks[play.task]?.openSince != nil { throw lack }
    }

    private mutating func arrive(
        at time: WallTime, _ plans: inout OutlookPlans, _ random: inout OutlookRandom
    ) {
        play.move(to: time)
        play.endRuns()
        var isTold = false
        if advance(to: time, &random) || play.state.sensing.conditions == nil {
            let conditions = world.conditions(
                sensed, isOpen: required?.isOpen ?? false, isQuiet: quiet?.isOpen ?? false, at: time)
            plans.prepare(&play, lastUse: lastUse, isUse: false)
            play.feed(.conditionsChanged(conditions))
            isTold = true
        }
        if let latest = uses(by: time, &random) {
            lastUse = latest
            plans.prepare(&play, lastUse: latest, isUse: true)
            play.feed(.used(play.app, at: latest, reply: nil))
            isTold = true
        }
        if !isTold {
            plans.prepare(&play, lastUse: lastUse, isUse: false)
            play.feed(.wake)
        }
        plans.note(play, lastUse: lastUse)
    }

    /// Moves the conditions on to a time; returns whether they have changed.
    private mutating func advance(to time: WallTime, _ random: inout OutlookRandom) -> Bool {
        let before = (required?.isOpen, quiet?.isOpen)
        if case .success(let course)? = world.requiredCourse {
            required?.advance(to: time, in: course, &random)
        }
        if case .success(let course)? = world.quietCourse { quiet?.advance(to: time, in: course, &random) }
        return before != (required?.isOpen, quiet?.isOpen)
    }

    /// The latest use up to a time; nil: there was none.
    private mutating func uses(by time: WallTime, _ random: inout OutlookRandom) -> WallTime? {
        var latest: WallTime?
        while let at = use, at <= time {
            latest = at
            use = world.uses?.time(after: at + .milliseconds(1), hazard: random.exponential())
        }
        return latest
    }
}
