import LullModel
import Testing

@testable import LullScheduler

struct RequestTests {
    static let manifest = Sample.manifest([
        Sample.definition(Sample.refresh, .refresh),
        Sample.definition(Sample.cleaning, .processing) { $0.requires.externalPower = true },
        Sample.definition(Sample.otherWork, of: Sample.other, .processing),
    ])
    static let dark = Conditions(externalPower: .known(false), network: .known(.none))

    private func host() -> TestHost { TestHost(Self.manifest, conditions: Self.dark) }

    private func refusal(_ reply: Reply?) -> Refusal? {
        if case .refused(let refusal)? = reply { refusal } else { nil }
    }

    @Test func `an accepted submit is recorded before the answer`() {
        var host = host()
        _ = host.take()
        let token = host.token()
        let effects = host.handle(
            .submitted(
                Submission(app: Sample.feed, task: Sample.cleaning, earliestBegin: .at(1, 0)), reply: token))
        let record = effects.firstIndex {
            if case .record(let event) = $0 { event.event == .submitted } else { false }
        }
        let reply = effects.firstIndex(of: .reply(token, .accepted(RequestID(1))))
        #expect(record != nil && reply != nil)
        if let record, let reply { #expect(record < reply) }
        let request = host.state.pending(of: Sample.feed).first
        #expect(
            request?.origin == .plugin && request?.earliestBegin == .at(1, 0) && request?.kind == .processing)
        #expect(host.state.pending(of: Sample.other).isEmpty)
    }

