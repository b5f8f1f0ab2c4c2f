import ArgumentParser
import Foundation
import LullCommands
import LullFleet
import LullModel

struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Show and control the hosts that share one PostgreSQL database.",
        usage: "lull fleet [<options>] | <subcommand> ...",
        discussion: """
            A manifest with `fleet` names a database. Hosts with the same database share the tasks that have \
            `scope: any_host`. docs/fleet.md leads from one host to three.

            Examples:
              lull fleet init                  install the schema, or bring it up to date
              lull fleet                       the hosts, and whether their tasks agree
              lull fleet apply fleet.yaml      give the following hosts a new manifest
              lull fleet drain web1            before its maintenance
              lull fleet resume web1
              lull fleet forget web1           it will not come back
              lull fleet host add web1         a login of its own
            """,
        subcommands: [
            FleetStatus.self, FleetInit.self, FleetApply.self, FleetManifest.self, FleetDrainCommand.self,
            FleetResume.self, FleetForget.self, FleetHostCommand.self,
            Elsewhere<FleetDiffArguments>.self,
        ], defaultSubcommand: FleetStatus.self)
}

/// The fleet, if the manifest names none or another one.
struct FleetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The database, as a URI or a list of KEY=VALUE, instead of the manifest's.", valueName: "place"))
    var database: String?
    @Option(help: ArgumentHelp("The fleet's name, instead of the manifest's.", valueName: "name"))
    var name: String?

    func validate() throws {
        if let name, !FleetDefinition.isName(name) {
            throw ValidationError(
                "'\(name.prefix(60))' can't be a fleet's name. Write at most \(FleetDefinition.nameBytes) lower-case "
                    + "letters, digits and '_', with a letter first.")
        }
        guard let database else { return }
        do {
            // Everybody on this machine can read a command's arguments.
            guard try !DatabaseAddress(database).hasPassword else {
                throw ValidationError(
                    "--database holds a password, which everyone on this machine can read. Put it into PGPASSWORD, "
                        + "a PGPASSFILE or a service file.")
            }
        } catch is DatabaseAddress.Fault {
            throw ValidationError(
                "--database names no database. For example: --database 'host=/run/postgresql dbname=lull'.")
        }
    }
}

/// A command that asks the fleet's database.
protocol AskingFleet {
    var options: StateOptions { get }
    var manifestOption: ManifestOption { get }
    var fleetOptions: FleetOptions { get }
}

extension AskingFleet {
    /// The manifest's fleet, unless the options name another. With both options no manifest is needed; with the
    /// database alone only the name is read from it.
    func definition() throws -> FleetDefinition {
        let path = options.manifestPath(manifestOption.path)
        guard let database = fleetOptions.database else {
            let written = try options.readManifest(manifestOption.path, showsWarnings: false).fleet
            guard let written else { throw Failure(FleetSentences.noFleet(in: options.displayed(path))) }
            return FleetDefinition(database: written.database, name: fleetOptions.name ?? written.name)
        }
        if let name = fleetOptions.name { return FleetDefinition(database: database, name: name) }
        guard manifestOption.path != nil || FileManager.default.fileExists(atPath: path) else {
            return FleetDefinition(database: database)
        }
        // A mistake elsewhere in the manifest must not make or change another fleet's schema.
        guard let manifest = options.read(manifestOption.path).manifest else {
            throw Failure(options.remedy(FleetSentences.unnamed(in: options.displayed(path))))
        }
        return FleetDefinition(database: database, name: manifest.fleet?.name ?? FleetDefinition.usualName)
    }

    /// The database's answer; throws the sentence of its trouble.
    func asking<Answer>(_ body: () throws(FleetTrouble) -> Answer) throws -> Answer {
        do throws(FleetTrouble) {
            return try body()
        } catch {
            throw Failure(error.sentence)
        }
    }

    func desk(_ definition: FleetDefinition) throws -> FleetDesk {
        try asking { () throws(FleetTrouble) in try FleetDesk(definition, credentials: credentials) }
    }

    /// The folder in which systemd puts a service's credentials.
    var credentials: String? { ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] }

    /// The hosts of that name or place, or else this one.
    func hosts(called text: String?, of desk: FleetDesk) throws -> [FleetReport.Host] {
        let report = try asking { () throws(FleetTrouble) in try desk.report() }
        do {
            if let text { return try report.hosts(called: text) }
            guard let place = try options.checkedFolder().fleetPlace else {
                throw Failure(FleetSentences.notMember(place: nil))
            }
            let mine = report.hosts.filter { $0.place == place }
            if mine.isEmpty { throw Failure(FleetSentences.notMember(place: place)) }
            return mine
        } catch let search as FleetReport.Search {
            throw Failure(FleetSentences.notFound(search))
        }
    }
}

struct FleetStatus: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the hosts' clocks, versions and manifests, and where they disagree.",
        usage: "lull fleet [status] [<options>]",
        discussion: """
            Shows whether the hosts of the fleet answer and agree. `lull status --fleet` shows the tasks: what \
            failed and why, and what runs where.

            Hosts that do not answer come first, then those with a wrong clock, those that are drained and \
            those that were stopped properly. Below them are the tasks that differ between hosts, and how many \
            slots of each task are open, leased, failed or expired. Exits with 1 if a host does not answer.

            Examples:
              lull fleet status
              lull fleet status --json
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Flag(help: "Show all hosts and tasks, however many there are.") var all = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        let definition = try definition()
        let desk = try desk(definition)
        let report = try asking { () throws(FleetTrouble) in try desk.report() }
        if json {
            try Output.json(FleetStatusJSON(definition, report))
        } else {
            let text = FleetStatusText(
                report: report, name: definition.name, phrases: options.phrases, showsAll: all)
            Output.answer(styled: text.rendered(for: .output))
        }
        if report.hosts.contains(where: \.isSilent) { throw ExitCode(1) }
    }
}
