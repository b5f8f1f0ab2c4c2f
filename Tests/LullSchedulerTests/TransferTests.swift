import LullModel
import Testing

@testable import LullScheduler

/// Transfers: held for their gates, tried again, ended once, and reported to their app.
struct TransferTests {
    static let task = Sample.task("com.example.Feed.transfers")

    static func manifest(
        _ rules: TransferRules? = TransferRules(), _ change: (inout TaskDefinition) -> Void = { _ in }
    ) -> Manifest {
        Sample.manifest([
            Sample.definition(task, .transfers, change),
            Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
        ]) { $0.transfers = rules }
    }

    /// A host on which somebody has just used the app, so that nothing is discretionary by itself.
    func host(
        _ rules: TransferRules? = TransferRules(), conditions: Conditions = .quiet, isUsed: Bool = true,
        _ change: (inout TaskDefinition) -> Void = { _ in }
    ) -> TestHost {
        var host = TestHost(Self.manifest(rules, change), conditions: conditions)
        if isUsed { host.handle(.used(Sample.feed, at: host.now.wall)) }
        _ = host.take()
        return host
    }

    static func order(
        _ ordinal: UInt64 = 1, _ change: (inout TransferOrder) -> Void = { _ in }
    ) -> TransferOrder {
        var order = TransferOrder(
            session: "main", ordinal: ordinal, direction: .download, url: "https://example.com/\(ordinal)")
        change(&order)
        return order
    }

    func ask(_ order: TransferOrder = order(), on host: inout TestHost) -> Reply? {
        host.tell { .transferAsked(Sample.feed, order, reply: $0) }
    }

    func act(_ act: TransferAct, _ id: UInt64 = 1, on host: inout TestHost) -> Reply? {
        host.tell { .transferActed(Sample.feed, TransferID(id), act, reply: $0) }
    }

    private func order(_ ordering: TransferOrdering, _ id: UInt64 = 1, on host: inout TestHost) -> Reply? {
        host.tell { .transferOrdered(TransferID(id), ordering, reply: $0) }
    }

    func begun(_ effects: [Effect]) -> [TransferStart] {
        effects.compactMap { if case .beginTransfer(_, let start) = $0 { start } else { nil } }
    }

    func stopped(_ effects: [Effect]) -> [TransferID] {
        effects.compactMap { if case .stopTransfer(_, let id, _) = $0 { id } else { nil } }
    }

    private func removed(_ effects: [Effect]) -> [UInt64] {
        effects.compactMap { if case .removeTransferFiles(_, let stem, _) = $0 { stem } else { nil } }
    }

    func origins(_ effects: [Effect]) -> [String?] {
        effects.compactMap { if case .launch(let launch) = $0 { launch.origin } else { nil } }
    }

    func hear(_ news: TransferNews, _ start: TransferStart?, on host: inout TestHost) {
        guard let start else {
            Issue.record("nothing was begun")
            return
        }
        host.handle(.transferNews(start.id, attempt: start.attempt, news))
    }

    private static let result = TransferResult(
        status: 200, url: "https://example.com/1", headers: [], received: 7, sent: 0)

    func refusal(_ reply: Reply?) -> String {
        if case .refused(let refusal)? = reply { refusal.sentence } else { "" }
    }

    private func reasons(_ host: TestHost) -> [String] {
        host.state.transferReports(of: nil, at: host.now).flatMap(\.reasons)
    }

