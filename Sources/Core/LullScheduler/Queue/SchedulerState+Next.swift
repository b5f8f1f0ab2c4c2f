import LullCalendar
import LullModel

/// When a task is launched next: one calculation for the answers to operators, for `status` and for the page.
extension SchedulerState {
    /// How far ahead times that a window or a pause postpones are followed.
    private static let farthestTime: Duration = .days(366)

    /// Nil: no launch is to come. `ofItsOwn`: by `repeat` or `at` alone; an operator's request is extra.
    func nextLaunch(of task: TaskIdentifier, ofItsOwn: Bool = false) -> NextLaunch? {
        guard place(of: task) != nil else { return nil }
        let closed = evaluation(of: task, at: now).verdicts.filter { !$0.isOpen }
        return nextLaunch(of: task, closed: closed, ofItsOwn: ofItsOwn, at: now)
    }

    /// `closed`: the gates that are closed now.
    func nextLaunch(
        of task: TaskIdentifier, closed: [GateFinding], ofItsOwn: Bool = false, at now: Now
    ) -> NextLaunch? {
        if let gate = closed.first(where: \.needsSomebody)?.gate { return .held(gate) }
        guard let definition = definition(of: task) else { return nil }
        guard let request = ledger.tasks[task]?.pending else {
            return definition.on.isEmpty || runs.count(of: task) > 0 ? nil : .onEvent
        }
        if request.awaitsBoot { return .afterBoot }
        var due = now.wall
        if ofItsOwn {
            guard let own = ownDue(of: request, definition) else { return nil }
            due = own
        }
        for gate in closed where !(ofItsOwn && gate.gate == .earliestBegin) {
            if let until = gate.until { due = max(due, until) }
        }
        var input = gateInput(for: task)
        input.now = now
        var time = input.clockOpening(from: due)
        if let lapse = input.lapse, time >= lapse {
            // That time is given up before: a simulation finds the time that is met.
            guard var play = OutlookPlay(self, task, at: now) else { return nil }
            play.passTime(until: now.wall + Self.farthestTime, uses: false)
            time = play.opensByTime ? play.now.wall : .distantFuture
        }
        guard time > now.wall else { return .onceOpen }
        guard time < .distantFuture else { return .held(.window) }
        let looksForMoment =
            definition.kind == .refresh && request.triggerEvent == nil
            && (request.origin != .operator || ofItsOwn)
        let isPlanned = closed.contains { $0.gate == .moment && $0.until != nil }
        return looksForMoment && request.origin != .at && !isPlanned ? .notBefore(time) : .at(time)
    }

    /// When `repeat` or `at` is due according to a request of any origin.
    private func ownDue(of request: TaskRequest, _ definition: TaskDefinition) -> WallTime? {
        if request.origin == .at { return request.earliestBegin ?? now.wall }
        return request.repeatDue
            ?? request.occurrence?.time.flatMap { timetable(of: definition)?.due($0) }
    }
}

extension GateInput {
    /// The first time from `start` on at which the gates of the clock are open; `distantFuture`: never. After eight
    /// steps the search ends with the time found so far.
    func clockOpening(from start: WallTime) -> WallTime {
        var input = self
        input.now.wall = start
        for _ in 0..<8 {
            let closed = [input.window(), input.quiet()].filter { !$0.isOpen }
            guard let first = closed.first else { break }
            input.now.wall = closed.reduce(first.until ?? .distantFuture) {
                max($0, $1.until ?? .distantFuture)
            }
            if input.now.wall == .distantFuture { break }
        }
        return input.now.wall
    }
}

extension NextLaunch {
    /// Whether a launch that is planned for a time can be made then.
    func allows(_ planned: WallTime) -> Bool {
        switch self {
        case .held, .afterBoot, .onEvent: false
        case .at(let time), .notBefore(let time): planned >= time
        case .onceOpen: true
        }
    }
}
