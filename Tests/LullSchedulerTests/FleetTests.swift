import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// A host in a fleet: its calls to the database, their times, and its use of the answers.
struct FleetTests {
    static let task = Sample.cleaning
    static let nominal = WallTime.at(0, 1)

    static func manifest(
        _ change: (inout TaskDefinition) -> Void = { $0.fleet.scope = .anyHost }
    ) throws -> Manifest {
        let times = try ExactTimes("0 * * * *")
        var manifest = Sample.manifest([
            Sample.definition(task, .processing) {
                $0.requires.idle = false
                $0.at = times
                change(&$0)
            }
        ])
        manifest.fleet = FleetDefinition(database: "host=/run/fleet", labels: ["zone": "a"])
        return manifest
    }

    /// A host that the database knows.
    func host(
        _ change: (inout TaskDefinition) -> Void = { $0.fleet.scope = .anyHost }
    ) throws -> TestHost {
        var options = SchedulerOptions()
        options.fleet = FleetIdentity(host: "h1", place: "p1", name: "b11")
        var host = TestHost(try Self.manifest(change), options: options)
        connect(&host)
        return host
    }

    func connect(_ host: inout TestHost) {
        for (number, _) in calls(host.handle(.fleet(.connected))) {
            answer(number, .hello(.init(now: host.now.wall.milliseconds, version: 1)), &host)
        }
        beat(&host)
    }

    func calls(_ effects: [Effect]) -> [(UInt64, FleetCall)] {
        effects.compactMap { if case .askFleet(let number, let call) = $0 { (number, call) } else { nil } }
    }

    private func claims(_ effects: [Effect]) -> [(number: UInt64, claim: FleetClaim)] {
        calls(effects).compactMap { if case .claim(let claim) = $0.1 { ($0.0, claim) } else { nil } }
    }

    /// The claims since the last call.
    func takeClaims(_ host: inout TestHost) -> [(number: UInt64, claim: FleetClaim)] {
        let all = claims(host.effects)
        host.effects.removeAll { if case .askFleet(_, .claim) = $0 { true } else { false } }
        return all
    }

    func finishes(_ effects: [Effect]) -> [(number: UInt64, finish: FleetFinish)] {
        calls(effects).compactMap { if case .finish(let finish) = $0.1 { ($0.0, finish) } else { nil } }
    }

    @discardableResult
    func answer(_ number: UInt64, _ answer: FleetAnswer, _ host: inout TestHost) -> [Effect] {
        host.handle(.fleet(.answered(number, answer)))
    }

    /// Answers the beats that are under way, with these news.
    private func beat(
        _ host: inout TestHost, holds: Bool = true, hosts: Int = 1, best: [String: Double] = [:],
        _ news: [SlotStatus] = []
    ) {
        let waiting = calls(host.effects)
        host.effects.removeAll { if case .askFleet(_, .beat) = $0 { true } else { false } }
        for (number, call) in waiting {
            guard case .beat(let beat) = call else { continue }
            var told = FleetBeat.Answer(now: host.now.wall.milliseconds, known: true)
            told.held = holds ? beat.leases.map(\.lease) : []
            (told.hosts, told.best, told.news) = (hosts, best, news)
            answer(number, .beat(told), &host)
        }
    }

    /// The same for the next beat, which comes within 18 s.
    func nextBeat(
        _ host: inout TestHost, holds: Bool = true, hosts: Int = 1, best: [String: Double] = [:],
        isAnswered: Bool = true, _ news: [SlotStatus] = []
    ) {
        for _ in 0..<20
        where !calls(host.effects).contains(where: { if case .beat = $0.1 { true } else { false } }) {
            host.advance(.seconds(1))
            host.handle(.wake)
        }
        if isAnswered { beat(&host, holds: holds, hosts: hosts, best: best, news) }
    }

    /// The next call of a kind, which comes within 18 s.
    private func nextCall(_ host: inout TestHost, _ isMeant: (FleetCall) -> Bool) -> UInt64? {
        for _ in 0..<20 where !calls(host.effects).contains(where: { isMeant($0.1) }) {
            host.advance(.seconds(1))
            host.handle(.wake)
        }
        defer { host.effects = [] }
        return calls(host.effects).last { isMeant($0.1) }?.0
    }