    @Test func `what is asked for is recorded, begun, and its end is told by a launch`() {
        var host = host()
        #expect(ask(on: &host) == .transfer(TransferID(1)))
        let start = begun(host.take()).first
        #expect(start?.id == TransferID(1) && start?.stem == 1 && start?.order.isDiscretionary == false)
        hear(.progressed(TransferProgress(received: 3, toReceive: 7)), start, on: &host)
        #expect(host.state.transfers(of: Sample.feed, session: "main").first?.progress.received == 3)
        #expect(
            !host.records.contains {
                $0.transfer.map { if case .asked = $0 { false } else { true } } ?? false
            })
        hear(.finished(Self.result), start, on: &host)
        host.pass(.seconds(6), completing: false)
        #expect(origins(host.take()) == ["{\"sessions\":[\"main\"]}"])
        #expect(act(.taking, on: &host) == .done(""))
        #expect(act(.taken, on: &host) == .done(""))
        #expect(removed(host.take()) == [1])
        host.complete()
        #expect(host.launches(of: Self.task).count == 1)
        #expect(host.state.transfers(of: Sample.feed, session: nil) == [])
        host.pass(.days(1))
        #expect(host.launches(of: Self.task).count == 1)
    }

    @Test func `an app without the key may not transfer, and learns how it may`() {
        var host = host(nil)
        #expect(refusal(ask(on: &host)).contains("Write `transfers: {}`"))
        #expect(host.records.contains { $0.event == .refused })
    }

    @Test func `a host that is not listed is refused, and so is what is no address`() {
        var host = host(TransferRules(hosts: ["*.example.org"]))
        #expect(refusal(ask(on: &host)).contains("`transfers: { hosts }`"))
        #expect(
            refusal(ask(Self.order { $0.url = "ftp://a.example.org/" }, on: &host)).contains(
                "not an HTTP address"))
        #expect(
            ask(Self.order { $0.url = "http://me:pw@a.example.org:80/x" }, on: &host)
                == .transfer(TransferID(1)))
    }

    @Test func `no more are under way than at_once, and the next follows`() {
        var host = host(TransferRules(atOnce: 2))
        for ordinal: UInt64 in 1...3 { _ = ask(Self.order(ordinal), on: &host) }
        let first = begun(host.take())
        #expect(first.map(\.id.number) == [1, 2])
        #expect(reasons(host) == ["2 of the app's transfers are under way, which is the limit (`at_once`)"])
        hear(.finished(Self.result), first.first, on: &host)
        #expect(begun(host.take()).map(\.id.number) == [3])
    }

    @Test func `an app that found the host full goes on when another's transfer has ended`() {
        let other = Sample.task("com.example.Other.transfers")
        var manifest = Self.manifest(TransferRules(atOnce: Limits.transfersAtOnce))
        manifest.apps +=
            Sample.manifest([Sample.definition(other, of: Sample.other, .transfers)]) {
                $0.transfers = TransferRules()
            }.apps
        var host = TestHost(manifest)
        for app in [Sample.feed, Sample.other] { host.handle(.used(app, at: host.now.wall)) }
        for ordinal in 1...UInt64(Limits.transfersAtOnce) { _ = ask(Self.order(ordinal), on: &host) }
        let first = begun(host.take()).first
        _ = host.tell { .transferAsked(Sample.other, Self.order(), reply: $0) }
        #expect(begun(host.take()).isEmpty)
        let reasons = host.state.transferReports(of: Sample.other, at: host.now).flatMap(\.reasons)
        #expect(reasons == ["100 transfers of all apps are under way, which is the limit"])
        hear(.finished(Self.result), first, on: &host)
        #expect(begun(host.take()).map(\.id) == [TransferID(101)])
    }

    @Test func `when the process that transfers is killed, what had come still counts`() {
        var host = host()
        _ = ask(on: &host)
        let start = begun(host.take()).first
        hear(.progressed(TransferProgress(received: 5, toReceive: 7)), start, on: &host)
        hear(.interrupted(sentence: "killed", retryAfter: nil, received: 0), start, on: &host)
        #expect(host.state.transfers(of: Sample.feed, session: nil).first?.progress.received == 5)
    }

    @Test func `what is asked for in the background waits for power and an unmetered network`() {
        let away = Conditions(externalPower: .known(false), network: .known(.metered))
        var host = host(conditions: away, isUsed: false)
        _ = ask(on: &host)
        #expect(begun(host.take()).isEmpty)
        #expect(reasons(host).count == 2)
        host.handle(.conditionsChanged(.quiet))
        let start = begun(host.take()).first
        #expect(start?.order.isDiscretionary == true)
        // It stops when those conditions end, and goes on with what it has.
        host.handle(.conditionsChanged(away))
        #expect(stopped(host.take()) == [TransferID(1)])
        host.handle(.conditionsChanged(.quiet))
        #expect(begun(host.take()).count == 1)
    }

    @Test func `what somebody waits for goes over a metered network unless its app forbids that`() {
        var host = host(conditions: Conditions(network: .known(.metered)))
        _ = ask(Self.order(1) { $0.allowsExpensive = false }, on: &host)
        _ = ask(Self.order(2), on: &host)
        _ = ask(Self.order(3) { $0.allowsConstrained = false }, on: &host)
        #expect(begun(host.take()).map(\.id.number) == [2])
    }

    @Test func `windows hold it back, and not what tells of its end`() {
        var host = host { $0.windows = [Window(opens: 60, closes: 120, text: "01:00-02:00")] }
        _ = ask(on: &host)
        #expect(begun(host.take()).isEmpty)
        host.pass(.minutes(61))
        let start = begun(host.take()).first
        host.pass(.minutes(61))
        #expect(stopped(host.take()) == [TransferID(1)])
        hear(.finished(Self.result), start, on: &host)
        #expect(host.launches(of: Self.task).isEmpty, "the word of a stopped attempt does not count")
        _ = act(.cancel, on: &host)
        host.pass(.seconds(30))
        #expect(host.launches(of: Self.task).count == 1)
    }

    @Test
    func `an interrupted transfer is tried again after 5 s, doubling, and at once over another network`() {
        var host = host()
        _ = ask(on: &host)
        var begins: [WallTime] = []
        for _ in 0..<4 {
            guard let start = begun(host.take()).first else { break }
            begins.append(host.now.wall)
            hear(.interrupted(sentence: "no route", retryAfter: nil, received: 0), start, on: &host)
            host.pass(.minutes(2)) { host in
                host.effects.contains { if case .beginTransfer = $0 { true } else { false } }
            }
        }
        let gaps = zip(begins.dropFirst(), begins).map { ($0 - $1).milliseconds / 1000 }
        #expect(gaps == [5, 10, 20])
        hear(
            .interrupted(sentence: "no route", retryAfter: nil, received: 0), begun(host.take()).first,
            on: &host)
        host.handle(.conditionsChanged(Conditions(network: .known(.none))))
        host.advance(.seconds(1))
        host.handle(.conditionsChanged(.quiet))
        #expect(begun(host.take()).count == 1)
    }

    @Test func `a server's Retry-After is kept to, and who gets on begins to count anew`() {
        var host = host()
        _ = ask(on: &host)
        let busy = TransferNews.interrupted(sentence: "503", retryAfter: .minutes(10), received: 0)
        hear(busy, begun(host.take()).first, on: &host)
        host.pass(.minutes(9))
        #expect(begun(host.take()).isEmpty && reasons(host).contains { $0.contains("503") })
        host.pass(.minutes(2))
        hear(
            .interrupted(sentence: "cut", retryAfter: nil, received: 5), begun(host.take()).first, on: &host)
        #expect(host.state.ledger.transfers.records[TransferID(1)]?.state.attempts == 1)
    }

    @Test func `after timeoutIntervalForResource it has failed, and what has come is kept`() {
        var host = host()
        _ = ask(Self.order { $0.wholeLimit = .hours(1) }, on: &host)
        hear(
            .progressed(TransferProgress(received: 3, toReceive: 7)), begun(host.take()).first, on: &host)
        host.pass(.minutes(61))
        let state = host.state.transfers(of: Sample.feed, session: nil).first
        #expect(state?.failure?.code == -1001 && state?.failure?.isResumable == true)
        #expect(stopped(host.take()) == [TransferID(1)])
    }

    @Test func `a challenge launches the app, and its answer goes on with the transfer`() {
        var host = host()
        _ = ask(Self.order { $0.asksChallenges = true }, on: &host)
        let challenge = TransferChallenge(
            method: .basic, host: "example.com", port: 443, scheme: "https", failures: 0)
        hear(.challenged(challenge), begun(host.take()).first, on: &host)
        host.pass(.seconds(6), completing: false)
        #expect(host.launches(of: Self.task).count == 1)
        let answer = TransferAnswer.credential(user: "somebody", password: "secret")
        #expect(
            host.tell { .transferAnswered(Sample.feed, TransferID(1), answer, reply: $0) } == .done(""))
        #expect(begun(host.take()).first?.answers == [GivenAnswer(answer, to: challenge)])
        #expect(refusal(host.tell { .transferAnswered(Sample.feed, TransferID(1), answer, reply: $0) }) != "")
    }

    @Test func `each question keeps its answer, the last one, and a server that asks on and on is bounded`() {
        var host = host()
        _ = ask(Self.order { $0.asksChallenges = true }, on: &host)
        func question(_ method: TransferChallenge.Method, _ port: Int) -> TransferChallenge {
            TransferChallenge(method: method, host: "example.com", port: port, scheme: "https", failures: 0)
        }
        func given(_ answer: TransferAnswer, to question: TransferChallenge) -> [GivenAnswer]? {
            hear(.challenged(question), begun(host.take()).first, on: &host)
            _ = host.tell { .transferAnswered(Sample.feed, TransferID(1), answer, reply: $0) }
            return begun(host.effects).first?.answers
        }
        let (trust, password) = (question(.serverTrust, 443), question(.basic, 443))
        let first = TransferAnswer.credential(user: "a", password: "1")
        let second = TransferAnswer.credential(user: "a", password: "2")
        #expect(given(.trust, to: trust) == [GivenAnswer(.trust, to: trust)])
        #expect(
            given(first, to: password) == [GivenAnswer(.trust, to: trust), GivenAnswer(first, to: password)])
        #expect(
            given(second, to: password) == [
                GivenAnswer(.trust, to: trust), GivenAnswer(second, to: password),
            ])
        for port in 1...20 { #expect((given(.reject, to: question(.digest, port))?.count ?? 0) <= 8) }
    }

    @Test func `who cancels keeping goes on later with the same files, and they are removed once`() {
        var host = host()
        _ = ask(on: &host)
        hear(.progressed(TransferProgress(received: 3)), begun(host.take()).first, on: &host)
        _ = act(.cancelKeeping, on: &host)
        _ = act(.taking, on: &host)
        _ = act(.taken, on: &host)
        #expect(removed(host.take()) == [])
        func words() -> String? { host.state.report(at: host.now).apps.first?.transfers?.words }
        #expect(words() == "transfers: 1 left a part to resume")
        #expect(ask(Self.order(2) { $0.resumes = TransferID(1) }, on: &host) == .transfer(TransferID(2)))
        #expect(words() == "transfers: 1 runs")
        let start = begun(host.take()).first
        #expect(start?.stem == 1)
        hear(.finished(Self.result), start, on: &host)
        _ = act(.taken, 2, on: &host)
        #expect(removed(host.take()) == [1])
        #expect(
            refusal(ask(Self.order(3) { $0.resumes = TransferID(1) }, on: &host)).contains("Nothing is kept"))
    }

    @Test func `an operator pauses, resumes and cancels`() {
        var host = host()
        _ = ask(on: &host)
        _ = host.take()
        #expect(order(.pause, on: &host) == .done("Paused t1, until `lull transfers resume t1`."))
        #expect(stopped(host.take()) == [TransferID(1)])
        #expect(host.state.transfers(of: Sample.feed, session: nil).first?.phase == .paused)
        _ = act(.resume, on: &host)
        #expect(begun(host.take()).isEmpty, "the app does not undo what an operator did")
        _ = order(.resume, on: &host)
        #expect(begun(host.take()).count == 1)
        #expect(order(.resume, on: &host) == .unchanged("t1 goes on by itself: it is under way."))
        _ = order(.cancel, on: &host)
        #expect(host.state.transfers(of: Sample.feed, session: nil).first?.phase == .cancelled)
        #expect(refusal(order(.cancel, 9, on: &host)).contains("`lull transfers` lists them all"))
    }

    @Test func `to disable an app is a force quit: its transfers are cancelled`() {
        var host = host()
        _ = ask(on: &host)
        _ = host.take()
        _ = host.tell { .enabled(Sample.feed, false, reply: $0) }
        #expect(stopped(host.take()) == [TransferID(1)])
        #expect(host.state.transfers(of: Sample.feed, session: nil).first?.phase == .cancelled)
    }

    @Test func `a manifest without the key cancels what waits`() {
        var host = host()
        _ = ask(on: &host)
        host.load(Self.manifest(nil), stamp: "2")
        let event = host.records.last { $0.event == .transfer }
        #expect(event?.reason?.contains("no `transfers`") == true)
    }

    @Test func `the next host goes on with what was under way, and passes over old news`() throws {
        var host = host()
        _ = ask(on: &host)
        let old = begun(host.take()).first
        var next = TestHost(Self.manifest(), at: host.now.wall, ledger: host.state.ledger)
        #expect(begun(next.take()).map(\.id) == [TransferID(1)])
        hear(
            .interrupted(sentence: "killed", retryAfter: nil, received: 0),
            old.map {
                var start = $0
                start.attempt += 7
                return start
            }, on: &next)
        #expect(next.state.transfers(of: Sample.feed, session: nil).first?.phase == .active)
    }

    @Test
    func `an app that takes nothing is launched three times, and what it leaves is forgotten after 30 days`()
    {
        var host = host()
        _ = ask(on: &host)
        hear(.finished(Self.result), begun(host.take()).first, on: &host)
        host.pass(.days(2))
        #expect(host.launches(of: Self.task).count == 3)
        host.pass(.days(29))
        #expect(host.state.ledger.transfers.records.isEmpty)
        #expect(removed(host.take()) == [1])
    }

    @Test func `an app that takes some is launched for the rest at once, though its worker died`() {
        var host = host(TransferRules(atOnce: 6))
        for ordinal: UInt64 in 1...6 { _ = ask(Self.order(ordinal), on: &host) }
        for start in begun(host.take()) { hear(.finished(Self.result), start, on: &host) }
        for id: UInt64 in 1...6 {
            host.pass(.seconds(30), completing: false) { !$0.running.isEmpty }
            #expect(host.launches(of: Self.task).count == Int(id))
            _ = act(.taken, id, on: &host)
            host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 9 (SIGKILL)"))
        }
        #expect(host.state.ledger.transfers.records.isEmpty)
    }

    @Test func `files that belong to no transfer are known`() {
        var host = host()
        _ = ask(Self.order(1), on: &host)
        let names = [
            "1.part", "1.json", "2.json", "2.json.new", "3.done", "up-a", "03.part", "notes", "4.txt",
        ]
        let strays = host.state.ledger.transfers.strays(among: names, of: Sample.feed)
        #expect(strays.stems == [2, 3] && strays.uploads == ["up-a"])
    }

    @Test func `the week rule does not keep an app from hearing of its transfers`() {
        var host = host()
        _ = ask(Self.order { $0.wholeLimit = .days(20) }, on: &host)
        let start = begun(host.take()).first
        host.pass(.days(8))
        hear(.finished(Self.result), start, on: &host)
        host.pass(.seconds(30))
        #expect(host.launches(of: Self.task).count == 1)
    }

    @Test func `who stopped waiting for the answer has asked for nothing`() {
        var host = host()
        let token = host.token()
        host.handle(.transferAsked(Sample.feed, Self.order(), reply: token))
        host.handle(.withdrawn(reply: token))
        #expect(host.state.ledger.transfers.records.isEmpty)
        #expect(stopped(host.take()) == [TransferID(1)])
    }

    @Test func `who fails for good is told to those whom notify names`() {
        var manifest = Self.manifest()
        manifest.apps[0].tasks[0].notify = [NoticeSink(.desktop)]
        var host = TestHost(manifest)
        host.handle(.used(Sample.feed, at: host.now.wall))
        _ = ask(on: &host)
        let failure = TransferFailure(code: -1202, sentence: "the certificate is not trusted")
        hear(.failed(failure), begun(host.take()).first, on: &host)
        let notice = host.records.first { $0.event == .notice }
        #expect(
            notice?.reason
                == "t1, a download of https://example.com/1, failed for good: the certificate is not trusted")
    }

    @Test func `the checkpoint gives all of it back`() throws {
        var host = host()
        for ordinal: UInt64 in 1...3 { _ = ask(Self.order(ordinal), on: &host) }
        _ = act(.cancelKeeping, 2, on: &host)
        _ = order(.pause, 3, on: &host)
        let ledger = host.state.ledger
        let again = try Packed.decode(Ledger.self, from: Packed.encode(ledger))
        #expect(again == ledger && !again.transfers.isEmpty)
    }
}
