private import FoundationEssentials
public import LullModel

/// The operators' calls of a fleet's database. Each call blocks, as a command may.
public final class FleetDesk {
    private let definition: FleetDefinition
    private let link: PostgresLink

    /// `credentials`: the folder in which systemd has put this process's credentials.
    public init(
        _ definition: FleetDefinition, credentials: String? = nil, timeout: Duration = .seconds(10)
    ) throws(FleetTrouble) {
        self.definition = definition
        link = try PostgresDial(
            database: definition.database, credentials: credentials, timeout: timeout,
            statementTimeout: timeout
        ).connect().get()
    }

    /// All hosts and tasks, as the database knows them.
    public func report() throws(FleetTrouble) -> FleetReport {
        let hosts: Hosts = try ask("hosts_1", Nothing())
        let jobs: Jobs = try ask("jobs_1", Nothing())
        let tasks: Tasks = try ask("tasks_1", Nothing())
        var report = FleetReport(now: hosts.now, version: tasks.version, hosts: hosts.hosts)
        report.tasks = tasks.tasks.map {
            FleetReport.Task(
                $0.task, open: $0.open, leased: $0.leased, failed: $0.failed, expired: $0.expired)
        }
        for job in jobs.jobs {
            let definitionHash = FleetReport.DefinitionHash(
                job.definitionHash, hosts: job.hosts, count: job.count)
            if let place = report.tasks.firstIndex(where: { $0.task == job.task }) {
                report.tasks[place].definitionHashes.append(definitionHash)
            } else {
                report.tasks.append(FleetReport.Task(job.task, definitionHashes: [definitionHash]))
            }
        }
        report.tasks.sort { $0.task < $1.task }
        report.rollout = try rollout()
        return report
    }

    /// When a drain ends.
    public enum DrainEnd: Sendable, Equatable {
        case resumed
        /// So long after the call, by the database's clock.
        case span(Duration)
        case time(WallTime)
    }

    /// Stops a place's hosts from taking slots, also those to come. `by` and `reason` are for people.
    public func drain(
        _ place: String, by: String? = nil, reason: String? = nil, until end: DrainEnd = .resumed
    ) throws(FleetTrouble) {
        struct Question: Encodable {
            let host: String
            let by: String?
            let reason: String?
            var span: Int64?
            var until: Int64?
        }
        var question = Question(host: place, by: by, reason: reason)
        switch end {
        case .resumed: break
        case .span(let span): question.span = span.milliseconds
        case .time(let time): question.until = time.milliseconds
        }
        let _: Places = try ask("drain_1", question)
    }

    /// The hosts alone, as the database knows them.
    public func hosts() throws(FleetTrouble) -> [FleetReport.Host] {
        let answer: Hosts = try ask("hosts_1", Nothing())
        return answer.hosts
    }

    public func resume(_ place: String) throws(FleetTrouble) {
        let _: Places = try ask("resume_1", ["host": place])
    }

    /// Forgets a host, unless it lives again, and returns how many slots that has freed.
    public func forget(_ host: String) throws(FleetTrouble) -> Int {
        let answer: Forgotten = try ask("forget_1", ["host": host])
        return answer.freed
    }

    struct Nothing: Encodable {}
    private struct Hosts: Decodable {
        let now: Int64
        let hosts: [FleetReport.Host]
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
    private struct Tasks: Decodable {
        struct Task: Decodable {
            let task: TaskIdentifier
            let open: Int
            let leased: Int
            let failed: Int
            let expired: Int
        }
        let version: Int
        let tasks: [Task]
    }
    private struct Places: Decodable { let places: [String] }
    private struct Forgotten: Decodable { let freed: Int }

    func ask<Answer: Decodable>(
        _ function: String, _ question: some Encodable
    ) throws(FleetTrouble) -> Answer {
        let place = definition.database
        func unreadable(_ words: String) -> FleetTrouble { .unreadable(place: place, words: words) }
        guard let json = try? JSONEncoder().encode(question) else { throw unreadable("no JSON") }
        let schema = FleetSchema.quoted(FleetSchema.name(of: definition.name))
        let literal = FleetSchema.literal(String(decoding: json, as: UTF8.self))
        switch link.run("select \(schema).\(function)(\(literal)::jsonb)::text") {
        case .fault(let state, let words): throw .refused(place: place, state: state, words: words)
        case .value(nil): throw unreadable("it is empty")
        case .value(let text?):
            do {
                return try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
            } catch {
                throw unreadable("\(error)")
            }
        }
    }
}
