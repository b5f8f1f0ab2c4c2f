import Foundation
import LullModel
import LullSystem
import Testing

@testable import LullUsage

/// Logs longer than one piece: the follower reads them in pieces, between which the loop serves others.
struct CatchUpTests {
    private static let piece = 4 << 10

    /// A block as long as a piece, with one use in it.
    private func block(_ hoursAgo: Int) -> String {
        let use = FollowedFolder.line(hoursAgo)
        // The follower recognises a position by the bytes before it, as in a log with times.
        let filler = String(repeating: "\(hoursAgo)".last ?? "x", count: 60) + String(100 + hoursAgo) + "\n"
        let rest = String(repeating: filler, count: (Self.piece - use.utf8.count) / 64)
        return use + rest + String(repeating: "\n", count: Self.piece - use.utf8.count - rest.utf8.count)
    }

    private func folder() throws -> FollowedFolder {
        let folder = try FollowedFolder()
        folder.piece = Self.piece
        return folder
    }

    @Test func `between any two pieces of a long log the loop serves others`() throws {
        let folder = try folder()
        for hour in (1...20).reversed() { folder.write(block(hour * 2)) }
        // This pipe is always readable, like the control socket while a client asks.
        var other: [Int32] = [-1, -1]
        try #require(pipe(&other) == 0)
        defer { for end in other { close(end) } }
        try #require(write(other[1], "?", 1) == 1)
        var log: [String] = []
        try folder.loop.watch(other[0], .readable) { _ in
            if log.last != "served" { log.append("served") }
        }
        folder.onUse = { log.append("piece") }
        folder.onCaughtUp = { log.append("caught up") }
        try folder.follow([folder.log(match: "GET /feed")])
        #expect(log == ["piece"])
        folder.wait { log.contains("caught up") }
        folder.loop.forget(other[0])
        #expect(folder.hours == (1...20).reversed().map { $0 * 2 })
        #expect(log.count { $0 == "piece" } == 20)
        for (one, next) in zip(log, log.dropFirst()) where one == "piece" {
            #expect(next == "served" || next == "caught up")
        }
        #expect(log.last == "caught up" || log.suffix(2) == ["caught up", "served"])
    }

    @Test func `who floods a log takes no more than a quarter of the loop's time`() throws {
        func processorTime() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let folder = try folder()
        folder.piece = 64 << 10
        folder.write(FollowedFolder.line(100))
        try folder.follow([folder.log(match: "GET /feed")])
        #expect(folder.hours == [100])
        folder.write(String(repeating: FollowedFolder.line(50, "GET /other"), count: 20 << 10))
        folder.write(FollowedFolder.line(2))
        let (begin, used) = (Clock.monotonic, processorTime())
        folder.wait(forUses: 2)
        // A busy machine lowers the processor time.
        #expect((processorTime() - used) * 3 < Clock.monotonic - begin)
    }

    @Test func `a short log is caught up with at once`() throws {
        let folder = try folder()
        folder.write(FollowedFolder.line(9))
        var isCaughtUp = false
        folder.onCaughtUp = { isCaughtUp = true }
        try folder.follow([folder.log()])
        #expect(isCaughtUp)
        #expect(folder.hours == [9])
    }

    @Test func `several logs share a piece, and none waits for the end of another`() throws {
        let folder = try folder()
        for hour in (1...8).reversed() {
            folder.write(block(hour * 4))
            folder.write(block(hour * 4 - 2), to: "log2")
        }
        try folder.follow(["log", "log2"].map { folder.log($0, match: "GET /feed") })
        #expect(folder.uses.count == 1)
        folder.wait(forUses: 6)
        #expect(folder.hours.count { $0 % 4 == 0 } == 3)
        folder.wait(forUses: 16)
        #expect(folder.hours.sorted() == (1...16).map { $0 * 2 })
    }

    @Test func `what was rotated away is read in pieces too, and each line once, also after a crash`() throws
    {
        let folder = try folder()
        folder.write(FollowedFolder.line(100))
        try folder.follow([folder.log(match: "GET /feed")])
        for hour in (30...32).reversed() { folder.write(block(hour * 2)) }
        // The last line has no newline.
        folder.write(String(FollowedFolder.line(56).dropLast()))
        folder.move("log", to: "log.2")
        for hour in (20...22).reversed() { folder.write(block(hour * 2), to: "log.1") }
        for hour in (10...12).reversed() { folder.write(block(hour * 2)) }
        let all = [100, 64, 62, 60, 56, 44, 42, 40, 24, 22, 20]
        try folder.follow([folder.log(match: "GET /feed")])
        #expect(folder.hours == [100, 64])
        for count in [3, 5, 7, 9] {
            folder.wait(forUses: count)
            #expect(folder.uses.count < all.count)
            try folder.follow([folder.log(match: "GET /feed")])
        }
        folder.wait(forUses: all.count)
        #expect(folder.hours == all)
        #expect(folder.faults == [])
    }

    @Test func `a log that is rotated while it is caught up with is read to its end first`() throws {
        let folder = try folder()
        for hour in (5...9).reversed() { folder.write(block(hour * 2)) }
        try folder.follow([folder.log(match: "GET /feed")])
        #expect(folder.hours == [18])
        folder.move("log", to: "log.1")
        folder.write(FollowedFolder.line(2))
        folder.wait(forUses: 6)
        #expect(folder.hours == [18, 16, 14, 12, 10, 2])
        #expect(folder.faults == [])
    }
}
