import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullSystem

/// A loop with a time limit, so that a test ends even if nothing happens.
private func makeLoop() throws -> EventLoop {
    let loop = try EventLoop()
    loop.onAlarm = { [unowned loop] in
        Issue.record("nothing came")
        loop.stop()
    }
    loop.arm(wall: nil, monotonic: Clock.monotonic + hangLimit)
    return loop
}

/// A pipe that closes itself.
private final class TestPipe {
    var reading: Int32 = -1
    var writing: Int32 = -1

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        if writing >= 0 { close(writing) }
    }

    func say(_ byte: UInt8 = 1) {
        var byte = byte
        _ = write(writing, &byte, 1)
    }

    func hear() -> UInt8 {
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
        return byte
    }
}

struct EventLoopTests {
    @Test func `what the kernel has no more room to watch is watched all the same`() throws {
        let loop = try makeLoop()
        let (first, second) = (try TestPipe(), try TestPipe())
        try loop.watch(first.reading, .readable) { _ in
            _ = first.hear()
            second.say()
        }
        loop.mostInKernel = 0
        var heard: [UInt8] = []
        for round in UInt8(1)...2 {
            try loop.watch(second.reading, .readable) { interest in
                #expect(interest == .readable)
                heard.append(second.hear() + round)
                loop.stop()
            }
            first.say()
            loop.run()
            // There is room again: from the next turn on, it is watched like the others.
            loop.mostInKernel = .max
        }
        #expect(heard == [2, 3])
        loop.mostInKernel = 0
        let third = try TestPipe()
        try loop.watch(third.writing, .writable) { _ in loop.forget(third.writing) }
        try loop.watch(third.reading, .readable) { interest in
            #expect(interest == .hangup)
            loop.stop()
        }
        loop.forget(third.writing)
        close(third.writing)
        third.writing = -1
        loop.run()
    }

    @Test func `a descriptor that can be read calls its handler until it is read`() throws {
        let loop = try makeLoop()
        let pipe = try TestPipe()
        var calls = 0
        try loop.watch(pipe.reading, .readable) { interest in
            calls += 1
            #expect(interest == .readable)
            if calls == 3 {
                _ = pipe.hear()
                loop.stop()
            }
        }
        pipe.say()
        loop.run()
        #expect(calls == 3)
    }

    @Test func `the other side's end is told as a hangup`() throws {
        let loop = try makeLoop()
        let pipe = try TestPipe()
        try loop.watch(pipe.reading, .readable) { interest in
            #expect(interest.contains(.hangup))
            loop.stop()
        }
        close(pipe.writing)
        pipe.writing = -1
        loop.run()
    }

    @Test func `watching again replaces the handler`() throws {
        let loop = try makeLoop()
        let pipe = try TestPipe()
        var heard = ""
        try loop.watch(pipe.reading, .readable) { _ in heard += "old" }
        try loop.watch(pipe.reading, .readable) { _ in
            heard += "new"
            loop.stop()
        }
        pipe.say()
        loop.run()
        #expect(heard == "new")
    }

