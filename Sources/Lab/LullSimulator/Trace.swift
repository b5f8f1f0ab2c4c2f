import LullCalendar
public import LullModel
public import LullScheduler

/// What happened in a simulation.
public struct Trace: Sendable, Equatable {
    public struct Launched: Sendable, Equatable {
        /// On the host's wall clock.
        public var time: WallTime
        public var trueTime: WallTime
        public var task: TaskIdentifier
        public var app: AppIdentifier
        public var run: RunID
        public var kind: Kind
        public var request: RequestID?
    }

    /// The counts of a day, in the host's zone.
    public struct Day: Sendable, Equatable {
        public var year: Int
        public var month: Int
        public var day: Int
        /// Monday is 0.
        public var weekday: Int
        public var uses = 0
        public var launches: [TaskIdentifier: Int] = [:]
        public var succeeded = 0
        /// Runs that ended in any other way.
        public var failed = 0
    }

    public internal(set) var launches: [Launched] = []
    /// The records of the scheduler, in order, as far as the world `keeps` them.
    public internal(set) var events: [HistoryEvent] = []
    public internal(set) var replies: [Reply] = []
    /// How often the armed deadline came.
    public internal(set) var wakes = 0
    /// Events that the scheduler handled, wakes among them.
    public internal(set) var handled = 0
    /// Broken invariants, with the time; empty in a sound scheduler.
    public internal(set) var faults: [String] = []
    private var hash = Digest()

    /// The digest of all that was recorded, launched and answered, in its order.
    public var digest: UInt64 { hash.value }

    mutating func note(_ event: HistoryEvent, isKept: Bool) {
        if isKept { events.append(event) }
        hash.add(event)
    }

    mutating func note(_ launch: Launched) {
        launches.append(launch)
        hash.add(launch.run.number)
        hash.add(UInt64(bitPattern: launch.trueTime.milliseconds))
    }

    mutating func note(_ reply: Reply) {
        replies.append(reply)
        switch reply {
        case .accepted(let request, _): hash.add(request.number)
        case .refused(let refusal): hash.add(UInt64(refusal.code.rawValue))
        case .launched(let run, _): hash.add(run.number)
        case .transfer(let id): hash.add(id.number)
        case .done: hash.add("done")
        case .unchanged: hash.add("unchanged")
        }
    }

    public func launches(of task: TaskIdentifier) -> [Launched] { launches.filter { $0.task == task } }

    public func events(_ name: HistoryEvent.Name, of task: TaskIdentifier? = nil) -> [HistoryEvent] {
        events.filter { $0.event == name && (task == nil || $0.task == task) }
    }

    /// The days on which anything was recorded, in order.
    public func days(zone: Zone) -> [Day] {
        var days: [Int: Day] = [:]
        for event in events {
            let local = zone.local(event.time)
            let number = zone.day(of: event.time)
            var day =
                days[number]
                ?? Day(year: local.year, month: local.month, day: local.day, weekday: local.weekday)
            switch event.event {
            case .used: day.uses += 1
            case .launched: if let task = event.task { day.launches[task, default: 0] += 1 }
            case .completed, .failed, .interrupted:
                if event.run != nil {
                    if event.event == .completed { day.succeeded += 1 } else { day.failed += 1 }
                }
            case .discovered, .submitted, .refused, .replaced, .merged, .cancelled, .deferred, .expired,
                .givenUp,
                .idleSoon, .idled, .revived, .enabled, .disabled, .paused, .resumed, .violation, .absent,
                .conditions,
                .notice, .notified, .watched, .happened, .reported, .restored,
                .notification, .transfer, .slot, .reloaded:
                break
            }
            days[number] = day
        }
        return days.sorted { $0.key < $1.key }.map(\.value)
    }
}
