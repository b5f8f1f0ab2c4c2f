import LullModel
import Testing

@testable import LullScheduler

struct DispatchTests {
    /// Tasks that all wait for power, each in its own app.
    private func host(
        _ count: Int, concurrency: Int, _ change: (Int, inout TaskDefinition) -> Void = { _, _ in }
    ) -> TestHost {
        var host = TestHost(
            Sample.manifest(
                (0..<count).map { number in
                    Sample.definition(task(number), of: Sample.app("com.example.App\(number)"), .processing) {
                        $0.requires = Requirements(externalPower: true, idle: false)
                        change(number, &$0)
                    }
                }, concurrency: concurrency),
            conditions: RequestTests.dark)
        for number in 0..<count {
            _ = host.submit(task(number), from: Sample.app("com.example.App\(number)"))
        }
        return host
    }

    private func task(_ number: Int) -> TaskIdentifier { Sample.task("com.example.App\(number).t") }

    @Test func `no more run at once than the host may, and the rest follows in order of submission`() {
        var host = host(6, concurrency: 2)
        host.handle(.conditionsChanged(.quiet))
        #expect(host.running.count == 2)
        #expect(host.closed(task(5)) == [.concurrency])
        for _ in 0..<6 {
            if let first = host.running.first { host.handle(.completed(first, success: true, summary: nil)) }
        }
        #expect(host.records.filter { $0.event == .launched }.map(\.task) == (0..<6).map(task))
    }

    @Test func `of many due at once the first are launched while the host decides on the next`() {
        let tasks = (0..<200).map { number in
            Sample.definition(Sample.task("com.example.Feed.t\(number)"), of: Sample.feed, .processing) {
                $0.requires = Requirements(externalPower: true, idle: false)
                $0.repeat = .hours(1)
            }
        }
        var host = TestHost(
            Sample.manifest(tasks, concurrency: 1000) { $0.concurrency = 1000 },
            conditions: RequestTests.dark)
        var next: Event? = .conditionsChanged(.quiet)
        var launches: [Int] = []
        while let event = next, launches.count < 10 {
            next = nil
            let effects = host.state.handle(event, at: host.now)
            launches.append(effects.count { if case .launch = $0 { true } else { false } })
            for effect in effects {
                switch effect {
                case .arm(let deadline) where deadline.monotonic == host.now.monotonic: next = .wake
                case .startWorker(let worker):
                    next = .workerReady(worker, registered: tasks.map(\.identifier))
                default: break
                }
            }
        }
        #expect(launches.filter { $0 > 0 } == [64, 64, 64, 8])
    }

    @Test func `priority comes before order, and who has starved before both`() {
        var host = host(4, concurrency: 1) { number, task in
            task.priority = number == 2 ? 5 : 0
            if number == 3 { task.latest = .hours(1) }
        }
        // One runs, and the others have their gates open from here on.
        host.handle(.conditionsChanged(.quiet))
        #expect(host.running.count == 1)
        var order = host.records.filter { $0.event == .launched }.compactMap(\.task)
        #expect(order == [task(2)])
        host.complete()
        order = host.records.filter { $0.event == .launched }.compactMap(\.task)
        #expect(order == [task(2), task(0)])
    }

    @Test func `who waits for room alone starves too, and then goes first`() {
        var host = host(3, concurrency: 1) { number, task in
            (task.priority, task.timeLimit) = (number == 1 ? 0 : 5, .hours(3))
            if number == 1 { (task.requires.idle, task.latest) = (nil, .hours(1)) }
        }
        // One runs, one waits until the host is quiet, and then for room.
        var noisy = Conditions.quiet
        noisy.presence = .known(.active)
        host.handle(.conditionsChanged(noisy))
        for run in host.running { host.handle(.launchReturned(run)) }
        host.advance(.minutes(1))
        host.handle(.conditionsChanged(.quiet))
        host.pass(.minutes(61), completing: false)
        host.complete()
        #expect(host.records.filter { $0.event == .launched }.map(\.task) == [task(0), task(1)])
    }

    @Test func `starved tasks go first`() {
        let ready = [(false, 5, 0.9, 1), (true, 0, 0.1, 9), (false, 5, 0.95, 8), (false, 5, 0.95, 7)].map {
            Ready(
                task: task(0), app: Sample.feed, request: RequestID($0.3), isStarved: $0.0, priority: $0.1,
                score: $0.2)
        }
        #expect(ready.sorted(by: >).map(\.request.number) == [9, 7, 8, 1])
    }

