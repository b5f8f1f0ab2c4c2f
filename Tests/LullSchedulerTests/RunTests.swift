import LullModel
import Testing

@testable import LullScheduler

struct RunTests {
    private func run(_ phase: Run.Phase = .running) -> Run {
        Run(
            id: RunID(1), task: Sample.refresh, worker: WorkerID(app: Sample.feed, number: 1), kind: .refresh,
            requires: .none,
            launched: .init(nanoseconds: 0), timeLimit: .seconds(30), warning: .seconds(5),
            grace: .seconds(5),
            returnBy: nil, phase: phase)
    }
    private static let later = MonotonicTime(nanoseconds: 0) + .seconds(25)
    private static let dead = MonotonicTime(nanoseconds: 0) + .seconds(30)

    @Test func `every signal has an answer in every phase`() {
        let expiring = Run.Phase.expiring(killAt: Self.dead)
        let table: [(Run.Phase, Run.Signal, MonotonicTime, Run.Step)] = [
            (.running, .returned, Self.later, .none),
            (.running, .completed(success: true, summary: "ok"), Self.later, .end(.succeeded, reason: "ok")),
            (.running, .completed(success: false, summary: nil), Self.later, .end(.failed, reason: nil)),
            (
                .running, .expire(reason: "r", gates: ["idle"]), Self.later,
                .warn(reason: "r", gates: ["idle"])
            ),
            (.running, .alarm, Self.later, .warn(reason: "its time limit of 30 s is near", gates: [])),
            (.running, .alarm, .init(nanoseconds: 1), .none),
            (.running, .cutOff(.crashed, sentence: "s"), Self.later, .end(.crashed, reason: "s")),
            (expiring, .returned, Self.later, .none),
            (expiring, .completed(success: true, summary: "ok"), Self.later, .end(.succeeded, reason: "ok")),
            (expiring, .completed(success: false, summary: nil), Self.later, .end(.expired, reason: nil)),
            (expiring, .expire(reason: "r", gates: []), Self.later, .none),
            (expiring, .alarm, Self.later, .none),
            (expiring, .alarm, Self.dead, .kill(reason: "it did not complete within 5 s of its expiration")),
            (expiring, .cutOff(.killed, sentence: "s"), Self.later, .end(.killed, reason: "s")),
        ]
        for (phase, signal, time, step) in table {
            var run = run(phase)
            #expect(run.take(signal, at: time) == step, "\(phase) \(signal)")
        }
    }