    @Test func `refusals say why and what to do`() {
        var host = host()
        let unknown = refusal(host.submit(Sample.task("com.example.Feed.nope"), from: Sample.feed))
        #expect(unknown?.code == .notPermitted)
        #expect(
            unknown?.sentence
                == "com.example.Feed.nope can't be submitted: it is not in jobs.yaml; "
                + "add it to the tasks of its app in jobs.yaml.")
        let foreign = refusal(host.submit(Sample.otherWork, from: Sample.feed))
        #expect(
            foreign?.code == .notPermitted
                && foreign?.sentence.contains("belongs to com.example.Other") == true)
        let kind = refusal(host.submit(Sample.refresh, from: Sample.feed, kind: .processing))
        #expect(kind?.code == .notPermitted)
        #expect(
            kind?.sentence.contains("its request is of kind processing, and jobs.yaml permits refresh")
                == true)
        #expect(host.names().suffix(3) == [.refused, .refused, .refused])
        host.handle(.enabled(Sample.feed, false, reply: host.token()))
        let disabled = refusal(host.submit(Sample.refresh, from: Sample.feed))
        #expect(
            disabled?.code == .unavailable
                && disabled?.sentence.contains("lull enable com.example.Feed") == true)
        host.registers[Sample.other] = []
        host.startsWorkers = true
        var other = TestHost(conditions: Self.dark)
        other.registers = [Sample.feed: [Sample.refresh], Sample.other: []]
        other.load(Self.manifest)
        #expect(refusal(other.submit(Sample.cleaning, from: Sample.feed))?.code == .unavailable)
        #expect(refusal(other.submit(Sample.cleaning))?.sentence.contains("registers no handler") == true)
    }

    @Test func `a flood of refusals is not a flood of records`() {
        var host = host()
        for _ in 0..<1000 { _ = host.submit(Sample.task("com.example.Feed.nope"), from: Sample.feed) }
        #expect(host.names().count { $0 == .refused } == RecordAllowance.limit)
        host.advance(.hours(1))
        _ = host.submit(Sample.task("com.example.Feed.nope"), from: Sample.feed)
        #expect(host.names().count { $0 == .refused } == RecordAllowance.limit + 1)
    }

    @Test func `a newer request of the same identifier replaces the older`() {
        var host = host()
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(2, 0))
        #expect(
            host.records.filter { $0.task == Sample.cleaning && $0.event != .deferred }.map(\.event) == [
                .submitted, .replaced, .submitted,
            ])
        #expect(host.state.pending(of: nil).map(\.id) == [RequestID(2)])
    }

    @Test func `a plugin's request replaces the one that repeat made`() {
        var host = TestHost(
            Sample.simple {
                $0.repeat = .hours(4); $0.requires.externalPower = true
            }, conditions: Self.dark)
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        #expect(host.names(Sample.cleaning).contains(.replaced))
        #expect(host.state.pending(of: nil).map(\.origin) == [.plugin])
    }

    @Test func `the quota is one refresh and ten processing requests of a plugin, and names who holds it`() {
        let names = (0..<12).map { Sample.task("com.example.Feed.p\($0)") }
        let fetches = (0..<2).map { Sample.task("com.example.Feed.r\($0)") }
        var host = TestHost(
            Sample.manifest(
                names.map { Sample.definition($0, .processing) }
                    + fetches.map { Sample.definition($0, .refresh) }),
            conditions: Self.dark)
        for name in names.prefix(10) {
            #expect(refusal(host.submit(name, from: Sample.feed, begin: .at(3, 0))) == nil)
        }
        let eleventh = refusal(host.submit(names[10], from: Sample.feed, begin: .at(3, 0)))
        #expect(eleventh?.code == .tooManyPending)
        #expect(eleventh?.sentence.contains("10 processing requests pending, and the limit is 10") == true)
        #expect(eleventh?.sentence.contains("com.example.Feed.p9") == true)
        // One that is pending already may be replaced, an operator has no quota, and refreshes have their
        // own.
        #expect(refusal(host.submit(names[9], from: Sample.feed, begin: .at(4, 0))) == nil)
        #expect(refusal(host.submit(names[11], begin: .at(3, 0))) == nil)
        #expect(refusal(host.submit(fetches[0], from: Sample.feed, begin: .at(3, 0))) == nil)
        #expect(
            refusal(host.submit(fetches[1], from: Sample.feed, begin: .at(3, 0)))?.code == .tooManyPending)
        host.handle(.cancelled(Sample.feed, names[0], reply: nil))
        #expect(refusal(host.submit(names[10], from: Sample.feed, begin: .at(3, 0))) == nil)
    }

    @Test func `a request that repeat made does not count`() {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Sample.refresh, .refresh) {
                    $0.repeat = .hours(1); $0.requires.network = .any
                },
                Sample.definition(Sample.indexing, .refresh),
            ]), conditions: Self.dark)
        #expect(host.state.pending(of: nil).map(\.origin) == [.repeat])
        #expect(refusal(host.submit(Sample.indexing, from: Sample.feed, begin: .at(3, 0))) == nil)
    }

    @Test func `a withdrawn submit has no effect, and what it replaced is asked for again`() {
        var host = host()
        _ = host.submit(Sample.cleaning, from: Sample.feed, begin: .at(5, 0))
        let token = host.token()
        host.handle(.submitted(Submission(app: Sample.feed, task: Sample.cleaning), reply: token))
        host.handle(.withdrawn(reply: token))
        let request = host.state.pending(of: nil).first
        #expect(host.state.pending(of: nil).count == 1 && request?.earliestBegin == .at(5, 0))
        #expect(
            host.records.last { $0.event == .cancelled }?.reason
                == "withdrawn: the plugin stopped waiting for the answer")
        let count = host.records.count
        host.handle(.withdrawn(reply: token))
        host.handle(.withdrawn(reply: host.token()))
        #expect(host.records.count == count)
    }

    @Test func `a submit inside start is accepted before the plugin is known`() {
        var host = TestHost(conditions: Self.dark)
        host.startsWorkers = false
        host.load(Self.manifest)
        #expect(refusal(host.submit(Sample.cleaning, from: Sample.feed)) == nil)
        #expect(host.closed(Sample.cleaning).contains(.registered))
        host.handle(.workerReady(host.last(Sample.feed), registered: [Sample.cleaning]))
        #expect(host.closed(Sample.cleaning) == [.externalPower])
    }

    @Test func `cancelling cancels one occurrence of a repeat and not the repeat`() {
        var host = TestHost(
            Sample.simple {
                $0.repeat = .hours(4); $0.requires.externalPower = true
            }, conditions: Self.dark)
        let token = host.token()
        let effects = host.handle(.cancelled(Sample.feed, nil, next: true, reply: token))
        #expect(
            host.reply(to: token, in: effects)
                == .done("Cancelled 1 request of com.example.Feed. Its next time is at 04:00."))
        #expect(host.state.pending(of: nil).map(\.earliestBegin) == [.at(0, 4)])
        _ = host.submit(Sample.cleaning)
        let again = host.token()
        #expect(
            host.reply(to: again, in: host.handle(.cancelled(Sample.other, nil, reply: again)))
                == .unchanged("No request of com.example.Other is pending."))
    }

    @Test func `closed gates are recorded when they change, and only then`() {
        var host = TestHost(
            Sample.simple { $0.requires = Requirements(network: .any, externalPower: true, idle: false) },
            conditions: Self.dark)
        _ = host.submit(Sample.cleaning)
        func deferrals() -> [[String]?] { host.records.filter { $0.event == .deferred }.map(\.gates) }
        #expect(deferrals() == [["external_power", "network"]])
        host.pass(.hours(1))
        host.handle(
            .conditionsChanged(Conditions(externalPower: .known(false), network: .known(.none), load: 0.3)))
        #expect(deferrals().count == 1)
        host.handle(.conditionsChanged(Conditions(externalPower: .known(false))))
        #expect(deferrals() == [["external_power", "network"], ["external_power"]])
        #expect(host.gate(.externalPower, of: Sample.cleaning)?.since == .at(0, 0))
        #expect(
            host.records.last { $0.event == .deferred }?.reason
                == "external_power: the host runs on battery, and the task requires external power")
        host.handle(.conditionsChanged(.quiet))
        #expect(host.running.count == 1)
    }
}
