/// The settings that all jobs of a user have in common, which their app has once.
struct CrontabCommon {
    private let shell: String
    private let environment: [(name: String, value: String)]
    let zone: String?
    /// The addresses that get the output of most of them.
    let mail: [String]

    /// The shell of most jobs, and the variables that every job has, each as most have it: a task can change a
    /// variable, but can't remove it.
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

    /// The first of the values that come most often.
    private static func mostCommon<Value: Hashable>(_ values: [Value]) -> Value? {
        var counts: [Value: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        let most = counts.values.max()
        return values.first { counts[$0] == most }
    }

    /// The settings of the app.
    var settings: YAMLText {
        var entries: [(key: String, value: YAMLText)] = [("cwd", .text("~"))]
        if shell != "/bin/sh" { entries.append(("shell", .text(shell))) }
        if !environment.isEmpty { entries.append(("env", Self.mapping(environment))) }
        return .mapping(entries)
    }

    /// The settings of one task: the command, and what differs from the app.
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
