/// What is to come of a task: when its closed gates are likely to open, how likely it runs by when, and what would
/// let it run now.
public struct Outlook: Sendable, Equatable, Codable {
    /// When a closed gate opens.
    public enum Opening: Sendable, Equatable, Codable {
        /// By time alone.
        case at(WallTime)
        /// By which time it will have been open, with a probability of a half and of nine tenths; nil: not within
        /// the time that is looked ahead.
        case likely(half: WallTime?, most: WallTime?)
        /// Too little is known to say; a clause that says of what.
        case unknown(String)
        /// Not by itself: somebody has to do something.
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

    /// How likely the task has been launched by a time.
    public struct Chance: Sendable, Equatable, Codable {
        public var by: WallTime
        /// 0...1.
        public var probability: Double
        public init(by: WallTime, probability: Double) {
            self.by = by
            self.probability = probability
        }
    }

    /// What somebody can do so that the task runs.
    public struct Change: Sendable, Equatable, Codable {
        /// The gates that it opens or passes over.
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
    /// By when it will have been launched with a probability of nine tenths; nil: not within the time looked ahead.
    public var most: WallTime?
    /// When it is launched by time alone, whatever the world does; nil: that depends on the world.
    public var certain: WallTime?
    /// The time of `at` that will be left out, for it can't be launched in time (`missed: skip`); the chances are those
    /// of the times after it; nil: none.
    public var leftOut: WallTime?
    /// It runs once each time the machine boots, and at no other time; nil: not so.
    public var isAtBoot: Bool?
    /// It waits for something that its `on` names, and nobody can tell when that happens; nil: not so.
    public var awaitsEvent: Bool?
    /// The time that was asked about.
    public var asked: Chance?
    /// No host runs; the chances are those with one.
    public var needsHost = false
    /// Why no chance is given; nil: they are.
    public var unknown: String?
    /// The smallest set of changes that lets it run at once, in the order in which they are to be made.
    public var now: [Change]
    /// What would let it run now and from now on by itself.
    public var lasting: [Change]

    public init(task: TaskIdentifier, time: WallTime) {
        self.task = task
        self.time = time
        gates = []
        chances = []
        now = []
        lasting = []
    }

    /// How far ahead is looked.
    public static let horizon: Duration = .days(7)
    /// Up to when a time may be asked about.
    public static let farthest: Duration = .days(30)
    /// The spans for which a chance is always given.
    public static let spans: [Duration] = [.hours(1), .hours(6), .hours(24), .days(7)]
}
