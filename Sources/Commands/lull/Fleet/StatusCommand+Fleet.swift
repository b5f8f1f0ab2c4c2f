import LullAnswers
import LullCommands
import LullModel

extension StatusCommand {
    /// `lull status --fleet`.
    func showFleet() throws {
        let fleet = try options.fleet(manifest)
        let reader = try options.reader(manifest)
        let status = try askingFleet { try FleetOverview.read(from: reader) }
        if json { return try Output.json(FleetOverviewJSON(status, fleet: fleet.name)) }
        let text = FleetOverviewText(status: status, fleet: fleet.name, phrases: options.phrases)
        Output.answer(styled: text.rendered(for: .output))
    }
}
