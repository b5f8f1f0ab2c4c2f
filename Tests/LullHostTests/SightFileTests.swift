import Foundation
import LullConditions
import LullModel
import LullScheduler
import Testing

@testable import LullHost

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

    /// So long after the start, so long after the boot.
    private func now(_ after: Duration, up: Duration, asleep: Duration = .zero) -> Now {
        Now(
            wall: Self.start + after, monotonic: MonotonicTime(nanoseconds: (up - asleep).nanoseconds),
            asleep: asleep)
    }

    @Test func `a machine that was off meanwhile is seen to have been`() throws {
        try sight(boot: "a").save(now(.zero, up: .hours(9), asleep: .hours(2)))
        let later = now(.hours(20), up: .hours(1))
        #expect(
            try sight(boot: "b").missed(by: Ledger(), at: later) == [
                Absence(.off, until: Self.start + .hours(19), for: .hours(19))
            ])
        #expect(try sight(boot: "a").missed(by: Ledger(), at: later) == [])
    }

    @Test func `and one that slept`() throws {
        try sight(boot: "a").save(now(.zero, up: .hours(9), asleep: .hours(2)))
        #expect(
            try sight(boot: "a").missed(by: Ledger(), at: now(.hours(20), up: .hours(29), asleep: .hours(12)))
                == [Absence(.asleep, until: Self.start + .hours(20), for: .hours(10))])
    }

    @Test(arguments: [
        "", "a", "a 2026-11-21T08:00:00.000Z", "a noon 5", "a 2026-11-21T08:00:00.000Z -5", "\0",
    ])
    func `a file that says something else is none`(text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/seen"))
        let sight = try sight(boot: "b")
        #expect(sight.read() == nil)
        #expect(sight.missed(by: Ledger(), at: now(.days(90), up: .hours(1))) == [])
    }

    @Test func `a kernel that names no boot is never taken for another`() throws {
        try sight(boot: nil).save(now(.zero, up: .hours(9)))
        #expect(try sight(boot: nil).missed(by: Ledger(), at: now(.hours(20), up: .hours(1))) == [])
        #expect(try sight(boot: nil).read()?.boot == "unnamed")
    }
}
