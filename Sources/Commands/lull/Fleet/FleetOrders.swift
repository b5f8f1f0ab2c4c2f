import ArgumentParser
import Foundation
import LullCommands
import LullFleet
import LullModel

struct FleetInit: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Install the fleet's schema in its database, or bring it up to date.",
        usage: "lull fleet init [<options>]",
        discussion: """
            Needs a role that may create schemas and roles in the database: its owner with CREATEROLE, or a \
            superuser. You can run it again at any time, even while hosts run, and before you upgrade the \
            hosts. It creates the schema lull_NAME and two roles, one for hosts and one that may only read.

            --print prints the SQL instead, for an administrator to run; with --from it prints only the steps \
            from that version on.

            Examples:
              sudo -u postgres lull fleet init --database dbname=lull
              lull fleet init --print | sudo -u postgres psql lull
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Flag(help: "Print the SQL, and connect to nothing.") var print = false
    @Option(
        help: ArgumentHelp(
            "With --print: the schema's version in the database, which `lull fleet status --json` prints. Default 0: none.",
            valueName: "version"))
    var from = 0

    func validate() throws {
        guard (0...FleetSchema.version).contains(from) else {
            throw ValidationError(
                "--from is from 0 to \(FleetSchema.version), the newest version that this Lull knows.")
        }
        if from != 0, !print {
            throw ValidationError("--from needs --print: Lull reads the version of a database itself.")
        }
    }

    func run() throws {
        let definition = print && isNamed ? named : try definition()
        if print {
            let sql = FleetInstall.sql(fleet: definition.name, after: from)
            Output.data("begin;\n" + sql + "\ncommit;\n")
            return Output.error(FleetSentences.grants(fleet: definition.name))
        }
        let report: FleetInstall.Report
        do throws(FleetTrouble) {
            report = try FleetInstall.run(definition, credentials: credentials)
        } catch {
            throw Failure(FleetSentences.troubleInstalling(error))
        }
        Output.answer(
            FleetSentences.installed(
                fleet: definition.name, schema: report.schema, version: report.now,
                from: report.before == 0 ? nil : report.before))
    }

    /// Whether the name needs no manifest: it is given, or there is no manifest and the fleet has its usual name.
    private var isNamed: Bool {
        fleetOptions.name != nil
            || manifestOption.path == nil
                && !FileManager.default.fileExists(atPath: options.manifestPath(nil))
    }
    private var named: FleetDefinition {
        FleetDefinition(database: "", name: fleetOptions.name ?? FleetDefinition.usualName)
    }
}

struct FleetResume: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let a drained host take slots again.",
        usage: "lull fleet resume [<options>] [<host>]",
        discussion: """
            Examples:
              lull fleet resume            this host
              lull fleet resume web1
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Argument(help: "A host's name, or its place. Default this host.") var host: String?

    func run() throws {
        let desk = try desk(definition())
        let hosts = try hosts(called: host, of: desk)
        guard let place = hosts.first?.place else { return }
        if !hosts.contains(where: \.draining) { return Output.answer(FleetSentences.notDraining(hosts)) }
        try asking { () throws(FleetTrouble) in try desk.resume(place) }
        Output.answer(FleetSentences.resumed(hosts))
    }
}

struct FleetForget: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove a host that will not come back, and free its slots at once.",
        usage: "lull fleet forget [<options>] <host>",
        discussion: """
            If the host is alive, the command is refused. In any case, other hosts take over a host's slots \
            30 s after their leases end, and Lull removes a host that has not answered for a week. The \
            history of the host stays.

            First make sure that the machine is off. A host without a connection to the database continues a \
            run until the run's lease ends (`lease` of the task); meanwhile another host would run the same \
            slot.

            Example:
              lull fleet forget web1
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Argument(help: "The host's name, or its place.") var host: String

    func run() throws {
        let desk = try desk(definition())
        let hosts = try hosts(called: host, of: desk)
        // Earlier processes of a place that have ended may be forgotten although the last one lives.
        let gone = hosts.filter { !$0.lives }
        if gone.isEmpty, let first = hosts.first {
            throw Failure(options.remedy(FleetSentences.livesStill(first, called: host)))
        }
        let freed = try asking { () throws(FleetTrouble) in
            var freed = 0
            for host in gone { freed += try desk.forget(host.host) }
            return freed
        }
        Output.answer(FleetSentences.forgotten(gone, freed: freed))
    }
}
