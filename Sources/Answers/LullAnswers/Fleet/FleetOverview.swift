public import LullModel

/// An overview of the fleet: its hosts, the runs under way, and the failures.
public struct FleetOverview: Sendable, Equatable {
    public struct Host: Sendable, Equatable {
        /// The identifier of the process.
        public var host: String
        public var place: String
        public var name: String
        public var version: String
        public var manifest: String
        public var labels: [String: String]
        /// Since its last sign of life, in milliseconds.
        public var ago: Int64
        public var lives: Bool
        /// Its last call was a goodbye.
        public var stopped = false
        public var draining: Bool
        /// The number of slots that it holds.
        public var leases: Int
        /// The number of its last event in the database; nil: none is there.
        public var through: Int64?
        /// The number of events that it deleted before they were sent.
        public var missing: Int64?
        /// How far its clock is ahead of the database's, in milliseconds; nil: not known.
        public var ahead: Int64?
        public var isClockWrong: Bool { lives && FleetReport.isWrong(ahead) }
        public var isSilent: Bool { !lives && !stopped }
    }

    /// A task for which live hosts have more than one definition.
    public struct Difference: Sendable, Equatable {
        public var task: TaskIdentifier
        public var definitionHashes: [DefinitionHash]
    }

    public struct DefinitionHash: Sendable, Equatable {
        public var definitionHash: String
        public var count: Int
        /// The names of some of these hosts.
        public var hosts: [String]
    }

    /// Hosts with trouble first, then by name.
    public var hosts: [Host]
    /// Slots that no host has.
    public var open: Int
    /// Leased slots. Where there are many, this and all other lists of slots here have only some.
    public var leased: [SlotStatus]
    /// Slots that ended badly within a day, the newest first.
    public var failed: [SlotStatus]
    /// The number of slots that ended within a day, by state.
    public var ended: [String: Int]
    public var differences: [Difference]
    /// Slots that no host has although their time has come, the oldest first.
    public var due: [SlotStatus] = []
    /// The rollout of the manifest that hosts follow; nil: none has been applied.
    public var rollout: FleetRollout?
    var counted = 0

    /// The number of all runs under way, and of all slots that failed or expired within a day.
    public var leasedCount: Int { max(counted, leased.count) }
    public var failedCount: Int {
        max(failed.count, [SlotState.failed, .expired].reduce(0) { $0 + (ended[$1.rawValue] ?? 0) })
    }

    static let day: Int64 = 86_400_000
    static let mostSlots = 500

    public static func read(from reader: any FleetReader) throws(FleetReadError) -> FleetOverview {
        let hosts = try hosts(from: reader)
        let counts = try reader.ask("counts_1", ["span": .integer(day)], as: Counts.self)
        let leased = try slots(.leased, from: reader)
        let recent: [String: JSONValue] = ["span": .integer(day)]
        let failed = try slots(.failed, recent, from: reader) + slots(.expired, recent, from: reader)
        let due = try slots(.open, ["due": true], from: reader)
        let jobs = try reader.ask("jobs_1", [:], as: Jobs.self).jobs
        let differences = Dictionary(grouping: jobs, by: \.task).filter { $0.value.count > 1 }
            .sorted { $0.key < $1.key }
            .map { task, jobs in
                Difference(
                    task: task,
                    definitionHashes: jobs.map {
                        DefinitionHash(definitionHash: $0.definitionHash, count: $0.count, hosts: $0.hosts)
                    })
            }
        struct Rollout: Decodable { let rollout: FleetRollout? }
        let rollout = try reader.ask("rollout_1", [:], as: Rollout.self).rollout
        return FleetOverview(
            hosts: hosts, open: counts.open, leased: leased,
            failed: failed.filter { $0.ago < day }.sorted { $0.ago < $1.ago }, ended: counts.ended,
            differences: differences, due: due, rollout: rollout, counted: counts.leased ?? 0)
    }

    private struct Counts: Decodable {
        let open: Int
        let leased: Int?
        let ended: [String: Int]
    }

    private struct Jobs: Decodable {
        struct Job: Decodable {
            let task: TaskIdentifier
            let definitionHash: String
            let count: Int
            let hosts: [String]
        }
        let jobs: [Job]
    }

    private static func slots(
        _ state: SlotState, _ more: [String: JSONValue] = [:], from reader: any FleetReader
    ) throws(FleetReadError) -> [SlotStatus] {
        struct Slots: Decodable { let slots: [SlotStatus] }
        let question: [String: JSONValue] = [
            "state": .string(state.rawValue), "most": .integer(Int64(mostSlots)),
        ]
        return try reader.ask("slots_1", question.merging(more) { $1 }, as: Slots.self).slots
    }

    private static func hosts(from reader: any FleetReader) throws(FleetReadError) -> [Host] {
        struct Hosts: Decodable {
            struct Host: Decodable {
                let host: String
                let place: String
                let name: String
                let version: String
                let manifest: String
                let labels: [String: String]
                let ago: Int64
                let lives: Bool
                let stopped: Bool
                let draining: Bool
                let leases: Int
                let ahead: Int64?
            }
            let hosts: [Host]
        }
        struct Mirrors: Decodable {
            struct Mirror: Decodable {
                let place: String
                let through: Int64
                let missing: Int64
            }
            let mirrors: [Mirror]
        }
        let found = try reader.ask("hosts_1", [:], as: Hosts.self).hosts
        let mirrors = Dictionary(
            try reader.ask("mirrors_1", [:], as: Mirrors.self).mirrors.map { ($0.place, $0) }
        ) { $1 }
        return found.map { host in
            Host(
                host: host.host, place: host.place, name: host.name, version: host.version,
                manifest: host.manifest, labels: host.labels, ago: host.ago, lives: host.lives,
                stopped: host.stopped, draining: host.draining, leases: host.leases,
                through: mirrors[host.place]?.through,
                missing: mirrors[host.place]?.missing, ahead: host.ahead)
        }.sorted { ($0.rank, $0.name, $0.host) < ($1.rank, $1.name, $1.host) }
    }
}

extension FleetOverview.Host {
    /// The order of attention: the lowest first.
    var rank: Int { isSilent ? 0 : isClockWrong ? 1 : stopped ? 3 : draining ? 2 : 4 }
    public var isTroubled: Bool { rank < 3 }
    /// `lives`, `draining`, `silent` or `stopped`.
    public var standing: String {
        isSilent ? "silent" : stopped ? "stopped" : draining ? "draining" : "lives"
    }
}
