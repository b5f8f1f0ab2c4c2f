import LullCalendar
import LullModel
import LullSimulator
import Testing

/// What hosts record of the fleet's slots, and what of it goes to the database.
@Suite struct FleetEventsTests {
    private struct Count {
        var (runs, recorded, sent) = (0, 0, 0)
        var sentByRun: Double { Double(sent) / Double(runs) }
    }

    /// Some hours of so many hosts with one task for any host; without power none can run it.
    private func count(
        hosts: Int, hasPower: Bool = true, _ change: (inout TaskDefinition) -> Void
    ) throws -> Count {
        let name = try #require(AppIdentifier("com.example.Fleet"))
        var app = App(identifier: name, plugin: "/fleet.so")
        app.idleAfter = nil
        var task = TaskDefinition(
            identifier: try #require(TaskIdentifier("com.example.Fleet.shared")), app: name, kind: .processing
        )
        task.requires.idle = false
        task.requires.externalPower = true
        task.fleet.scope = .anyHost
        change(&task)
        app.tasks = [task]
        var manifest = Manifest(path: "jobs.yaml", hash: "a", hostConcurrency: 8, apps: [app])
        manifest.fleet = FleetDefinition(database: "host=/run/fleet")
        let conditions = Conditions(externalPower: .known(hasPower), network: .known(.unmetered))
        var simulation = FleetSimulation(FleetWorld(hosts: hosts, hours: 2, manifest, conditions))
        simulation.run()
        return Count(runs: simulation.launches, recorded: simulation.recorded, sent: simulation.sent)
    }

    @Test(arguments: [3, 27])
    func `a slot costs the database as many events on many hosts as on one`(hosts: Int) throws {
        let times = try ExactTimes("*/5 * * * *")
        let one = try count(hosts: 1) { $0.at = times }
        let many = try count(hosts: hosts) { $0.at = times }
        #expect(one.runs >= 10 && many.runs >= 10)
        #expect(abs(many.sentByRun / one.sentByRun - 1) < 0.1, "\(one), \(many)")
        // Each host knows for itself what became of the slot.
        #expect(many.recorded > hosts * many.runs)
    }

    @Test func `a run of a task that repeats costs the database as many events on many hosts as on one`()
        throws
    {
        let one = try count(hosts: 1) { $0.repeat = .minutes(5) }
        let many = try count(hosts: 27) { $0.repeat = .minutes(5) }
        #expect(abs(many.sentByRun / one.sentByRun - 1) < 0.1, "\(one), \(many)")
    }

    @Test func `a slot that no host could run costs the database no event`() throws {
        let times = try ExactTimes("*/5 * * * *")
        let many = try count(hosts: 27, hasPower: false) {
            $0.at = times
            $0.missed = .skip
            $0.tolerance = .minutes(2)
        }
        #expect(many.runs == 0 && many.sent == 0 && many.recorded > 27 * 10, "\(many)")
    }
}
