import Foundation
import LullConditions
import LullModel
import Testing

@testable import LullHost
@testable import LullScheduler

struct SightFileTests {
    private let folder: StateFolder
    private let tree: String
    private static let start = WallTime(seconds: 1_800_000_000)

    init() throws {
        tree = FileManager.default.temporaryDirectory.path + "/lull-sight-" + UUID().uuidString
        folder = StateFolder(option: tree + "/state", environment: [:], isRoot: false)
        for path in ["/state", "/proc/sys/kernel/random"] {
            try FileManager.default.createDirectory(atPath: tree + path, withIntermediateDirectories: true)
        }
    }

    private func sight(boot: String?) throws -> SightFile {
        let path = tree + "/proc/sys/kernel/random/boot_id"
        try? FileManager.default.removeItem(atPath: path)
        if let boot { try Data((boot + "\n").utf8).write(to: URL(fileURLWithPath: path)) }
        return SightFile(in: folder, roots: ConditionRoots(procfs: tree + "/proc", stateFolder: tree))
    }

    /// The time `after` the start, with the machine `up` for so long and `asleep` for a part of it.
    private func now(_ after: Duration, up: Duration, asleep: Duration = .zero) -> Now {
        Now(
            wall: Self.start + after, monotonic: MonotonicTime(nanoseconds: (up - asleep).nanoseconds),
            asleep: asleep)
    }

    private func save(_ boot: String?, as goal: HostConfiguration.Goal = .pass, _ now: Now) throws {
        var sight = try sight(boot: boot)
        sight.begin(goal, at: now)
    }

    @Test func `a machine that was off meanwhile is seen to have been`() throws {
        try save("a", now(.zero, up: .hours(9), asleep: .hours(2)))
        let later = now(.hours(20), up: .hours(1))
        #expect(
            try sight(boot: "b").missed(by: Ledger(), at: later) == [
                Absence(.off, until: Self.start + .hours(19), for: .hours(19))
            ])
        #expect(try sight(boot: "a").missed(by: Ledger(), at: later) == [])
    }

    @Test func `and one that slept`() throws {
        try save("a", now(.zero, up: .hours(9), asleep: .hours(2)))
        #expect(
            try sight(boot: "a").missed(by: Ledger(), at: now(.hours(20), up: .hours(29), asleep: .hours(12)))
                == [Absence(.asleep, until: Self.start + .hours(20), for: .hours(10))])
    }

    @Test func `a service is known to have lived a minute ago, and how it ended`() throws {
        var sight = try sight(boot: "a")
        // Nothing is written before `begin`, so that the next host still finds the absence.
        sight.note(now(.hours(-1), up: .hours(1)))
        #expect(sight.read() == nil)
        sight.begin(.service, at: now(.zero, up: .hours(1)))
        for second in stride(from: 1, through: 90, by: 1) {
            sight.note(now(.seconds(second), up: .hours(1) + .seconds(second)))
        }
        let later = now(.hours(2), up: .hours(3))
        #expect(
            sight.missed(by: Ledger(), at: later) == [
                Absence(.lost, until: Self.start + .hours(2), for: .hours(2) - .seconds(60))
            ])
        sight.end(at: now(.minutes(30), up: .minutes(90)))
        #expect(
            sight.missed(by: Ledger(), at: later) == [
                Absence(.stopped, until: Self.start + .hours(2), for: .minutes(90))
            ])
    }

    @Test func `a launch by hand in between is no host that would have launched anything else`() throws {
        var service = try sight(boot: "a")
        service.begin(.service, at: now(.zero, up: .hours(1)))
        var launch = try sight(boot: "a")
        let moment = now(.hours(1), up: .hours(2))
        var ledger = Ledger()
        for absence in launch.missed(by: ledger, at: moment) { ledger.apply(absence.event, zones: .utc) }
        launch.begin(.launch(try #require(TaskIdentifier("com.example.A.b"))), at: moment)
        launch.end(at: moment)
        #expect(
            launch.missed(by: ledger, at: now(.hours(3), up: .hours(4))) == [
                Absence(.stopped, until: Self.start + .hours(3), for: .hours(2))
            ])
    }

    @Test func `commands without a host leave its last sign, however often they come`() throws {
        var service = try sight(boot: "a")
        service.begin(.service, at: now(.zero, up: .hours(1)))
        service.end(at: now(.zero, up: .hours(1)))
        var ledger = Ledger()
        for second in stride(from: 30, through: 300, by: 30) {
            let time = now(.seconds(second), up: .hours(1) + .seconds(second))
            let before = ledger
            let missed = service.missed(by: before, at: time)
            for absence in missed { ledger.apply(absence.event, zones: .utc) }
            ledger.apply(
                HistoryEvent(.used, at: time.wall, app: try #require(AppIdentifier("com.example.A"))),
                zones: .utc)
            service.saveWithoutHost(before, missed: missed, at: time)
        }
        #expect(ledger.away.length(from: Self.start, until: Self.start + .hours(1)) >= .minutes(4))
        #expect(
            service.missed(by: ledger, at: now(.hours(1), up: .hours(2))).map(\.cause) == [.stopped])
    }

    @Test(arguments: [
        "", "a", "a 2026-11-21T08:00:00.000Z 5", "a noon 5 2026-11-21T08:00:00.000Z pass",
        "a 2026-11-21T08:00:00.000Z -5 2026-11-21T08:00:00.000Z pass",
        "a 2026-11-21T08:00:00.000Z 5 2026-11-21T08:00:00.000Z dead", "\0",
    ])
    func `a file that says something else is none`(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/seen"))
        let sight = try sight(boot: "b")
        #expect(sight.read() == nil)
        #expect(sight.missed(by: Ledger(), at: now(.days(90), up: .hours(1))) == [])
    }

    @Test func `a kernel that names no boot is never taken for another`() throws {
        try save(nil, now(.zero, up: .hours(9)))
        #expect(try sight(boot: nil).missed(by: Ledger(), at: now(.hours(20), up: .hours(1))) == [])
        #expect(try sight(boot: nil).read()?.boot == "unnamed")
    }
}
