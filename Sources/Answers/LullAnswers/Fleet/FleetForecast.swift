public import LullModel

/// When the fleet's tasks will likely run: for each task the hosts' outlooks as one.
public struct FleetForecast: Sendable, Equatable {
    public struct Task: Sendable, Equatable {
        public var task: TaskIdentifier
        /// The number of hosts that have reported on it.
        public var hosts: Int
        public var chance: FleetChance
        /// The host that is nearest to running it.
        public var nearest: FleetWhy.Host
    }

    /// The soonest first, and tasks without a known time last.
    public var tasks: [Task]

    /// `app`: only its tasks.
    public static func read(
        of app: AppIdentifier? = nil, from reader: any FleetReader
    ) throws(FleetReadError) -> FleetForecast {
        let reports = try reader.ask("reports_1", [:], as: Reports.self).reports
        let own = reports.filter { report in app.map { report.task.text.hasPrefix($0.text + ".") } ?? true }
        let tasks = Dictionary(grouping: own, by: \.task).compactMap { task, reports -> Task? in
            let why = FleetWhy(task: task, hosts: reports.map(\.host))
            guard let nearest = why.hosts.first else { return nil }
            return Task(task: task, hosts: reports.count, chance: why.chance, nearest: nearest)
        }
        let far = Int64.max
        return FleetForecast(
            tasks: tasks.sorted { a, b in
                (a.chance.most ?? far, a.chance.half ?? far, a.task)
                    < (b.chance.most ?? far, b.chance.half ?? far, b.task)
            })
    }

    private struct Reports: Decodable {
        struct Report: Decodable {
            let task: TaskIdentifier
            let host: FleetWhy.Host

            private enum CodingKeys: CodingKey { case task }

            init(from decoder: any Decoder) throws {
                task = try decoder.container(keyedBy: CodingKeys.self).decode(
                    TaskIdentifier.self, forKey: .task)
                host = try FleetWhy.Host(from: decoder)
            }
        }
        let reports: [Report]
    }
}
