import Foundation
import LullAnswers
import LullHistory
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullFleet

/// Readings of all hosts' data, from a real database.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
final class MirrorReadingTests: MirrorBench {
    @Test func `runs, a night, an output and a run's events are read of all hosts`() throws {
        for (place, isFailing) in [("p1", false), ("p2", true)] {
            _ = try send(
                [
                    (1, try event(.launched, ago: .minutes(20), run: 4)),
                    (
                        2,
                        try event(
                            isFailing ? .failed : .completed, ago: .minutes(19), run: 4,
                            isFailing ? .failed : .succeeded)
                    ),
                ], outputs: [.init(run: RunID(4), sequence: 2, text: "printed on \(place)")], place: place)
        }
        let runs = try past().runs(RunQuery(limit: .max))
        #expect(Set(runs.map(\.host)) == ["p1-name", "p2-name"] && runs.count { $0.row.isFailure } == 1)
        let night = try FleetNight.read(
            from: now - .hours(1), to: now, now: now, zone: .utc, reader: Reader(self))
        #expect(night.hosts.map(\.tally.failed) == [1, 0] && night.known == 2)
        #expect(night.lanes.count == 2)
        var query = FleetQuery()
        query.run = RunID(4)
        query.hosts = ["p2-name"]
        query.task = try task()
        query.app = AppIdentifier("a.b")
        query.since = now - .hours(1)
        query.until = now
        query.names = [.launched, .failed]
        #expect(try past(query).events.map(\.sequence) == [1, 2])
        #expect(try FleetPast.output(of: RunID(4), on: "p2", from: Reader(self)) == "printed on p2")
        query.limit = 1
        let newest = try past(query)
        #expect(newest.events.map(\.sequence) == [2] && newest.isCut)
    }

    @Test func `status and why read what the functions of the fleet say`() throws {
        // However slow the machine is, no host falls silent.
        try postgres.stopClock(of: schema)
        let job = FleetHello.Job(task: try task(), definitionHash: "m", scope: .anyHost)
        for name in ["b12", "b13"] {
            _ = try bench.ask(
                connection,
                .hello(
                    FleetHello(
                        host: "h" + name, place: "p" + name, name: name, boot: "b", version: "0.2.0",
                        manifest: "0123", labels: ["rack": "1"], jobs: [job])))
            var beat = FleetBeat(host: "h" + name, lease: 60_000)
            beat.reports = [
                .init(
                    task: try task(), gates: ["idle"], reason: "Somebody is there.", half: 3_600_000,
                    most: nil)
            ]
            _ = try bench.ask(connection, .beat(beat))
        }
        let slot = SlotName(try task(), at: now - .minutes(1))
        let claim = FleetClaim(
            host: "hb12", slot: slot, definitionHash: "m", through: slot.nominal, lease: 60_000)
        _ = try bench.ask(connection, .claim(claim))
        let why = try FleetWhy.read(try task(), from: Reader(self))
        #expect(why.hosts.map(\.name) == ["b12", "b13"] && why.slots.map(\.host) == ["b12"])
        #expect(why.chance.half.map { $0 < 1_900_000 } == true && why.chance.most == nil)
        let forecast = try FleetForecast.read(of: AppIdentifier("a.b"), from: Reader(self))
        #expect(forecast.tasks.map(\.task) == [try task()] && forecast.tasks[0].hosts == 2)
        #expect(forecast.tasks[0].nearest.name == "b12")
        #expect(try FleetForecast.read(of: AppIdentifier("a.c"), from: Reader(self)).tasks.isEmpty)
        _ = try send([(1, try event(.launched, ago: .minutes(2), run: 1))], place: "pb12")
        _ = try send(
            [
                (1, try event(.launched, ago: .minutes(2), run: 1)),
                (2, try event(.failed, ago: .minutes(1), run: 1, .failed)),
            ], place: "pb13")
        let grid = try FleetGrid.read(from: now - .hours(1), to: now, now: now, reader: Reader(self))
        #expect(grid.rows.map(\.host) == ["b13", "b12"] && grid.wellCount == 1)
        #expect(grid.tasks.map(\.task) == [try task()] && grid.tasks[0].tally.launched == 2)
        #expect(grid.rows.map { $0.lanes.first??.failed } == [1, 0])
        let found = try FleetGrid.read(
            from: now - .hours(1), to: now, now: now, finding: "B12", reader: Reader(self))
        #expect(found.rows.map(\.host) == ["b12"] && found.moreHostCount == 0)
        let status = try FleetOverview.read(from: Reader(self))
        #expect(status.hosts.map(\.name) == ["b12", "b13"] && status.hosts.allSatisfy(\.lives))
        #expect(status.leased.count == 1 && status.failed.isEmpty && status.differences.isEmpty)
    }
}
