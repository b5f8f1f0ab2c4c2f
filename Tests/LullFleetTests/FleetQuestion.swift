import LullModel
import TestSupport

@testable import LullFleet

/// One blocking call of a function of the fleet's schema, for a test.
enum FleetQuestion {
    /// Sends JSON and returns JSON.
    static func ask(
        _ function: String, _ json: String, of definition: FleetDefinition, credentials: String? = nil,
        timeout: Duration = hangLimit
    ) throws(FleetTrouble) -> String {
        let place = definition.database
        let dial = PostgresDial(
            database: place, credentials: credentials, timeout: timeout, statementTimeout: timeout)
        let link = try dial.connect().get()
        let schema = FleetSchema.quoted(FleetSchema.name(of: definition.name))
        let call = "\(schema).\(FleetSchema.quoted(function))(\(FleetSchema.literal(json))::jsonb)"
        switch link.run("select \(call)::text") {
        case .value(let text?): return text
        case .value(nil): throw .unreadable(place: place, words: "it is empty")
        case .fault(let state, let words):
            throw link.isBroken
                ? .broken(place: place, words: words) : .refused(place: place, state: state, words: words)
        }
    }
}