    @Test func `a descriptor forgotten in a round is not called in it, nor is a later one of its number`()
        throws
    {
        let loop = try makeLoop()
        let first = try TestPipe()
        let second = try TestPipe()
        let quiet = try TestPipe()
        var heard: [String] = []
        // Both are ready in one round. The first one called puts a quiet pipe in place of the other.
        func take(_ own: TestPipe, _ other: TestPipe, _ name: String) throws {
            try loop.watch(own.reading, .readable) { [unowned own, unowned other] _ in
                heard.append(name)
                _ = own.hear()
                loop.forget(other.reading)
                #expect(dup2(quiet.reading, other.reading) == other.reading)
                #expect(throws: Never.self) {
                    try loop.watch(other.reading, .readable) { _ in heard.append("stale") }
                }
            }
        }
        try take(first, second, "first")
        try take(second, first, "second")
        first.say()
        second.say()
        let timer = try LoopTimer(on: loop) { loop.stop() }
        timer.arm(Clock.monotonic + .milliseconds(20))
        loop.run()
        #expect(heard.count == 1)
        #expect(!heard.contains("stale"))
    }

    @Test func `a descriptor that can't be watched is an error with its reason`() throws {
        let loop = try makeLoop()
        let error = #expect(throws: LoopError.self) { try loop.watch(9999, .readable) { _ in } }
        #expect(error?.message == "Can't watch descriptor 9999: Bad file descriptor.")
        loop.forget(9999)
    }

    @Test func `the alarm rings at its time, and not before`() throws {
        let loop = try EventLoop()
        let time = Clock.monotonic + .milliseconds(20)
        loop.onAlarm = { loop.stop() }
        loop.arm(wall: nil, monotonic: time)
        loop.run()
        #expect(Clock.monotonic >= time)
        loop.arm(wall: Clock.wall - .seconds(1), monotonic: nil)
        loop.run()
    }

    @Test func `a channel hands on all that was sent, in order`() throws {
        let loop = try makeLoop()
        var received: [Int] = []
        let channel = try LoopChannel<Int>(on: loop) { messages in
            received += messages
            if received.count == 500 { loop.stop() }
        }
        Thread.detachNewThread {
            for number in 0..<500 { channel.send(number) }
        }
        loop.run()
        #expect(received == Array(0..<500))
    }

    @Test func `a channel that its owner drops still hands on what was sent`() throws {
        let loop = try makeLoop()
        var received: [Int] = []
        var channel: LoopChannel<Int>? = try LoopChannel(on: loop) { messages in
            received += messages
            loop.stop()
        }
        channel?.send(1)
        weak let dropped = channel
        channel = nil
        // The descriptor is still watched, so its number may not be reused.
        #expect(dropped != nil)
        loop.run()
        #expect(received == [1])
    }
}

struct LoopTimerTests {
    @Test func `a timer rings once for each time it is armed`() throws {
        let loop = try makeLoop()
        var rings = 0
        let first = Clock.monotonic + .milliseconds(10)
        var timer: LoopTimer?
        timer = try LoopTimer(on: loop) {
            rings += 1
            #expect(Clock.monotonic >= first)
            if rings == 2 { loop.stop() } else { timer?.arm(Clock.monotonic) }
        }
        timer?.arm(first)
        loop.run()
        #expect(rings == 2)
    }

    @Test func `a timer that is armed anew in the round in which it rings is silent until then`() throws {
        let loop = try makeLoop()
        let late = Clock.monotonic + .milliseconds(30)
        var rings = 0
        var timers: [LoopTimer] = []
        for place in 0..<2 {
            timers.append(
                try LoopTimer(on: loop) {
                    rings += 1
                    guard rings > 1 else { return timers[1 - place].arm(late) }
                    #expect(Clock.monotonic >= late)
                    loop.stop()
                })
        }
        for timer in timers { timer.arm(Clock.monotonic) }
        loop.run()
        #expect(rings == 2)
        timers = []
    }

    @Test func `the loop's alarm rings again at a time for which it has rung`() throws {
        let loop = try EventLoop()
        let time = Clock.monotonic
        var rings = 0
        loop.onAlarm = {
            rings += 1
            if rings == 3 { loop.stop() } else { loop.arm(wall: nil, monotonic: time) }
        }
        loop.arm(wall: nil, monotonic: time)
        loop.run()
        #expect(rings == 3)
    }

    @Test func `a disarmed timer is silent, and a later time replaces an earlier`() throws {
        let loop = try makeLoop()
        let silent = try LoopTimer(on: loop) { Issue.record("it was disarmed") }
        silent.arm(Clock.monotonic)
        silent.arm(nil)
        let late = Clock.monotonic + .milliseconds(30)
        let timer = try LoopTimer(on: loop) { loop.stop() }
        timer.arm(Clock.monotonic + .milliseconds(1))
        timer.arm(late)
        loop.run()
        #expect(Clock.monotonic >= late)
    }
}
