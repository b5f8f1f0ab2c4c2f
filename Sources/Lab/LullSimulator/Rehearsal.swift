public import LullModel
public import LullScheduler

/// Predicts the coming days of a host, if its plugins and its machine do nothing unforeseen.
///
/// A run takes as long as the task's last whole one did, else a second, costs what is given, and succeeds; conditions stay as they are. Transfers,
/// notifications and notices are left out.
public struct Rehearsal: Sendable {
    /// The events from outside, in any order.
    public typealias Timeline = [(time: WallTime, event: Event)]

    public struct Launched: Sendable {
        public let time: WallTime
        public let task: TaskIdentifier
        public let kind: Kind

        public init(time: WallTime, task: TaskIdentifier, kind: Kind) {
            (self.time, self.task, self.kind) = (time, task, kind)
        }
    }

    public private(set) var launches: [Launched] = []
    /// The events of apps that became idle, or were used again.
    public private(set) var turns: [HistoryEvent] = []
    public private(set) var now: Now

    private var host: PlainHost
    /// How long each task's last run took, in milliseconds.
    private let lengths: [TaskIdentifier: Int64]
    private let costs: [TaskIdentifier: RunCost]
    private var timeline: ArraySlice<Timeline.Element>
    /// The ends of the runs under way, in order.
    private var ends: [End] = []
    /// Its host is the only one of its fleet, whose database is never away.
    private var database = FleetDatabase()

    private struct End: Comparable {
        let time: WallTime
        let run: RunID
        static func < (a: Self, b: Self) -> Bool { (a.time, a.run.number) < (b.time, b.run.number) }
    }

    private static let length = Int64(1_000)
    /// A continued run without progress is ended soon after.
    private static let continuedLength = Int64(20_000)

    /// A run under way ends at once. `whole`: how long a task's last whole run took, in milliseconds, if a run is under way or
    /// was cut off. `costs`: what a run of a task costs; else nothing.
    public init(
        _ ledger: Ledger, _ manifest: Manifest, conditions: Conditions, zones: Zones, from start: WallTime,
        options: SchedulerOptions, timeline: Timeline, whole: [TaskIdentifier: Int64] = [:],
        costs: [TaskIdentifier: RunCost] = [:]
    ) {
        var ledger = ledger
        for run in ledger.runs.values.sorted(by: { $0.run.number < $1.run.number }) {
            var end = HistoryEvent(
                .completed, at: start, app: run.app, task: run.task, run: run.run, outcome: .succeeded)
            end.milliseconds = (start - run.launched).milliseconds
            ledger.apply(end, zones: zones)
        }
        lengths = ledger.tasks.compactMapValues(\.lastMilliseconds).merging(whole) { $1 }
        self.costs = costs
        var options = options
        options.explains = false
        options.sendsNotices = false
        options.fleet = FleetIdentity(host: "0", place: "place", name: "this host")
        host = PlainHost(SchedulerState(ledger: ledger, options: options), manifest)
        // Stable, for what comes at the same time comes in the order given.
        self.timeline =
            timeline.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)[...]
        now = Now(wall: start, monotonic: MonotonicTime(nanoseconds: 0), zones: zones)
        handle(.conditionsChanged(conditions))
        handle(.manifestLoaded(manifest, stamps: manifest.virtualStamps))
        if manifest.fleet != nil { handle(.fleet(.connected)) }
    }

    public var state: SchedulerState { host.state }

    /// Goes on until this time.
    public mutating func run(until end: WallTime) {
        while let next, next.time <= end {
            advance(to: next.time)
            switch next {
            case .end(let end):
                ends.removeFirst()
                // Unless it was expired before.
                if host.state.isRunning(end.run) {
                    if let cost = host.state.task(of: end.run).flatMap({ costs[$0] }) {
                        handle(.measured(end.run, cost))
                    }
                    handle(.completed(end.run, success: true, summary: nil))
                }
            case .told(let told):
                timeline.removeFirst()
                handle(told.event)
            case .wake: handle(.wake)
            }
        }
        advance(to: end)
    }

    private enum Next {
        case end(End)
        case told(Timeline.Element)
        case wake(WallTime)

        var time: WallTime {
            switch self {
            case .end(let end): end.time
            case .told(let told): told.time
            case .wake(let time): time
            }
        }
    }

    /// Of several events at one time a run's end is first, because it makes room.
    private var next: Next? {
        var next = ends.first.map(Next.end)
        func take(_ other: Next) { if next.map({ other.time < $0.time }) ?? true { next = other } }
        if let told = timeline.first { take(.told(told)) }
        // Time passes between two wakes, whatever they are armed for.
        let soonest = now.wall + .milliseconds(1)
        if let wall = host.armed.wall { take(.wake(max(wall, soonest))) }
        if let monotonic = host.armed.monotonic {
            take(.wake(max(now.wall + (monotonic - now.monotonic), soonest)))
        }
        return next
    }

    private mutating func advance(to time: WallTime) {
        guard time > now.wall else { return }
        now.monotonic = now.monotonic + (time - now.wall)
        now.wall = time
    }

    private mutating func handle(_ event: Event) {
        host.handle(event, at: now) { effect in
            switch effect {
            case .launch(let launch):
                launches.append(Launched(time: now.wall, task: launch.task, kind: launch.kind))
                let last = max(1, lengths[launch.task] ?? Self.length)
                let length = launch.kind == .continued ? min(last, Self.continuedLength) : last
                let end = End(time: now.wall + .milliseconds(length), run: launch.run)
                ends.insert(end, at: ends.firstIndex { end < $0 } ?? ends.endIndex)
                return .milliseconds(length) < Limits.launchReturnWait ? [] : [.launchReturned(launch.run)]
            case .expire(let run, _, _): return [.completed(run, success: false, summary: nil)]
            case .askFleet(let number, let call):
                return [.fleet(.answered(number, database.answer(call, at: now.wall)))]
            case .record(let event):
                if event.event == .idled || event.event == .revived { turns.append(event) }
                return []
            default: return []
            }
        }
    }
}
