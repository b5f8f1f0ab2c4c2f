import LullModel
import Testing

@testable import LullScheduler

/// The lease ends that supervisors receive, and the outcome of runs that supervisors have ended.
extension FleetTests {
    private func ends(_ effects: [Effect]) -> [Duration?] {
        effects.compactMap { if case .keepWorker(_, let end) = $0 { .some(end) } else { nil } }
    }

    private func sinceBoot(_ host: TestHost) -> Duration { host.now.boot }

    @Test func `the supervisor knows the end of a lease before its run begins, and each renewal puts it off`()
        throws
    {
        var host = try host()
        go(to: Self.nominal, &host)
        let asked = sinceBoot(host)
        let effects = try grant(takeClaims(&host).first, &host)
        let launch = try #require(effects.firstIndex { if case .launch = $0 { true } else { false } })
        let told = try #require(effects.firstIndex { if case .keepWorker = $0 { true } else { false } })
        #expect(told < launch)
        let first = try #require(ends(effects).first ?? nil)
        // Another host may begin 90 s after the claim, by the slowest of clocks.
        #expect(first > asked + FleetTimes.lease && first <= asked + .seconds(80))
        host.effects = []
        nextBeat(&host)
        let renewed = try #require(ends(host.effects).last ?? nil)
        #expect(renewed > first && renewed - sinceBoot(host) == first - asked)
        let run = try #require(host.running.first)
        #expect(ends(host.handle(.completed(run, success: true, summary: nil))).last == .some(nil))
    }

    @Test func `a run that its supervisor ended while the host hung is told as such, and not as killed`()
        throws
    {
        for hearsFirst in [true, false] {
            var host = try host()
            go(to: Self.nominal, &host)
            _ = try grant(takeClaims(&host).first, &host)
            let run = try #require(host.running.first)
            let worker = try #require(host.started.last)
            host.advance(.minutes(4))
            // The host sees either the time or the supervisor's kill first.
            if !hearsFirst {
                host.handle(.wake)
                #expect(host.running == [run])
            }
            host.handle(.workerOverdue(worker))
            host.handle(.workerExited(worker, sentence: "ended by signal 9 (SIGKILL)"))
            #expect(host.running.isEmpty)
            #expect(!host.records.contains { $0.event == .expired })
            let end = try #require(host.records.last { $0.run == run && $0.event == .failed })
            #expect(end.outcome == .interrupted)
            #expect(
                end.reason
                    == "the host hung, and the supervisor ended it at 01:01, before another host could start its slot"
            )
            // Another host may claim the slot.
            #expect(host.state.ledger.slots.ended.first?.end?.state == .open)
        }
    }

    @Test(arguments: [true, false])
    func `a run whose worker was killed from outside is any host's to do again, and one that crashed is not`(
        isLost: Bool
    ) throws {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        let run = try #require(host.running.first)
        let sentence = isLost ? "ended by signal 9 (SIGKILL)" : "ended by signal 11 (SIGSEGV)"
        host.handle(.workerExited(try #require(host.started.last), sentence: sentence, isLost: isLost))
        let end = try #require(host.records.last { $0.run == run && $0.event == .failed })
        #expect(end.outcome == (isLost ? .interrupted : .crashed))
        #expect(end.reason == "its worker ended while it ran: \(sentence)")
        // The run began, and counts as one of the slot's three attempts.
        #expect(
            host.state.ledger.slots.ended.map(\.end)
                == [.init(state: isLost ? .open : .failed, reason: end.reason, counts: true)])
        for (number, call) in calls(host.effects) {
            if case .finish = call { answer(number, .finish(.init(now: 0, accepted: true)), &host) }
        }
        go(to: host.now.wall + .minutes(1), &host)
        // This host may claim it again, for it may be the only one.
        let slot = SlotName(Self.task, at: Self.nominal)
        #expect(takeClaims(&host).map(\.claim.slot) == (isLost ? [slot] : []))
    }

    @Test func `a supervisor that hangs, too, is not waited for`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        host.advance(.minutes(4))
        host.handle(.wake)
        #expect(host.running.count == 1)
        host.pass(.seconds(6), completing: false)
        #expect(host.running.isEmpty)
        #expect(host.records.last { $0.event == .failed }?.reason?.contains("while the host hung") == true)
    }

    @Test func `a manifest without the fleet ends what runs for it, and supervisors let go`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        var manifest = try Self.manifest()
        manifest.fleet?.database = "host=/elsewhere"
        host.effects = []
        host.load(manifest)
        #expect(host.records.last { $0.event == .expired }?.gates == ["fleet"])
        #expect(ends(host.effects) == [nil])
    }
}