    @Test func `a limit shorter than its warning is shared by halves`() {
        var short = Run(
            id: RunID(1), task: Sample.refresh, worker: WorkerID(app: Sample.feed, number: 1), kind: .refresh,
            requires: .none,
            launched: .init(nanoseconds: 0), timeLimit: .seconds(4), warning: .seconds(5), grace: .seconds(5))
        #expect(short.alarm == .init(nanoseconds: 2_000_000_000))
        #expect(
            short.take(.alarm, at: .init(nanoseconds: 2_000_000_000))
                == .warn(reason: "its time limit of 4 s is near", gates: []))
    }

    /// A host whose one task runs; the clock stands where it was launched.
    private func host(_ change: (inout TaskDefinition) -> Void = { _ in }) -> TestHost {
        var host = TestHost(Sample.simple(change))
        if host.running.isEmpty { _ = host.submit(Sample.cleaning, from: Sample.feed) }
        for run in host.running { host.handle(.launchReturned(run)) }
        _ = host.take()
        host.records = []
        return host
    }

    private func step(_ host: inout TestHost, _ span: Duration) {
        host.advance(span)
        host.handle(.wake)
    }

    @Test func `a run is warned before its limit and killed after its grace`() {
        var host = host { $0.timeLimit = .seconds(60) }
        step(&host, .seconds(55) - .milliseconds(1))
        #expect(host.records.isEmpty)
        step(&host, .milliseconds(1))
        #expect(host.records.map(\.event) == [.expired])
        #expect(
            host.effects.contains(
                .expire(RunID(1), host.last(Sample.feed), reason: "its time limit of 1 min is near")))
        step(&host, .seconds(5))
        let end = host.records.last { $0.run == RunID(1) }
        #expect(end?.event == .failed && end?.outcome == .killed && end?.milliseconds == 60_000)
        #expect(
            end?.reason == "it did not complete within 5 s of its expiration, at its time limit of 1 min")
        #expect(
            host.effects.contains(
                .killWorker(
                    host.last(Sample.feed),
                    reason: "it did not complete within 5 s of its expiration, at its time limit of 1 min")))
        #expect(host.worker(Sample.feed) == WorkerState.none)
    }

    @Test func `a run that is killed before its limit, for its grace is short, is said to be`() {
        var host = host { task in
            task.timeLimit = .seconds(60)
            task.grace = .seconds(1)
        }
        step(&host, .seconds(55))
        step(&host, .seconds(1))
        let end = host.records.last { $0.run == RunID(1) }
        #expect(
            end?.reason
                == "it did not complete within 1 s of its expiration, shortly before its time limit of 1 min")
    }

    @Test func `a run that fails within the grace has expired`() {
        var host = host { $0.timeLimit = .seconds(60) }
        step(&host, .seconds(55))
        host.handle(.completed(RunID(1), success: false, summary: "half of it"))
        #expect(host.records.last?.event == .failed && host.records.last?.outcome == .expired)
        #expect(
            host.records.last?.reason == "it was told to end 5 s before its time limit of 1 min: half of it")
        #expect(host.record(Sample.cleaning)?.failures == 1)
    }

    @Test func `a launch that does not return kills the worker and names the culprit to the others`() {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
                Sample.definition(Sample.indexing, .processing) { $0.requires.idle = false },
            ]))
        _ = host.submit(Sample.cleaning)
        _ = host.submit(Sample.indexing)
        host.handle(.launchReturned(RunID(2)))
        step(&host, .seconds(5))
        let ends = host.records.filter { $0.event == .failed }
        #expect(ends.map(\.outcome) == [.killed, .killed])
        #expect(ends.first?.reason == "it did not return from launch within 5 s")
        #expect(
            ends.last?.reason
                == "its worker was killed, because run 1 of com.example.Feed.cleaning had to be: it did not return from launch within 5 s"
        )
    }

    @Test func `conditions that a run requires expire it when they end, and it is not to blame`() {
        var host = host {
            $0.requires.externalPower = true; $0.repeat = .days(7)
        }
        #expect(host.running == [RunID(1)])
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        #expect(
            host.records.map(\.event) == [.expired] && host.records.first?.reason == "external power is gone")
        #expect(host.records.first?.gates == ["external_power"])
        host.handle(.completed(RunID(1), success: false, summary: nil))
        #expect(host.record(Sample.cleaning)?.failures == 0)
        // Deferred, not skipped: `repeat` does not wait a week.
        #expect(host.closed(Sample.cleaning) == [.externalPower])
        host.handle(.conditionsChanged(.quiet))
        #expect(host.running == [RunID(2)])
    }

    @Test func `a run that goes on is neither expired by its conditions nor sensed for`() {
        var host = host {
            $0.requires.externalPower = true
            $0.whileRunning = .goOn
        }
        var conditions = Conditions.quiet
        conditions.externalPower = .known(false)
        host.handle(.conditionsChanged(conditions))
        #expect(host.running.count == 1 && !host.names().contains(.expired))
        host.complete()
        step(&host, .minutes(2))
        // The next run waits for its conditions.
        _ = host.submit(Sample.cleaning)
        #expect(host.running.isEmpty && host.closed(Sample.cleaning).contains(.externalPower))
    }

    @Test func `a run without a warning has its whole time`() throws {
        var host = host {
            $0.timeLimit = .seconds(15)
            $0.warning = .zero
        }
        #expect(host.armed.monotonic == host.now.monotonic + .seconds(15))
        step(&host, .seconds(15))
        let expired = try #require(host.records.last { $0.event == .expired })
        #expect(expired.time == TestHost.monday + .seconds(15))
        #expect(expired.reason == "its time limit of 15 s is over")
        host.complete(success: false)
        #expect(
            host.records.last { $0.event == .failed }?.reason
                == "it was told to end at its time limit of 15 s")
    }

    @Test func `what a plugin submitted is the plugin's to submit again, also when its conditions ended`() {
        var host = host { $0.requires.externalPower = true }
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        host.handle(.completed(RunID(1), success: false, summary: nil))
        #expect(host.running.isEmpty && host.state.pending(of: nil).isEmpty)
    }

    @Test func `a person who comes back expires what requires idleness, and load expires nothing`() {
        var idle = host {
            $0.requires.idle = true; $0.requires.loadBelow = 0.5
        }
        #expect(idle.sampled == [.presence])
        idle.handle(.conditionsChanged(Conditions(presence: .unknown("no seat"), load: 3)))
        #expect(idle.records.isEmpty)
        idle.handle(.conditionsChanged(Conditions(presence: .known(.active))))
        #expect(idle.records.map(\.reason) == ["somebody is using the host"])
    }

    @Test func `a crash costs the runs of its app and names the signal`() {
        var host = host()
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 11 (SIGSEGV)"))
        #expect(host.records.first?.outcome == .crashed)
        #expect(host.records.first?.reason == "its worker ended while it ran: ended by signal 11 (SIGSEGV)")
        #expect(host.gate(.backoff, of: Sample.cleaning)?.until == host.now.wall + .seconds(30))
    }

    @Test func `completing twice is recorded as a violation, and of a stranger's run nothing`() {
        var host = host()
        host.handle(.completed(RunID(1), success: true, summary: nil))
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.records.map(\.event) == [.completed, .violation])
        #expect(
            host.records.last?.reason == "run 1 of com.example.Feed.cleaning was completed after it had ended"
        )
        host.handle(.completed(RunID(99), success: true, summary: nil))
        #expect(host.records.count == 2)
    }

    @Test func `a fatal violation kills, another is only recorded`() {
        var host = host()
        host.handle(
            .violation(host.last(Sample.feed), nil, sentence: "it sent a frame of kind 9", isFatal: false))
        #expect(host.running == [RunID(1)] && host.records.map(\.event) == [.violation])
        host.handle(
            .violation(host.last(Sample.feed), RunID(1), sentence: "it sent half a frame", isFatal: true))
        #expect(host.records.map(\.event) == [.violation, .violation, .failed])
        #expect(host.records.last?.outcome == .killed && host.records.last?.reason == "it sent half a frame")
    }

    @Test func `an operator stops a run`() {
        var host = host()
        let token = host.token()
        let effects = host.handle(.expireRequested(Sample.cleaning, reply: token))
        #expect(
            host.reply(to: token, in: effects)
                == .done(
                    "Told run 1 of com.example.Feed.cleaning to end; Lull kills what has not ended after 5 s, and does "
                        + "not retry it."))
        #expect(host.records.map(\.event) == [.expired])
        host.handle(.completed(RunID(1), success: false, summary: nil))
        let again = host.token()
        #expect(
            host.reply(to: again, in: host.handle(.expireRequested(Sample.cleaning, reply: again)))
                == .refused(
                    Refusal(
                        .unavailable,
                        "com.example.Feed.cleaning is not running. Start it with `lull launch com.example.Feed.cleaning`."
                    )))
    }

    @Test func `a failed repeat is tried again after its backoff, and success resets it`() {
        var host = host { $0.repeat = .days(7) }
        var waits: [Duration] = []
        for _ in 0..<4 {
            host.handle(.completed(host.running[0], success: false, summary: "no route"))
            let failed = host.now.wall
            host.pass(.hours(6), completing: false) { !$0.running.isEmpty }
            waits.append(host.now.wall - failed)
            for run in host.running { host.handle(.launchReturned(run)) }
        }
        #expect(waits == [.seconds(30), .seconds(60), .seconds(120), .seconds(240)])
        #expect(host.names().contains(.merged))
        host.complete()
        #expect(host.record(Sample.cleaning)?.failures == 0)
        #expect(host.closed(Sample.cleaning) == [.earliestBegin])
    }

    @Test func `a failed request of a plugin is the plugin's to submit again`() {
        var host = host()
        host.handle(.completed(RunID(1), success: false, summary: nil))
        #expect(host.state.pending(of: nil).isEmpty)
    }

    @Test(arguments: [(1, 30), (2, 60), (5, 480), (10, 15_360), (11, 18_000), (1000, 18_000)])
    func `backoff doubles up to its limit`(failures: Int, seconds: Int) {
        #expect(Backoff(retry: .init()).delay(after: failures) == .seconds(seconds))
    }
}