    @Test func `an app's own limit does not hold others up`() {
        var tasks = (0..<5).map {
            Sample.definition(Sample.task("com.example.Feed.t\($0)"), .processing) {
                $0.requires.idle = false
            }
        }
        tasks.append(
            Sample.definition(Sample.otherWork, of: Sample.other, .processing) { $0.requires.idle = false })
        var host = TestHost(Sample.manifest(tasks) { $0.concurrency = 2 })
        for task in tasks { _ = host.submit(task.identifier) }
        #expect(host.running.count == 3)
        #expect(host.state.runs.values.count { $0.app == Sample.other } == 1)
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.running.count == 3)
    }

    @Test func `a submit while the task runs waits for the end of the run`() {
        var host = TestHost(Sample.simple())
        _ = host.submit(Sample.cleaning, from: Sample.feed)
        _ = host.submit(Sample.cleaning)
        #expect(host.running == [RunID(1)] && host.closed(Sample.cleaning) == [.concurrency])
        host.handle(.completed(RunID(1), success: true, summary: nil))
        #expect(host.running == [RunID(2)])
    }

    @Test func `refreshes of one app keep their gap though both are due`() {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Sample.refresh, .refresh) { $0.repeat = .hours(1) },
                Sample.definition(Sample.indexing, .refresh) { $0.repeat = .hours(1) },
            ]))
        #expect(host.running.count == 1)
        host.pass(.hours(1)) { $0.names().count { $0 == .launched } == 2 }
        #expect(host.now.wall == .at(0, 0, 15))
    }

    /// Two refreshes that wait for power, and one place in their app.
    private func refreshes() -> TestHost {
        let tasks = [Sample.refresh, Sample.indexing].map {
            Sample.definition($0, .refresh) {
                $0.requires = Requirements(externalPower: true)
                $0.repeat = .hours(6)
            }
        }
        return TestHost(Sample.manifest(tasks) { $0.concurrency = 1 }, conditions: RequestTests.dark)
    }

    @Test func `a refresh that another one has just forestalled says so at once, and is woken for`() {
        var host = refreshes()
        host.handle(.conditionsChanged(.quiet))
        #expect(host.running.count == 1)
        #expect(host.record(Sample.indexing)?.closed.keys.contains("rate_limit") == true)
        #expect(host.armed.wall == host.now.wall + .minutes(15))
    }

    @Test func `no worker is started for what may no longer be launched`() {
        var host = refreshes()
        host.handle(.conditionsChanged(.quiet))
        host.startsWorkers = false
        _ = host.take()
        host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 6 (SIGABRT)"))
        #expect(host.running.isEmpty && host.worker(Sample.feed) == WorkerState.none)
        host.advance(.minutes(15))
        host.handle(.wake)
        #expect(host.worker(Sample.feed) == .starting)
    }

    @Test func `workers being started hold places, so that no more are started than can launch`() {
        var host = host(10, concurrency: 3)
        host.pass(.hours(1))
        host.startsWorkers = false
        _ = host.take()
        host.handle(.conditionsChanged(.quiet))
        #expect(host.effects.count { if case .startWorker = $0 { true } else { false } } == 3)
    }

    @Test func `the same events have the same effects`() {
        func effects() -> [Effect] {
            var host = host(40, concurrency: 7)
            host.handle(.conditionsChanged(.quiet))
            host.pass(.hours(3))
            return host.effects
        }
        #expect(effects() == effects())
    }

    @Test func `an event looks only at the tasks that it concerns`() {
        var host = host(500, concurrency: 4)
        func looked() -> Int { host.state.tasks.values.count { $0.judgement.turn == host.state.turn.number } }
        _ = host.submit(task(7), from: Sample.app("com.example.App7"))
        #expect(looked() <= 1)
        host.handle(
            .conditionsChanged(Conditions(externalPower: .known(false), network: .known(.metered), load: 3)))
        #expect(looked() == 0)
        host.handle(.used(Sample.app("com.example.App3"), at: host.now.wall))
        #expect(looked() <= 1)
        host.handle(.wake)
        #expect(looked() == 0)
    }

    @Test func `heaps stay small however often a task is looked at`() {
        var host = TestHost(
            Sample.simple {
                $0.repeat = .hours(1); $0.requires.externalPower = true
            })
        host.complete()
        for number in 0..<5000 {
            _ = host.submit(Sample.cleaning, begin: host.now.wall + .hours(1) + .seconds(number))
        }
        #expect(host.state.agenda.count < 3000 && host.state.queue.count < 3000)
    }

    @Test func `nothing due is nothing armed but the week rule`() {
        var host = TestHost(Sample.simple())
        host.pass(.hours(1))
        #expect(host.armed == Deadline(wall: .at(5, 0), monotonic: nil))
        _ = host.take()
        #expect(host.handle(.conditionsChanged(Conditions(load: 3))) == [])
    }
}
