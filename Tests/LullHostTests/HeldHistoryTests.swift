import Foundation
import Glibc
import LullControl
import LullHistory
import LullModel
import LullSystem
import Testing

@testable import LullHost

/// The history is locked: no read or write of it blocks the loop.
struct HeldHistoryTests {
    /// A lock that conflicts even with this process's own locks, because it belongs to the open file.
    private final class Lock {
        /// F_OFD_SETLK, which Glibc's overlay leaves out.
        private static let setLock: Int32 = 37
        private let file: Int32

        init(_ folder: String) throws {
            file = open(folder + "/history.sqlite-shm", O_RDWR | O_CLOEXEC)
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            (lock.l_start, lock.l_len) = (120, 8)
            try #require(file >= 0 && fcntl(file, Self.setLock, &lock) == 0)
        }

        /// The file stays open: closing it would release SQLite's locks.
        func release() {
            var lock = flock()
            lock.l_type = Int16(F_UNLCK)
            lock.l_whence = Int16(SEEK_SET)
            _ = fcntl(file, Self.setLock, &lock)
        }
    }

    private func use(_ second: Int64) throws -> HistoryEvent {
        HistoryEvent(
            .used, at: WallTime(seconds: 1_750_000_000 + second),
            app: try #require(AppIdentifier("com.example.App")))
    }

    @Test func `an import waits for the history beside the loop, and the next one behind it`() throws {
        let desk = try HostDesk()
        let host = desk.host
        host.hasBegun = true
        let lock = try Lock(desk.folder)
        var answers = 0
        for events in [[try use(1), try use(2)], [try use(2), try use(3)]] {
            RunningHandler(host: host).answer(Ask.ImportEvents(events)) { _ in
                answers += 1
                if answers == 2 { host.loop.stop() }
            }
        }
        var hasStatus = false
        host.hear { $0.answer(Ask.Status()) { _ in hasStatus = true } }
        #expect(hasStatus && answers == 0)
        lock.release()
        #expect(try desk.turns())
        // An event in both imports is recorded once.
        #expect(try host.history.events() == [use(1), use(2), use(3)])
    }

    @Test func `a read goes on for as long as the lock is held, and not for ever`() throws {
        let busy = HistoryError.busy(path: "/x/history.sqlite", holder: nil)
        var tries = 0
        func read(busyTimes: Int, until limit: MonotonicTime) throws(HistoryError) -> Int {
            tries = 0
            return try HistoryReads.withTimeout(until: limit) { () throws(HistoryError) in
                tries += 1
                if tries <= busyTimes { throw busy }
                return tries
            }
        }
        #expect(try read(busyTimes: 2, until: Clock.monotonic + .minutes(10)) == 3)
        #expect(throws: busy) { try read(busyTimes: 2, until: Clock.monotonic) }
        #expect(tries == 1)
        // Other errors than a lock are not worth waiting for.
        #expect(throws: HistoryError.full(path: "/x")) {
            try HistoryReads.withTimeout(until: Clock.monotonic + .minutes(10)) { () throws(HistoryError) in
                throw HistoryError.full(path: "/x")
            }
        }
    }

    @Test func `an import that comes within the answer to another is made once`() throws {
        let desk = try HostDesk()
        let host = desk.host
        host.hasBegun = true
        var counts: [Int?] = []
        func take(_ answer: Result<ImportedEvents, ControlRefusal>) { counts.append(try? answer.get().added) }
        let (first, second) = try ([use(1)], [use(1), use(2)])
        RunningHandler(host: host).answer(Ask.ImportEvents(first)) { answer in
            take(answer)
            RunningHandler(host: host).answer(Ask.ImportEvents(second)) { answer in
                take(answer)
                // This runs after all reads that began meanwhile.
                host.reads.run(within: .minutes(1)) { _ in
                } then: { _ in
                    host.commits.add(nil) { host.loop.stop() }
                }
            }
        }
        #expect(try desk.turns())
        #expect(counts == [1, 1])
        #expect(try host.history.events() == [use(1), use(2)])
    }

    @Test func `who is told of a change may ask again at once`() throws {
        let host = try HostDesk().host
        var told: [UInt64] = []
        RunningHandler(host: host).answer(Ask.Changes(since: 0)) { answer in
            RunningHandler(host: host).answer(Ask.Changes(since: 0)) { told += (try? [$0.get()]) ?? [] }
            told += (try? [answer.get()]) ?? []
        }
        #expect(told == [1, 1])
    }

    @Test func `each who waits for a run that is over hears so`() throws {
        let desk = try HostDesk()
        let host = desk.host
        host.hasBegun = true
        // Both get their answer once the earlier record is durable.
        try desk.record()
        var refusals: [String] = []
        for _ in 0..<2 {
            RunningHandler(host: host).answer(Ask.Await(RunID(7))) { answer in
                if case .failure(let refusal) = answer { refusals.append(refusal.sentence) }
                if refusals.count == 2 { host.loop.stop() }
            }
        }
        #expect(try desk.turns())
        #expect(refusals.allSatisfy { $0.hasPrefix("Run 7 is not under way.") }, "\(refusals)")
    }

    @Test func `while the history is closed the loop answers, and who hurries is not kept`() throws {
        let desk = try HostDesk()
        let host = desk.host
        host.hasBegun = true
        let lock = try Lock(desk.folder)
        defer { lock.release() }
        try desk.record()
        var hasStatus = false
        let timer = try LoopTimer(on: host.loop) {
            host.hear { $0.answer(Ask.Status()) { _ in hasStatus = true } }
            host.isShuttingDown = true
            host.received(SIGTERM)
        }
        timer.arm(Clock.monotonic)
        host.closeHistory()
        #expect(hasStatus && !host.isClosed)
    }

    @Test func `what was handed over is written when the history is closed`() throws {
        let desk = try HostDesk()
        try desk.record()
        desk.host.closeHistory()
        #expect(desk.host.isClosed)
        let history = try SQLiteHistory.open(folder: desk.folder, mode: .readOnly)
        #expect(try history.events().count == 1)
    }
}

/// The messages about a history that accepts no record.
struct StoreTroubleTests {
    @Test func `each cause has its sentence and its remedy`() throws {
        let app = try #require(AppIdentifier("com.example.App"))
        let holder = LockHolder(pid: 4711, program: "sqlite3")
        var trouble = StoreTrouble(span: .seconds(12), holder: holder)
        #expect(
            trouble.sentence
                == "The history has recorded nothing for 12 s: process 4711 (sqlite3) holds its lock. Until it records again, "
                + "nothing is launched or acknowledged; current runs keep their limits. End it: `kill 4711`.")
        trouble.app = app
        #expect(trouble.sentence.contains("(sqlite3), which com.example.App has started, holds its lock."))
        #expect(trouble.sentence.hasSuffix("Hide the state folder from it with `limits`."))
        let full = StoreTrouble(span: .seconds(3), error: .full(path: "/x/history.sqlite"))
        #expect(full.sentence.contains(" for 3 s: the history can't be written: the disk is full. Until"))
        #expect(full.sentence.contains("Free some space"))
        #expect(StoreTrouble(span: .seconds(3)).sentence.contains("the disk does not answer"))
        #expect(LockHolder().words == "a process that can't be seen from here")
    }
}
