import LullModel
import LullScheduler

/// One host of a simulated fleet, with the clocks of its machine.
struct FleetNode {
    struct Run {
        let task: TaskIdentifier
        let slot: SlotName?
        let worker: WorkerID
        var isWarned = false
    }

    let index: Int
    let start: WallTime
    var state: SchedulerState
    /// Its wall clock less true time.
    var offset: Duration
    /// The number of this start; acts of an earlier one are stale.
    var generation = 0
    var isUp = false
    /// It was told to end, and has not yet.
    var isEnding = false
    var isAsleep = false
    /// How long the machine has slept in all.
    var slept: Duration = .zero
    var isCut = false
    var isConnected = false
    var manifest = 0
    var conditions = Conditions()
    var runs: [RunID: Run] = [:]
    var workers: Set<WorkerID> = []
    /// Acts that came due while it slept.
    var postponed: [FleetSimulation.Act] = []
    /// Calls that have not been answered.
    var calls: Set<UInt64> = []
    /// When its last call arrives, and when the last answer to it arrives.
    var sent: Duration = .zero
    var heard: Duration = .zero
    /// Which of the armed wakes counts.
    var wakes = 0
    /// Since when it has been up and awake.
    var awakeSince: Duration = .zero

    var name: String { "b\(index)" }
    var identity: FleetIdentity {
        FleetIdentity(
            host: "\(name)-\(generation)", place: "place-\(index)", name: name, home: "home-\(index)")
    }

    init(index: Int, offset: Duration, start: WallTime) {
        self.index = index
        self.offset = offset
        self.start = start
        state = SchedulerState(ledger: Ledger())
    }

    func now(_ time: Duration) -> Now {
        Now(
            wall: start + time + offset,
            monotonic: MonotonicTime(nanoseconds: (time - slept).nanoseconds + 1_000_000_000), asleep: slept)
    }

    /// True time at which an armed deadline comes, unless the machine sleeps meanwhile.
    func time(of deadline: Deadline) -> Duration? {
        let wall = deadline.wall.map { $0 - start - offset }
        let monotonic = deadline.monotonic.map {
            Duration.nanoseconds($0.nanoseconds - 1_000_000_000) + slept
        }
        return [wall, monotonic].compactMap { $0 }.min()
    }
}
