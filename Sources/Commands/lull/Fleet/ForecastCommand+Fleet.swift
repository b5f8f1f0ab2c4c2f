import LullAnswers
import LullCommands
import LullModel

extension ForecastCommand {
    /// `lull forecast --fleet`.
    func showFleet() throws {
        let app = try name.map { try self.app($0) }
        let reader = try options.reader(manifest)
        let forecast = try askingFleet { try FleetForecast.read(of: app, from: reader) }
        if json { return try Output.json(forecast.tasks.map(FleetForecastJSON.init)) }
        Output.answer(
            styled: FleetForecastText(forecast: forecast, phrases: options.phrases).rendered(for: .output))
    }
}

/// When the fleet's tasks will likely run, for people.
struct FleetForecastText {
    let forecast: FleetForecast
    let phrases: Phrases

    func rendered(for terminal: Terminal) -> String {
        guard !forecast.tasks.isEmpty else {
            return "No live host of the fleet has reported on a task. `lull status --fleet` lists the hosts."
        }
        var table = Table(header: ["TASK", "50 % BY", "90 % BY", "HOSTS", "NEAREST"])
        for task in forecast.tasks {
            let gates = task.nearest.gates
            table.rows.append([
                .init(task.task.text), .init(time(task.chance.half)), .init(time(task.chance.most)),
                .init("\(task.hosts)"),
                .init(
                    task.nearest.name
                        + (gates.isEmpty
                            ? ", which may run it now" : ", which waits for \(Phrase.list(gates))")),
            ])
        }
        let advice = phrases.remedy("`lull why TASK --fleet` says why.")
        return table.rendered(for: terminal) + "\n" + advice
    }

    private func time(_ span: Int64?) -> String {
        span.map { phrases.time(phrases.now + .milliseconds($0)) } ?? "not known"
    }
}

/// The same as a format: spans in milliseconds from now.
struct FleetForecastJSON: Encodable {
    let task: TaskIdentifier
    let hostCount: Int
    let halfMs: Int64?
    let mostMs: Int64?
    let nearest: String
    let gates: [String]

    init(_ task: FleetForecast.Task) {
        (self.task, hostCount) = (task.task, task.hosts)
        (halfMs, mostMs) = (task.chance.half, task.chance.most)
        (nearest, gates) = (task.nearest.name, task.nearest.gates)
    }
}
