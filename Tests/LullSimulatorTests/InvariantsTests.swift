import LullModel
import LullScheduler
import Testing

@testable import LullSimulator

/// The second opinion has to be able to object: each check is shown a made-up bad trace.
@Suite struct InvariantsTests {
    private let bench = InvariantsBench()

    @Test func `a sound life of a request and a run is no fault`() {
        #expect(
            bench.faults { play in
                play.record(.submitted, request: 1)
                play.reply(1, .accepted(RequestID(1)))
                play.launch(run: 1, request: 1)
                play.record(.completed, run: 1)
            } == [])
    }

    @Test func `an answer before its record is a fault`() {
        #expect(
            bench.finds("request 1 is acknowledged before it is recorded") {
                $0.reply(1, .accepted(RequestID(1)))
            })
        #expect(
            bench.finds("run 1 is acknowledged before it is recorded") { $0.reply(1, .launched(RunID(1))) })
    }

    @Test func `a launch before its record is a fault`() {
        #expect(bench.finds("run 1 is launched before it is recorded") { $0.carryOut(launchOf: 1) })
    }

    @Test func `a second answer is a fault`() {
        #expect(
            bench.finds("is answered twice") { play in
                play.reply(1, .done("Done."))
                play.reply(1, .done("Done."))
            })
    }

    @Test func `a second end of a request, and an end of one that was never made, are faults`() {
        #expect(
            bench.finds("request 1 ends as cancelled a second time") { play in
                play.record(.submitted, request: 1)
                play.record(.replaced, request: 1, reason: "a newer one")
                play.record(.cancelled, request: 1, reason: "by its plugin")
            })
        #expect(
            bench.finds("request 7 ends as givenUp and was never made") {
                $0.record(.givenUp, request: 7, reason: "it was removed")
            })
    }

    @Test func `an end without a reason is a fault`() {
        #expect(
            bench.finds("request 1 ends as cancelled without a reason") { play in
                play.record(.submitted, request: 1)
                play.record(.cancelled, request: 1)
            })
    }

    @Test func `a request that is submitted twice, and a second one of a task, are faults`() {
        #expect(
            bench.finds("request 1 is submitted twice") { play in
                play.record(.submitted, request: 1)
                play.record(.submitted, request: 1)
            })
        #expect(
            bench.finds("has two pending requests") { play in
                play.record(.submitted, request: 1)
                play.record(.submitted, request: 2)
            })
    }

    @Test func `a second outcome, none, and one of a run that never was are faults`() {
        #expect(
            bench.finds("run 1 ends as completed a second time") { play in
                play.record(.submitted, request: 1)
                play.launch(run: 1, request: 1)
                play.record(.completed, run: 1)
                play.record(.completed, run: 1)
            })
        #expect(
            bench.finds("run 5 ends as completed and was never launched") { $0.record(.completed, run: 5) })
        #expect(
            bench.finds("run 1 ends without an outcome") { play in
                play.record(.submitted, request: 1)
                play.launch(run: 1, request: 1)
                play.record(.failed, run: 1)
            })
    }

    @Test func `a request that the log has lost is a fault`() {
        #expect(
            bench.finds("the log has lost the acknowledged requests [1]") { play in
                play.record(.submitted, request: 1)
                play.reply(1, .accepted(RequestID(1)))
                play.restore()
            })
    }

    @Test func `what was accepted must be what was asked for`() {
        #expect(
            bench.finds("request 1 is not what was asked for") { play in
                play.wish(1, begin: .hours(2))
                play.record(.submitted, request: 1)
                play.reply(1, .accepted(RequestID(1)))
            })
    }

    @Test func `a withdrawn submit that waits is a fault`() {
        #expect(
            bench.finds("waits, and whoever submitted it was told that it failed") { play in
                play.record(.submitted, request: 1)
                play.reply(1, .accepted(RequestID(1)))
                play.withdraw(1)
            })
    }

    @Test func `a worker that is killed without a cause is a fault`() {
        #expect(
            bench.finds("is killed without a cause") {
                $0.kill(runningFor: .seconds(3), expiredFor: .seconds(1))
            })
        #expect(bench.faults { $0.kill(runningFor: .seconds(30), expiredFor: .seconds(5)) } == [])
        #expect(bench.finds("before its plugin had time to start") { $0.kill(startingFor: .seconds(29)) })
    }

    @Test func `one refresh too many that a plugin has pending is a fault`() {
        #expect(
            bench.finds("has 2 refresh requests pending, of 1") { play in
                play.record(.submitted, request: 1, kind: .refresh, origin: .plugin)
                play.record(
                    .submitted, request: 2, task: "com.example.A.other", kind: .refresh, origin: .plugin)
            })
    }

    @Test func `a repeat that failed and is not asked for again is a fault`() {
        let bench = InvariantsBench { $0.repeat = .hours(1) }
        #expect(
            bench.finds("is not asked for again") { play in
                play.launchAsked(1)
                play.end(run: 1, .failed)
            })
    }
}
