import LullModel
import Testing

@testable import LullScheduler

/// The condition spans that are recorded, and when.
@Suite struct ConditionRecorderTests {
    private static let power = ConditionSet(conditions: [.externalPower])
    private static let idle = ConditionSet(conditions: [.idle])
    private static let load = ConditionSet(conditions: [.load(below: 0.5)])

    private static func now(_ time: WallTime) -> Now {
        let passed = (time - .at(0, 0)).nanoseconds
        return Now(wall: time, monotonic: MonotonicTime(nanoseconds: 1_000_000_000 + passed))
    }

    private static func powered(_ isPowered: Bool) -> Conditions {
        Conditions(externalPower: .known(isPowered))
    }

    private static func recorder(_ sets: [ConditionSet]) -> ConditionRecorder {
        var recorder = ConditionRecorder()
        _ = recorder.watch(sets)
        return recorder
    }

    @Test func `a span without a change is written after six hours, when the host is awake anyway`() {
        var recorder = Self.recorder([Self.power])
        #expect(recorder.observe(Self.powered(true), sampling: [], at: Self.now(.at(0, 0))) == [])
        #expect(recorder.observe(Self.powered(true), sampling: [], at: Self.now(.at(0, 5))) == [])
        let spans = recorder.observe(Self.powered(true), sampling: [], at: Self.now(.at(0, 9)))
        #expect(
            spans == [.init(from: .at(0, 0), to: .at(0, 9), shares: ["external_power": 1], closed: [])])
    }

    @Test func `a change ends a span of an hour or more`() {
        var recorder = Self.recorder([Self.power])
        _ = recorder.observe(Self.powered(true), sampling: [], at: Self.now(.at(0, 0)))
        let spans = recorder.observe(Self.powered(false), sampling: [], at: Self.now(.at(0, 2)))
        #expect(
            spans == [
                .init(
                    from: .at(0, 0), to: .at(0, 2), shares: ["external_power": 1], closed: ["external_power"])
            ])
    }

    @Test func `changes within an hour are written once, as of its end`() {
        var recorder = Self.recorder([Self.power])
        _ = recorder.observe(Self.powered(true), sampling: [], at: Self.now(.at(0, 0)))
        #expect(recorder.observe(Self.powered(false), sampling: [], at: Self.now(.at(0, 0, 15))) == [])
        #expect(recorder.observe(Self.powered(true), sampling: [], at: Self.now(.at(0, 0, 30))) == [])
        #expect(recorder.observe(Self.powered(false), sampling: [], at: Self.now(.at(0, 0, 45))) == [])
        // The observation comes late, and yet the changes belong to the first hour alone.
        let spans = recorder.observe(Self.powered(true), sampling: [], at: Self.now(.at(0, 7)))
        #expect(
            spans == [
                .init(
                    from: .at(0, 0), to: .at(0, 1), shares: ["external_power": 0.5],
                    closed: ["external_power"]),
                .init(from: .at(0, 1), to: .at(0, 7), shares: ["external_power": 0], closed: []),
            ])
    }

    @Test func `a host that flickers for a day writes 24 events`() {
        var recorder = Self.recorder([Self.power])
        var count = 0
        for minute in 0...1440 {
            count +=
                recorder.observe(
                    Self.powered(minute % 2 == 0), sampling: [], at: Self.now(.at(0, 0) + .minutes(minute))
                ).count
        }
        #expect(count == 24)
    }

    @Test func `the time in which the host slept is left out`() {
        var recorder = Self.recorder([Self.power])
        _ = recorder.observe(Self.powered(true), sampling: [], at: Self.now(.at(0, 0)))
        _ = recorder.observe(Self.powered(false), sampling: [], at: Self.now(.at(0, 0, 30)))
        var woken = Self.now(.at(0, 1))
        woken.wall = .at(0, 9)
        let spans = recorder.observe(Self.powered(true), sampling: [], at: woken)
        #expect(
            spans == [
                .init(
                    from: .at(0, 0), to: .at(0, 0, 30), shares: ["external_power": 1],
                    closed: ["external_power"])
            ])
    }

    @Test func `a condition that is sampled is known for as long as it is sampled`() {
        var recorder = Self.recorder([Self.load, Self.power])
        let busy = Conditions(load: 0.9)
        #expect(recorder.observe(busy, sampling: [], at: Self.now(.at(0, 0))) == [])
        // Sampling begins, …
        let before = recorder.observe(busy, sampling: [.load], at: Self.now(.at(0, 0, 30)))
        #expect(before.map(\.shares) == [["external_power": 1]])
        // … and ends once the load is low enough.
        let span = recorder.observe(Conditions(load: 0.1), sampling: [], at: Self.now(.at(0, 0, 50)))
        #expect(
            span == [
                .init(
                    from: .at(0, 0, 30), to: .at(0, 0, 50),
                    shares: ["external_power": 1, "load_below=0.5": 0],
                    closed: [])
            ])
    }

    @Test func `a host grows idle five minutes after it was touched, without an event`() {
        var recorder = Self.recorder([Self.idle])
        let left = Conditions(presence: .known(.idle(since: .at(0, 1))))
        _ = recorder.observe(
            Conditions(presence: .known(.active)), sampling: [.presence], at: Self.now(.at(0, 0)))
        #expect(recorder.observe(left, sampling: [.presence], at: Self.now(.at(0, 1))) == [])
        let spans = recorder.observe(left, sampling: [.presence], at: Self.now(.at(0, 3)))
        #expect(
            spans == [.init(from: .at(0, 0), to: .at(0, 1, 5), shares: ["idle": 0], closed: [])])
    }

    @Test func `somebody who comes back ends idleness, though nobody looks from then on`() {
        var recorder = Self.recorder([Self.idle])
        let left = Conditions(presence: .known(.idle(since: .at(0, 0))))
        _ = recorder.observe(left, sampling: [], at: Self.now(.at(0, 1)))
        let spans = recorder.observe(
            Conditions(presence: .known(.active)), sampling: [], at: Self.now(.at(0, 1, 20)))
        #expect(
            spans == [.init(from: .at(0, 1), to: .at(0, 1, 20), shares: ["idle": 1], closed: ["idle"])])
    }

    @Test func `a host that ends writes what it has seen`() {
        var recorder = Self.recorder([Self.power])
        _ = recorder.observe(Self.powered(false), sampling: [], at: Self.now(.at(0, 0)))
        #expect(
            recorder.end(at: Self.now(.at(0, 0, 20))) == [
                .init(
                    from: .at(0, 0), to: .at(0, 0, 20), shares: ["external_power": 0],
                    closed: ["external_power"])
            ])
        #expect(recorder.end(at: Self.now(.at(0, 0, 30))) == [])
    }

    @Test func `nothing is watched that no task requires`() {
        var recorder = Self.recorder([])
        for hour in 0..<48 {
            #expect(
                recorder.observe(Self.powered(hour % 2 == 0), sampling: [], at: Self.now(.at(0, hour))) == [])
        }
    }
}
