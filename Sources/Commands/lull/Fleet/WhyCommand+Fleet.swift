import LullAnswers
import LullCommands
import LullModel

extension WhyCommand {
    /// `lull why TASK --fleet`.
    func explainInFleet(_ found: NameResolver.Found) throws {
        guard case .task(let task) = found else {
            throw Failure("--fleet is about a task. Name one of \(found.name).")
        }
        guard by == nil else { throw Failure("--by is about this host alone. Leave it or --fleet out.") }
        let reader = try options.reader(manifest)
        let why = try askingFleet { try FleetWhy.read(task, from: reader) }
        if json { return try Output.json(FleetWhyJSON(why)) }
        Output.answer(styled: FleetWhyText(why: why, phrases: options.phrases).rendered(for: .output))
    }
}