    func go(to time: WallTime, _ host: inout TestHost) {
        while host.now.wall < time {
            host.advance(min(time - host.now.wall, .seconds(5)))
            host.handle(.wake)
            if host.now.wall < time { beat(&host) }
        }
    }

    func grant(
        _ claim: (number: UInt64, claim: FleetClaim)?, as number: Int64 = 7, attempt: Int = 1,
        _ host: inout TestHost
    ) throws -> [Effect] {
        let claim = try #require(claim)
        var answer = FleetClaim.Answer(now: host.now.wall.milliseconds, .claimed)
        answer.lease = SlotLease(claim.claim.slot, number: number)
        answer.attempt = attempt
        let effects = self.answer(claim.number, .claim(answer), &host)
        for run in host.running { host.handle(.launchReturned(run)) }
        return effects
    }

    func slotStatus(
        _ state: SlotState, at time: WallTime = nominal, _ change: (inout SlotStatus) -> Void = { _ in }
    ) -> SlotStatus {
        var slotStatus = SlotStatus(SlotName(Self.task, at: time), state)
        (slotStatus.host, slotStatus.number) = ("b12", 99)
        if state == .leased { slotStatus.left = 60_000 }
        change(&slotStatus)
        return slotStatus
    }

    // MARK: Slots

    @Test func `a slot is claimed once nothing else is closed, and its number goes along`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        let claim = try #require(takeClaims(&host).first)
        #expect(claim.claim.slot == SlotName(Self.task, at: Self.nominal))
        #expect(host.gate(.fleet, of: Self.task)?.isOpen == false)
        let launches = try grant(claim, &host).compactMap {
            if case .launch(let launch) = $0 { launch } else { nil }
        }
        #expect(launches.first?.lease == SlotLease(claim.claim.slot, number: 7))
        #expect(launches.first?.origin == #"{"fence":7,"slot":\#(Self.nominal.milliseconds)}"#)
        #expect(host.records.first { $0.event == .launched }?.slot?.number == 7)
        let finish = try #require(
            finishes(host.handle(.completed(launches[0].run, success: true, summary: nil))).first)
        #expect(finish.finish == FleetFinish(host: "h1", SlotLease(claim.claim.slot, number: 7), .done))
        answer(finish.number, .finish(.init(now: 0, accepted: true)), &host)
        #expect(host.records.last { $0.event == .slot }?.slot?.act == .settled)
        #expect(host.state.ledger.slots.isEmpty)
    }

    @Test func `nothing is claimed while another gate is closed`() throws {
        var host = try host {
            $0.fleet.scope = .anyHost
            $0.requires.externalPower = true
        }
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        go(to: Self.nominal + .minutes(5), &host)
        #expect(claims(host.effects).isEmpty)
        host.handle(.conditionsChanged(.quiet))
        #expect(claims(host.effects).count == 1)
    }

    @Test func `what closes between claim and grant gives the slot back`() throws {
        var host = try host {
            $0.fleet.scope = .anyHost
            $0.requires.externalPower = true
        }
        go(to: Self.nominal, &host)
        let claim = takeClaims(&host).first
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        let back = try finishes(grant(claim, &host)).first
        #expect(back?.finish.state == .open && back?.finish.began == false)
        #expect(host.launches(of: Self.task).isEmpty)
    }

    @Test func `who has it elsewhere is named, and when that is over the next time is asked for`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        let claim = try #require(takeClaims(&host).first)
        var refused = FleetClaim.Answer(now: host.now.wall.milliseconds, .leased)
        refused.slotStatus = slotStatus(.leased) { $0.ago = 2_000 }
        answer(claim.number, .claim(refused), &host)
        let verdict = try #require(host.gate(.fleet, of: Self.task))
        #expect(verdict.reason.hasPrefix("b12 has been running it since 00:59"))
        #expect(verdict.until == Self.nominal + FleetTimes.lease + FleetTimes.grace)
        go(to: Self.nominal + .seconds(30), &host)
        nextBeat(&host, [slotStatus(.done)])
        let event = try #require(host.records.last { $0.event == .slot })
        #expect(event.slot?.act == .elsewhere && event.slot?.host == "b12" && event.slot?.state == .done)
        #expect(event.reason?.contains("b12 ran it") == true)
        #expect(host.record(Self.task)?.successes == [event.time])
        #expect(host.record(Self.task)?.pending?.earliestBegin == .at(0, 2))
        #expect(host.launches(of: Self.task).isEmpty)
    }

    @Test func `a time of its own place that is over is not asked for again without end`() throws {
        var host = try host { $0.fleet.concurrency = 2 }
        go(to: Self.nominal, &host)
        let claim = try #require(takeClaims(&host).first)
        #expect(claim.claim.slot.target == "p1")
        var over = FleetClaim.Answer(now: host.now.wall.milliseconds, .ended)
        over.slotStatus = SlotStatus(claim.claim.slot, .failed)
        over.slotStatus?.host = "b11"
        answer(claim.number, .claim(over), &host)
        #expect(host.record(Self.task)?.pending?.occurrence?.time == .at(0, 2))
        go(to: Self.nominal + .minutes(5), &host)
        #expect(takeClaims(&host).isEmpty)
        // A slot of another target does not concern this host.
        let other = SlotStatus(SlotName(Self.task, at: .at(0, 2), target: "p2"), .failed)
        nextBeat(&host, [other])
        #expect(host.record(Self.task)?.pending?.occurrence?.time == .at(0, 2))
    }

    @Test func `a lease that ends elsewhere unheard is asked for again`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        let claim = try #require(takeClaims(&host).first)
        var refused = FleetClaim.Answer(now: host.now.wall.milliseconds, .leased)
        refused.slotStatus = slotStatus(.leased)
        answer(claim.number, .claim(refused), &host)
        go(to: Self.nominal + .seconds(89), &host)
        #expect(takeClaims(&host).isEmpty)
        go(to: Self.nominal + .seconds(91), &host)
        #expect(takeClaims(&host).count == 1)
    }

    @Test func `what repeats goes by the fleet's last run`() throws {
        var host = try host {
            $0.at = nil
            $0.repeat = .hours(1)
            $0.fleet.scope = .anyHost
        }
        let claim = try #require(claims(host.effects).first)
        #expect(claim.claim.every == 3_600_000)
        var answer = FleetClaim.Answer(now: host.now.wall.milliseconds, .notDue)
        answer.wait = 1_200_000
        answer.slotStatus = slotStatus(.done, at: host.now.wall - .minutes(40)) { $0.next = 1_200_000 }
        self.answer(claim.number, .claim(answer), &host)
        #expect(host.record(Self.task)?.pending?.earliestBegin == host.now.wall + .minutes(20))
    }

    // MARK: Leases

    @Test func `a lease that can't be renewed ends its run before another host may have it`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        let began = host.now.wall
        _ = try grant(takeClaims(&host).first, &host)
        host.handle(.fleet(.unreachable("the server is gone")))
        host.pass(.minutes(2), completing: false) { $0.names().contains(.expired) }
        let event = try #require(host.records.last { $0.event == .expired })
        #expect(event.gates == ["fleet"])
        #expect(event.time - began <= FleetTimes.lease - FleetTimes.margin)
        #expect(host.gate(.fleet, of: Self.task)?.isOpen == false)
    }

    @Test func `a lease that is renewed lasts`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        go(to: Self.nominal + .minutes(5), &host)
        let ends = host.records.filter { $0.event == .expired || $0.event == .failed }
        #expect(host.running.count == 1 && ends.isEmpty, "\(ends)")
    }

    @Test func `a machine that slept past its lease kills the run when it wakes`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        host.now.wall = host.now.wall + .hours(2)
        host.now.asleep = .hours(2)
        host.handle(.wake)
        #expect(host.running.isEmpty)
    }

    @Test func `a machine that slept past a lease ends that run first, and others of its worker stay`() throws
    {
        let other = Sample.task("com.example.Feed.other")
        var options = SchedulerOptions()
        options.fleet = FleetIdentity(host: "h1", place: "p1", name: "b11")
        var manifest = try Self.manifest()
        manifest.apps[0].concurrency = 2
        manifest.apps[0].tasks.append(Sample.definition(other, .processing) { $0.requires.idle = false })
        func sleeper() throws -> (host: TestHost, shared: RunID, own: RunID) {
            var host = TestHost(manifest, options: options)
            connect(&host)
            go(to: Self.nominal, &host)
            _ = try grant(takeClaims(&host).first, &host)
            let shared = try #require(host.running.first)
            _ = host.submit(other)
            let own = try #require(host.running.first { $0 != shared })
            host.handle(.launchReturned(own))
            host.now.wall = host.now.wall + .hours(2)
            host.now.asleep = .hours(2)
            host.handle(.wake)
            #expect(host.running.contains(shared) && host.running.contains(own))
            #expect(host.records.last { $0.event == .expired }?.run == shared)
            return (host, shared, own)
        }
        // The run ends when it is warned.
        var (host, shared, own) = try sleeper()
        host.handle(.completed(shared, success: false, summary: nil))
        host.pass(.seconds(30), completing: false)
        #expect(host.running == [own])
        // The run does not end.
        (host, shared, own) = try sleeper()
        host.pass(.seconds(21), completing: false)
        #expect(host.running.isEmpty)
        let end = try #require(host.records.last { $0.event == .failed && $0.run == own })
        #expect(end.reason?.contains("because run \(shared) of \(Self.task) had to be") == true, "\(end)")
    }

    @Test func `a lease that the database no longer has ends its run, and the late result is told as such`()
        throws
    {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        go(to: Self.nominal + .seconds(20), &host)
        nextBeat(&host, holds: false)
        #expect(host.records.last { $0.event == .expired }?.gates == ["fleet"])
        let run = try #require(host.running.first)
        let ended = host.handle(.completed(run, success: true, summary: "wrote 3 files"))
        let finish = try #require(finishes(ended).first)
        var late = FleetFinish.Answer(now: 0, accepted: false)
        late.slotStatus = slotStatus(.leased)
        answer(finish.number, .finish(late), &host)
        let event = try #require(host.records.last { $0.event == .slot })
        #expect(event.slot?.act == .refused)
        #expect(
            event.reason
                == "its lease 7 had ended, and b12 had the slot by then; this host's run: wrote 3 files")
    }

    /// A host that was cut off amid a run and started again, or one that was started from a copy of its state.
    private func cutOff() throws -> TestHost {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        var next = TestHost(
            try Self.manifest(), at: host.now.wall + .seconds(5), ledger: host.state.ledger,
            options: host.state.options)
        connect(&next)
        return next
    }

    @Test func `a host that was cut off says so when it is back`() throws {
        var next = try cutOff()
        let finish = try #require(finishes(next.effects).first?.finish ?? finishes(next.take()).first?.finish)
        #expect(finish.lease.number == 7 && finish.state == .open)
        #expect(finish.reason == "the host was cut off while it ran")
    }

    @Test func `the end of what may be another's run is told again, and a copy says whose it is`() throws {
        var copy = try cutOff()
        var answer = FleetFinish.Answer(now: 0, accepted: false)
        for twin in ["b12", "b12", nil] {
            let finish = try #require(finishes(copy.effects).first)
            #expect(finish.finish.lease.number == 7 && finish.finish.state == .open)
            copy.effects = []
            answer.twin = twin
            answer.slotStatus = slotStatus(.leased) { $0.number = 7 }
            #expect(finishes(self.answer(finish.number, .finish(answer), &copy)).isEmpty)
            #expect(copy.records.contains { $0.event == .slot } == (twin == nil))
            nextBeat(&copy)
        }
        #expect(finishes(copy.effects).isEmpty && copy.state.ledger.slots.isEmpty)
        #expect(
            copy.records.last { $0.event == .slot }?.reason
                == "its lease 7 belongs to b12, and this host's state is a copy of that host's: start a copy of a machine "
                + "with an empty state folder")
    }

    @Test func `what an operator stopped is for no other host`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        let run = try #require(host.running.first)
        _ = host.tell { .expireRequested(Self.task, reply: $0) }
        let ended = host.handle(.completed(run, success: false, summary: nil))
        let finish = try #require(finishes(ended).first?.finish)
        #expect(finish.state == .failed && finish.reason?.contains("an operator stopped it") == true)
    }

    // MARK: The database

    @Test func `without the database tasks for any host wait and say so, and the others run`() throws {
        var manifest = try Self.manifest()
        var own = Sample.definition(Sample.task("com.example.Feed.own"), .processing)
        own.requires.idle = false
        own.at = try ExactTimes("0 * * * *")
        manifest.apps[0].tasks.append(own)
        var host = TestHost(manifest)
        host.handle(.fleet(.unreachable("connection refused")))
        go(to: Self.nominal + .minutes(3), &host)
        #expect(host.launches(of: own.identifier) == [Self.nominal])
        #expect(host.launches(of: Self.task).isEmpty)
        let verdict = try #require(host.gate(.fleet, of: Self.task))
        #expect(verdict.reason.contains("connection refused") && verdict.reason.contains("the others run"))
        let away = try #require(host.state.report(at: host.now).fleetAway)
        #expect(away == host.now.wall - TestHost.monday)
    }

    @Test func `a host without a fleet asks nobody and has no such gate`() throws {
        var manifest = try Self.manifest { _ in }
        manifest.fleet = nil
        var host = TestHost(manifest)
        host.handle(.fleet(.connected))
        host.pass(.hours(12))
        #expect(calls(host.effects).isEmpty)
        #expect(host.launches(of: Self.task).count == 12)
        #expect(host.gate(.fleet, of: Self.task) == nil)
        #expect(host.state.report(at: host.now).fleetAway == nil)
    }

    @Test func `the times of an outage are offered in parts`() throws {
        var host = TestHost(
            try Self.manifest {
                $0.fleet.scope = .anyHost
                $0.at = try? ExactTimes("* * * * *")
                $0.missed = .all
            })
        host.pass(.hours(10))
        host.effects = []
        connect(&host)
        var offered: Set<SlotName> = []
        for _ in 0..<4 {
            host.effects = []
            host.advance(.seconds(18))
            for (number, call) in calls(host.handle(.wake)) {
                guard case .beat(let beat) = call else { continue }
                #expect(beat.offers.count <= FleetTimes.mostOffers)
                offered.formUnion(beat.offers.map(\.slot))
                answer(number, .beat(.init(now: host.now.wall.milliseconds, known: true)), &host)
            }
        }
        #expect(offered.count >= 500)
    }

    @Test func `a server that refuses a statement is asked again, and then all goes on`() throws {
        var host = try host()
        go(to: Self.nominal - .minutes(1), &host)
        let number = try #require(
            nextCall(&host) { if case .beat = $0 { true } else { false } })
        host.handle(.fleet(.failed(number, "the disk is full")))
        #expect(host.gate(.fleet, of: Self.task)?.reason.contains("the disk is full") == true)
        go(to: Self.nominal, &host)
        #expect(takeClaims(&host).isEmpty == false)
    }

    @Test func `a result that is refused is told again, and not at once`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        let run = try #require(host.running.first)
        let finish = try #require(finishes(host.handle(.completed(run, success: true, summary: nil))).first)
        host.effects = []
        #expect(finishes(host.handle(.fleet(.failed(finish.number, "the disk is full")))).isEmpty)
        go(to: host.now.wall + .seconds(40), &host)
        #expect(finishes(host.effects).first?.finish == finish.finish)
    }

    @Test func `a slot that ended as this host's own is not asked for again`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        nextBeat(&host, holds: false)
        let run = try #require(host.running.first)
        host.handle(.completed(run, success: false, summary: nil))
        let claim = try #require(takeClaims(&host).first)
        #expect(claim.claim.slot.nominal == Self.nominal)
        var over = FleetClaim.Answer(now: host.now.wall.milliseconds, .ended)
        over.slotStatus = slotStatus(.failed) {
            $0.number = 7
            $0.reason = "the last of 3 attempts"
        }
        answer(claim.number, .claim(over), &host)
        #expect(host.record(Self.task)?.pending?.occurrence?.time == .at(0, 2))
    }

    @Test func `a host that shuts down gives back what it has not begun`() throws {
        var host = try host()
        host.startsWorkers = false
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        #expect(host.running.isEmpty)
        let back = try #require(finishes(host.handle(.shutdown)).first?.finish)
        #expect(back.lease.number == 7 && back.state == .open && !back.began)
    }

    @Test func `a host that shuts down gives back what it is granted then`() throws {
        var host = try host()
        go(to: Self.nominal, &host)
        let claim = takeClaims(&host).first
        host.handle(.shutdown)
        let back = try #require(finishes(grant(claim, &host)).first?.finish)
        #expect(back.lease.number == 7 && back.state == .open && !back.began)
    }

    // MARK: Which host

    @Test func `what holds a task back is told when it changes, and again when its time is over`() throws {
        var host = try host {
            $0.fleet.scope = .anyHost
            $0.requires.externalPower = true
        }
        func told() -> [[String]] {
            nextBeat(&host, isAnswered: false)
            defer { beat(&host) }
            return calls(host.effects).flatMap { call -> [[String]] in
                if case .beat(let beat) = call.1 { beat.reports.map(\.gates) } else { [] }
            }
        }
        #expect(told() == [] && told() == [])
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        #expect(told() == [["earliest_begin", "external_power"]])
        #expect(told() == [])
        host.handle(.conditionsChanged(.quiet))
        #expect(told() == [["earliest_begin"]])
        go(to: Self.nominal, &host)
        let claim = try #require(takeClaims(&host).first)
        var refused = FleetClaim.Answer(now: host.now.wall.milliseconds, .leased)
        refused.slotStatus = slotStatus(.leased)
        answer(claim.number, .claim(refused), &host)
        // Until the lease has ended; it is renewed.
        #expect(told() == [["fleet"]])
        for _ in 0..<4 { #expect(told() == []) }
        let isToldAgain = (0..<8).contains { _ in told() == [["fleet"]] }
        #expect(isToldAgain)
    }

    @Test func `a host whose moment is worse asks later`() throws {
        var host = try host {
            $0.fleet.scope = .anyHost
            $0.fleet.prefer = .idlest
        }
        host.handle(.conditionsChanged(Conditions(presence: .known(.active), load: 1)))
        nextBeat(&host, hosts: 2, best: [Self.task.text: 1])
        host.now.wall = Self.nominal
        host.handle(.wake)
        #expect(takeClaims(&host).isEmpty)
        let reason = try #require(host.gate(.fleet, of: Self.task)).reason
        #expect(reason.contains("another host has a better moment (100 %, here 25 %)"), "\(reason)")
        host.pass(.seconds(30))
        #expect(takeClaims(&host).count == 1)
    }

    @Test func `a host without the label runs it never, and says which`() throws {
        var host = try host { $0.fleet.labels = ["zone": "b"] }
        go(to: Self.nominal + .minutes(1), &host)
        #expect(host.launches(of: Self.task).isEmpty)
        #expect(
            host.gate(.fleet, of: Self.task)?.reason
                == "it runs on hosts with the label `zone: b`, but this one has `zone: a`")
        #expect(host.gate(.fleet, of: Self.task)?.remedy?.contains("fleet: { labels }") == true)
    }

    @Test func `nothing is foretold of what the fleet holds back`() throws {
        var lacking = try host { $0.fleet.labels = ["zone": "b"] }
        lacking.pass(.minutes(90), completing: false)
        let never = lacking.state.outlook(for: Self.task, at: lacking.now)
        #expect(never.certain == nil && never.chances.isEmpty)
        #expect(never.gates.contains { $0.gate == .fleet && $0.opening == .never })
        var options = SchedulerOptions()
        options.fleet = FleetIdentity(host: "h1", place: "p1", name: "b11")
        var alone = TestHost(try Self.manifest(), options: options)
        alone.pass(.minutes(30), completing: false)
        let unknown = alone.state.outlook(for: Self.task, at: alone.now)
        #expect(unknown.certain == nil && unknown.chances.isEmpty)
        #expect(unknown.unknown == "the fleet's database does not answer")
    }

    @Test func `what each host runs needs a slot where the fleet has a limit`() throws {
        var host = try host { $0.fleet.concurrency = 2 }
        go(to: Self.nominal, &host)
        let claim = try #require(takeClaims(&host).first)
        #expect(claim.claim.slot.target == "p1" && claim.claim.limit == 2)
        var full = FleetClaim.Answer(now: 0, .full)
        full.holders = ["b12", "b13"]
        answer(claim.number, .claim(full), &host)
        #expect(
            host.gate(.fleet, of: Self.task)?.reason
                == "b12 and b13 run it, and the fleet allows 2 runs at once")
        host.advance(.seconds(16))
        #expect(claims(host.handle(.wake)).count == 1)
    }

    // MARK: Room

    private static let (one, two) = (Sample.app("com.example.One"), Sample.app("com.example.Two"))
    private static let (first, second) = (
        Sample.task("com.example.One.task"), Sample.task("com.example.Two.task")
    )

    /// An app with two tasks and room for one run, and an app whose task is more important and waits for power. All tasks
    /// are due, and no worker runs.
    private func host(concurrency: Int) throws -> TestHost {
        let times = try ExactTimes("0 * * * *")
        func app(_ app: AppIdentifier, _ tasks: [String], _ change: (inout TaskDefinition) -> Void = { _ in })
            -> App
        {
            var owner = App(identifier: app, plugin: "/plugin.so")
            (owner.idleAfter, owner.concurrency) = (nil, 1)
            owner.tasks = tasks.map { name in
                Sample.definition(Sample.task("\(app).\(name)"), of: app, .processing) {
                    $0.requires.idle = false
                    $0.at = times
                    $0.fleet.scope = .anyHost
                    change(&$0)
                }
            }
            return owner
        }
        var manifest = Manifest(
            hostConcurrency: concurrency,
            apps: [
                app(Self.one, ["more", "task"]) { $0.priority = $0.identifier == Self.first ? 1 : 0 },
                app(Self.two, ["task"]) { ($0.priority, $0.requires.externalPower) = (5, true) },
            ])
        manifest.fleet = FleetDefinition(database: "host=/run/fleet")
        var options = SchedulerOptions()
        options.fleet = FleetIdentity(host: "h1", place: "p1", name: "b11")
        var host = TestHost(manifest, options: options, conditions: RequestTests.dark)
        connect(&host)
        go(to: Self.nominal - .seconds(1), &host)
        host.startsWorkers = false
        go(to: Self.nominal, &host)
        return host
    }

    @Test func `of an app with room for one run one slot is claimed`() throws {
        var host = try host(concurrency: 4)
        #expect(takeClaims(&host).map(\.claim.slot.task) == [Self.first])
    }

    @Test func `a worker that starts for what was granted takes one place`() throws {
        var host = try host(concurrency: 2)
        _ = try grant(takeClaims(&host).first, &host)
        #expect(host.worker(Self.one) == .starting)
        host.handle(.conditionsChanged(.quiet))
        #expect(takeClaims(&host).map(\.claim.slot.task) == [Self.second])
    }

    @Test func `what is granted runs first, also when something better comes while its worker starts`() throws
    {
        var host = try host(concurrency: 1)
        _ = try grant(takeClaims(&host).first, &host)
        host.handle(.conditionsChanged(.quiet))
        #expect(takeClaims(&host).isEmpty)
        host.handle(.workerReady(host.last(Self.one), registered: [Self.first]))
        #expect(host.launches(of: Self.first).count == 1)
        host.complete()
        #expect(takeClaims(&host).map(\.claim.slot.task) == [Self.second])
    }

    @Test func `a slot that was granted is not for what somebody asks for here meanwhile`() throws {
        var host = try host()
        host.startsWorkers = false
        go(to: Self.nominal, &host)
        _ = try grant(takeClaims(&host).first, &host)
        let effects = host.effects
        _ = host.launch(Self.task, instead: true)
        host.handle(.workerReady(host.last(Sample.feed), registered: [Self.task]))
        #expect(finishes(effects).isEmpty)
        #expect(host.records.last { $0.event == .launched }?.slot == nil)
    }

    @Test func `what somebody asks for here runs here`() throws {
        var host = try host()
        _ = host.submit(Self.task)
        #expect(host.launches(of: Self.task).count == 1)
        #expect(claims(host.effects).isEmpty)
    }
}
