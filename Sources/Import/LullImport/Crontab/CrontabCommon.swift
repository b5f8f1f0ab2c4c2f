/// What all jobs of a user have in common, which their app says once.
struct CrontabCommon {
    private let shell: String
    private let environment: [(name: String, value: String)]
    let zone: String?
    /// Who is told what most of them print.
    let mail: [String]

    /// The shell of most; of the variables those that every job has, each as most have it, for a task can change one and
    /// not be without it.
    init(of jobs: [CrontabJob], on machine: ImportMachine) {
        let variables = jobs.map(\.variables)
        shell = Self.mostCommon(variables.map(\.shell)) ?? "/bin/sh"
        let zones = Set(variables.map(\.zone))
        zone = zones.count == 1 ? zones.first ?? nil : nil
        mail = Self.mostCommon(jobs.map { $0.mail(on: machine) }) ?? []
        let tables = variables.map { Self.table($0.environment) }
        environment = (variables.first?.environment ?? []).compactMap { name, _ in
            let values = tables.compactMap { $0[name] }
            return values.count == tables.count ? Self.mostCommon(values).map { (name, $0) } : nil
        }
    }

    /// The first of those that come most often.
    private static func mostCommon<Value: Hashable>(_ values: [Value]) -> Value? {
        var counts: [Value: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        let most = counts.values.max()
        return values.first { counts[$0] == most }
    }

    /// Of the app.
    var settings: YAMLText {
        var entries: [(key: String, value: YAMLText)] = [("cwd", .text("~"))]
        if shell != "/bin/sh" { entries.append(("shell", .text(shell))) }
        if !environment.isEmpty { entries.append(("env", Self.mapping(environment))) }
        return .mapping(entries)
    }

    /// Of one task: the command, and what is its own.
    func settings(of job: CrontabJob) -> YAMLText {
        var entries: [(key: String, value: YAMLText)] = [("run", .text(job.run))]
        if let input = job.command.input { entries.append(("stdin", .text(input))) }
        if shell != job.variables.shell { entries.append(("shell", .text(job.variables.shell))) }
        let shared = Self.table(environment)
        let own = job.variables.environment.filter { shared[$0.name] != $0.value }
        if !own.isEmpty { entries.append(("env", Self.mapping(own))) }
        return .mapping(entries)
    }

    /// cron mails what a job prints, whether it fails or not.
    static func notify(_ addresses: [String]) -> YAMLText {
        .list(addresses.map { .mapping([("mail", .text($0)), ("on", .list([.word("output")]))]) })
    }

    private static func mapping(_ environment: [(name: String, value: String)]) -> YAMLText {
        .mapping(environment.map { ($0.name, .text($0.value)) })
    }

    private static func table(_ environment: [(name: String, value: String)]) -> [String: String] {
        Dictionary(environment.map { ($0.name, $0.value) }) { $1 }
    }
}
