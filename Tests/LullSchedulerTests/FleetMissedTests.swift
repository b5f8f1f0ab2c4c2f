import LullModel
import Testing

@testable import LullScheduler

/// What a host of a fleet records of times for any host that it slept through.
struct FleetMissedTests {
    private let fleet = FleetTests()

    /// The database can say what became of a slot that it was offered, and of no later one.
    @Test(arguments: [(1, 1), (4, 4), (96, 96)])
    func `given up times stay here only if the database has the slot of each`(hour: Int, times: Int) throws {
        var host = try fleet.host {
            $0.fleet.scope = .anyHost
            $0.missed = .skip
        }
        fleet.go(to: FleetTests.nominal - .minutes(1), &host)
        let wake = WallTime.at(0, 0) + .hours(hour) + .minutes(30)
        host.now.asleep = wake - host.now.wall
        host.now.wall = wake
        host.handle(.wake)
        let event = try #require(host.records.last { $0.event == .givenUp })
        #expect(event.occurrence?.times ?? 1 == times)
        #expect(event.isForFleet == (times > 1))
    }
}
