public import LullModel

/// Why a task of the fleet does not run, or where it does: the reports of all live hosts, and the status of its slots.
public struct FleetWhy: Sendable, Equatable {
    /// The last report of a host on the task.
    public struct Host: Sendable, Equatable, Codable {
        public var name: String
        /// The identifier of the process.
        public var host: String
        /// The age of the report, in milliseconds.
        public var ago: Int64
        /// The closed gates.
        public var gates: [String]
        public var reason: String?
        /// When it has run with a probability of 50 % and of 90 %, in milliseconds from the report; nil: not known.
        public var half: Int64?
        public var most: Int64?

        public init(
            name: String, host: String, ago: Int64 = 0, gates: [String] = [], reason: String? = nil,
            half: Int64? = nil, most: Int64? = nil
        ) {
            (self.name, self.host, self.ago) = (name, host, ago)
            (self.gates, self.reason, self.half, self.most) = (gates, reason, half, most)
        }

        /// Hosts without closed gates first, then by the likely time, the number of closed gates, and the name.
        static func isNearer(_ a: Host, _ b: Host) -> Bool {
            let far = Int64.max
            let (first, second) = (
                (a.gates.isEmpty ? 0 : 1, a.most ?? far, a.half ?? far),
                (b.gates.isEmpty ? 0 : 1, b.most ?? far, b.half ?? far)
            )
            guard first == second else { return first < second }
            return (a.gates.count, a.name, a.host) < (b.gates.count, b.name, b.host)
        }
    }

    public var task: TaskIdentifier
    /// The hosts that are nearest to running it.
    public var hosts: [Host]
    /// The number of live hosts that have reported on it.
    public var reporting: Int
    /// When any of these hosts has likely run it.
    public var chance: FleetChance
    /// Open or leased slots, the oldest first.
    public var slots: [SlotStatus]
    /// The slots that ended last, the newest first.
    public var ended: [SlotStatus]

    public static let mostHosts = 10
    static let mostEnded = 5

    public init(
        task: TaskIdentifier, hosts: [Host], slots: [SlotStatus] = [], ended: [SlotStatus] = []
    ) {
        self.task = task
        self.hosts = Array(hosts.sorted(by: Host.isNearer).prefix(Self.mostHosts))
        reporting = hosts.count
        chance = FleetChance(
            of: hosts.map { host in
                // An old report is nearer by its age.
                FleetChance(
                    half: host.half.map { max(0, $0 - host.ago) },
                    most: host.most.map { max(0, $0 - host.ago) })
            })
        self.slots = slots
        self.ended = ended
    }

    public static func read(
        _ task: TaskIdentifier, from reader: any FleetReader
    ) throws(FleetReadError) -> FleetWhy {
        struct Reports: Decodable {
            let hosts: [Host]
            let slots: [SlotStatus]
        }
        struct Slots: Decodable { let slots: [SlotStatus] }
        let reports = try reader.ask(
            "why_1", ["task": .string(task.text), "most": 100_000], as: Reports.self)
        let slots = try reader.ask(
            "slots_1",
            ["task": .string(task.text), "ended": true, "most": .integer(Int64(mostEnded))], as: Slots.self)
        return FleetWhy(
            task: task, hosts: reports.hosts, slots: reports.slots,
            ended: Array(slots.slots.filter(\.state.isEnd).prefix(mostEnded)))
    }
}
