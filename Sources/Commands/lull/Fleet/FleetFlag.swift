import ArgumentParser
import LullAnswers
import LullCommands
import LullHost
import LullModel

/// `--fleet`: the question is about all hosts that share the fleet's database.
struct FleetFlag: ParsableArguments {
    @Flag(help: "Ask the fleet's database, and show all its hosts.") var fleet = false
}

extension StateOptions {
    /// The fleet of the manifest that is in force, or would be.
    func fleet(_ manifest: String? = nil) throws -> FleetDefinition {
        let found = try folder.manifestInForce ?? readManifest(manifest, showsWarnings: false)
        return try found.fleet ?? none(manifest)
    }

    private func none(_ manifest: String?) throws -> FleetDefinition {
        throw Failure(
            "\(displayed(manifestPath(manifest))) has no `fleet`, so this host is alone. Write `fleet: { database: service=lull }` at its top, or leave --fleet out."
        )
    }

    func reader(_ manifest: String? = nil) throws -> any FleetReader {
        try FleetDatabaseReader(fleet(manifest))
    }
}
