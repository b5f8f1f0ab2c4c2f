import Dispatch
import LullModel
import LullSystem
import Synchronization
import Testing

@testable import LullFleet

/// Many sessions of the server at once, which the model can't show, because it answers one call after another.
@Suite(.enabled(if: Postgres.isThere, Postgres.absence))
struct ConcurrencyTests {
    private let postgres: Postgres
    private let task: TaskIdentifier
    private static let count = 16

    init() throws {
        postgres = try Postgres.shared.get()
        task = try #require(TaskIdentifier("x.t"))
    }

    private func start(_ fleet: String) throws -> (Bench, [(name: String, link: FleetConnection)]) {
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: fleet))
        let bench = try Bench(fleet)
        let hosts = try (0..<Self.count).map { ("h\($0)", try bench.connection(postgres.database)) }
        for answer in try bench.ask(hosts.map { ($0.1, .hello(Bench.hello($0.0, task: task))) }) {
            _ = try answer.get()
        }
        return (bench, hosts)
    }

    private func claims(
        _ bench: Bench, _ calls: [(FleetConnection, FleetClaim)]
    ) throws -> [FleetClaim.Answer] {
        try bench.ask(calls.map { ($0.0, .claim($0.1)) }).map { answer in
            guard case .claim(let claim) = try answer.get() else { throw Bench.Late() }
            return claim
        }
    }

    @Test func `each slot has one holder, and the numbers of a task only grow`() throws {
        let (bench, hosts) = try start("race")
        var last: Int64 = 0
        for round in 0..<60 {
            let slot = SlotName(task, at: Clock.wall - .seconds(3_600 - round))
            let answers = try claims(
                bench,
                hosts.map { host in
                    (
                        host.link,
                        FleetClaim(
                            host: host.name, slot: slot, definitionHash: "m", through: slot.nominal,
                            lease: 60_000)
                    )
                })
            let winners = answers.filter { $0.verdict == .claimed }
            let winner = try #require(winners.first)
            #expect(winners.count == 1)
            #expect(answers.allSatisfy { [.claimed, .leased].contains($0.verdict) })
            let lease = try #require(winner.lease)
            #expect(lease.number > last)
            last = lease.number
            // The holder finishes on all connections, as after lost answers: the database accepts all, because they agree.
            let holder = try #require(zip(hosts, answers).first { $1.verdict == .claimed }?.0.name)
            let finished = try bench.ask(
                hosts.map { ($0.link, .finish(FleetFinish(host: holder, lease, .done))) })
            for answer in finished {
                guard case .finish(let finish) = try answer.get() else { throw Bench.Late() }
                #expect(finish.accepted && finish.slotStatus?.state == .done)
            }
        }
    }

    @Test func `all hosts ask for many slots in orders of their own`() throws {
        let (bench, hosts) = try start("many")
        let slots = (0..<40).map { SlotName(task, at: Clock.wall - .seconds(7_200 - 60 * $0)) }
        var random = SeededGenerator(seed: 7)
        var calls: [(FleetConnection, FleetCall)] = []
        for host in hosts {
            let offers = slots.shuffled(using: &random).map {
                FleetBeat.Offer(slot: $0, definitionHash: "m", tolerance: nil)
            }
            calls.append((host.link, .beat(FleetBeat(host: host.name, lease: 60_000, offers: offers))))
            for slot in slots.shuffled(using: &random) {
                let claim = FleetClaim(
                    host: host.name, slot: slot, definitionHash: "m", through: slot.nominal, limit: 99,
                    lease: 60_000
                )
                calls.append((host.link, .claim(claim)))
            }
            calls.append((host.link, .beat(FleetBeat(host: host.name, lease: 60_000))))
        }
        var holders: [SlotName: [SlotLease]] = [:]
        for answer in try bench.ask(calls) {
            guard case .claim(let claim) = try answer.get(), let lease = claim.lease else { continue }
            holders[lease.slot, default: []].append(lease)
        }
        #expect(holders.values.allSatisfy { $0.count == 1 }, "\(holders)")
        let numbers = holders.values.flatMap { $0.map(\.number) }
        #expect(Set(numbers).count == numbers.count, "no number is given twice")
        let schema = FleetSchema.quoted(FleetSchema.name(of: "many"))
        let ended = try postgres.sql("select count(*) from \(schema).slot where state = 'open'")
        #expect(ended == "0", "each is leased, or a later one stands for it")
    }

    @Test func `of a task with repeat one host gets the next, and no more run at once than may`() throws {
        let (bench, hosts) = try start("repeat")
        for _ in 0..<20 {
            let now = Clock.wall
            let answers = try claims(
                bench,
                hosts.map { host in
                    let slot = SlotName(task, at: now)
                    return (
                        host.link,
                        FleetClaim(
                            host: host.name, slot: slot, definitionHash: "m", through: now, every: 1,
                            lease: 60_000)
                    )
                })
            #expect(answers.filter { $0.verdict == .claimed }.count == 1)
            let (host, answer) = try #require(zip(hosts, answers).first { $1.lease != nil })
            let finish = FleetFinish(host: host.name, try #require(answer.lease), .done)
            _ = try bench.ask(hosts[0].link, .finish(finish))
        }
        let few = try #require(TaskIdentifier("x.few"))
        let now = Clock.wall
        let answers = try claims(
            bench,
            hosts.map { host in
                let slot = SlotName(few, at: now, target: "place-" + host.name)
                return (
                    host.link,
                    FleetClaim(
                        host: host.name, slot: slot, definitionHash: "m", through: now, limit: 3,
                        lease: 60_000)
                )
            })
        #expect(answers.filter { $0.verdict == .claimed }.count == 3)
        #expect(answers.filter { $0.verdict == .full }.count == Self.count - 3)
    }

    @Test func `installations at once find each other, and a later schema is left alone`() throws {
        let definition = FleetDefinition(database: postgres.database, name: "installed twice")
        let reports = Mutex<[FleetInstall.Report]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            let report = try? FleetInstall.run(definition)
            reports.withLock { $0 += report.map { [$0] } ?? [] }
        }
        let befores = reports.withLock { $0.map(\.before).sorted() }
        #expect(befores == [0, 1, 1, 1, 1, 1])
        let schema = FleetSchema.quoted(FleetSchema.name(of: definition.name))
        try postgres.sql("insert into \(schema).version (version) values (99)")
        #expect(throws: FleetTrouble.newer(place: postgres.database, version: 99)) {
            _ = try FleetInstall.run(definition)
        }
    }

    @Test func `a host's role may call the functions and do nothing else`() throws {
        _ = try FleetInstall.run(FleetDefinition(database: postgres.database, name: "roles"))
        let bench = try Bench("roles")
        let link = try bench.connection(
            "host=\(postgres.folder) user=\(FleetSchema.hostRole(of: "roles")) dbname=postgres")
        guard case .hello(let answer) = try bench.ask(link, .hello(Bench.hello("a"))) else {
            throw Bench.Late()
        }
        #expect(answer.version == FleetSchema.version)
        for statement in [
            "select * from lull_roles.host", "select lull_roles.keep_up(0)", "create table lull_roles.t ()",
            "select lull_roles.clock()",
        ] {
            #expect(throws: Nobody.Trouble.self, "\(statement)") {
                try postgres.sql(statement, user: FleetSchema.hostRole(of: "roles"))
            }
        }
        let read = try postgres.sql(
            "select lull_roles.hosts_1('{}')", user: FleetSchema.readerRole(of: "roles"))
        #expect(read.contains("name-a"))
        #expect(throws: Nobody.Trouble.self) {
            try postgres.sql("select lull_roles.drain_1('{}')", user: FleetSchema.readerRole(of: "roles"))
        }
        for function in ["slots", "jobs", "counts", "why"] {
            _ = try postgres.sql(
                "select lull_roles.\(function)_1('{\"task\":\"x.t\"}')",
                user: FleetSchema.hostRole(of: "roles"))
        }
        let noReason = "insert into lull_roles.slot values ('x.t', '', 1, 'm', 2, 'skipped')"
        #expect(throws: Nobody.Trouble.self) { try postgres.sql(noReason) }
    }
}
