/// The outlook of a task: when its closed gates are likely to open, how likely it runs by when, and which changes
/// would let it run now.
public struct Outlook: Sendable, Equatable, Codable {
    /// When a closed gate opens.
    public enum Opening: Sendable, Equatable, Codable {
        /// By time alone.
        case at(WallTime)
        /// The times by which it will have opened with a probability of 50 % and of 90 %; nil: not within the horizon.
        case likely(half: WallTime?, most: WallTime?)
        /// Too little is known; a clause says of what.
        case unknown(String)
        /// Not by itself: a person has to act.
        case never
    }

    public struct Gate: Sendable, Equatable, Codable {
        public var gate: GateName
        public var opening: Opening
        public init(_ gate: GateName, _ opening: Opening) {
            self.gate = gate
            self.opening = opening
        }
    }

    /// The probability that the task has been launched by a time.
    public struct Chance: Sendable, Equatable, Codable {
        public var by: WallTime
        /// 0...1.
        public var probability: Double
        public init(by: WallTime, probability: Double) {
            self.by = by
            self.probability = probability
        }
    }

    /// A change that a person can make so that the task runs.
    public struct Change: Sendable, Equatable, Codable {
        /// The gates that it opens or bypasses.
        public var gates: [GateName]
        /// An imperative clause without a full stop.
        public var sentence: String
        public init(_ gates: [GateName], _ sentence: String) {
            self.gates = gates
            self.sentence = sentence
        }
    }

    public var task: TaskIdentifier
    public var time: WallTime
    /// The closed gates, in their order.
    public var gates: [Gate]
    /// In ascending order of time; empty when too little is known.
    public var chances: [Chance]
    /// The time by which it will have been launched with a probability of 90 %; nil: not within the horizon.
    public var most: WallTime?
    /// When it is certain to be launched, by time alone; nil: that depends on other events.
    public var certain: WallTime?
    /// The time of `at` that will be skipped because the task can't be launched in time (`missed: skip`); the chances are
    /// those of later times; nil: none.
    public var leftOut: WallTime?
    /// It runs once after each boot of the machine, and at no other time; nil: not so.
    public var isAtBoot: Bool?
    /// It waits for an event of its `on`, which can't be predicted; nil: not so.
    public var awaitsEvent: Bool?
    /// The chance for the time in the question; nil: none was asked about.
    public var asked: Chance?
    /// No host runs; the chances assume that one does.
    public var needsHost = false
    /// Why no chances are given; nil: they are.
    public var unknown: String?
    /// The smallest set of changes that lets it run at once, in the order in which to make them.
    public var now: [Change]
    /// The changes that let it run by itself, now and later.
    public var lasting: [Change]

    public init(task: TaskIdentifier, time: WallTime) {
        self.task = task
        self.time = time
        gates = []
        chances = []
        now = []
        lasting = []
    }

    /// How far ahead the outlook reaches.
    public static let horizon: Duration = .days(7)
    /// How far ahead a time in a question may be.
    public static let farthest: Duration = .days(30)
    /// The spans for which a chance is always given.
    public static let spans: [Duration] = [.hours(1), .hours(6), .hours(24), .days(7)]
}
