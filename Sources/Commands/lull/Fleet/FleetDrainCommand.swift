import ArgumentParser
import Foundation
import LullCommands
import LullFleet
import LullModel
import LullSystem

struct FleetDrainCommand: ParsableCommand, AskingFleet {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Keep a host from taking new slots; its current runs go on.",
        usage: "lull fleet drain [<options>] [<host>]",
        discussion: """
            This ends after --for, at --until, or with `lull fleet resume`, and holds across restarts of the \
            host. Times are those of the database's clock. Tasks that each host runs for itself go on there. \
            `lull fleet status` shows who drained the host, when and why. If you drain a host again, the new \
            options replace the old ones.

            With --wait, the command waits until the host has no fleet run left, and says what it waits for. \
            It exits with 1 if the host takes slots again before that.

            Examples:
              lull fleet drain             this host
              lull fleet drain web1 --for 2h --reason "new disk"
              lull fleet drain web1 --until 18:00
              lull fleet drain web1 --wait && ssh web1 sudo reboot
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @OptionGroup var fleetOptions: FleetOptions
    @Argument(help: "A host's name, or its place. Default this host.") var host: String?
    @OptionGroup var end: EndOptions
    @Option(
        help: ArgumentHelp("The reason, which `lull fleet status` and `lull why` show.", valueName: "text"))
    var reason: String?
    @Flag(help: "Wait until it has no fleet run left.") var wait = false

    func validate() throws {
        if let until = end.until, until.time(ahead: true) <= Clock.wall {
            throw ValidationError("--until has passed. Give a future time, such as 19:40 or 2h.")
        }
    }

    private var drainEnd: FleetDesk.DrainEnd {
        guard let end = end.argument else { return .resumed }
        let time = end.time(ahead: true)
        return end.isSpan ? .span(time - Clock.wall) : .time(time)
    }

    func run() throws {
        let desk = try desk(definition())
        let hosts = try hosts(called: host, of: desk)
        guard let place = hosts.first?.place else { return }
        let phrases = options.phrases
        let isSaid = reason == nil && end.argument == nil && hosts.allSatisfy(\.draining)
        if isSaid {
            Output.answer(FleetSentences.alreadyDraining(hosts, phrases))
        } else {
            let why = reason.map { String($0.prefix(500)) }
            try asking { () throws(FleetTrouble) in
                try desk.drain(place, by: FleetApply.author, reason: why, until: drainEnd)
            }
            let drained = try asking { () throws(FleetTrouble) in try desk.hosts() }
            Output.answer(
                options.remedy(
                    FleetSentences.drained(drained.filter { $0.place == place }, called: host, phrases)))
        }
        if wait { try waitForRuns(of: place, desk) }
    }

    private func waitForRuns(of place: String, _ desk: FleetDesk) throws {
        var said: Int?
        while true {
            let hosts = try asking { () throws(FleetTrouble) in try desk.hosts() }
                .filter { $0.place == place }
            let leases = hosts.map(\.leases).reduce(0, +)
            if leases == 0 { return Output.answer(FleetSentences.isEmpty(hosts)) }
            guard hosts.contains(where: \.draining) else {
                throw Failure(FleetSentences.takesSlotsAgain(hosts, leases))
            }
            if leases != said { Output.error(FleetSentences.waits(for: hosts, leases)) }
            said = leases
            Thread.sleep(forTimeInterval: 1)
        }
    }
}
