import LullCalendar
import LullModel
import LullScheduler
import LullSimulator
import Testing

/// One host in a fleet of its own does the same as without it: the fleet is one more gate, not another scheduler.
@Suite struct FleetEquivalenceTests {
    @Test(arguments: [0, 250, 500, 750])
    func `one host alone decides alike with a fleet and without`(first: UInt64) throws {
        var launches = 0
        for seed in first..<first + 100 {
            var alone = try Alone(seed: seed, isInFleet: false)
            var fleet = try Alone(seed: seed, isInFleet: true)
            let (local, shared) = (alone.run(), fleet.run())
            launches += local.count
            let first = zip(local, shared).first { $0 != $1 }
            let sentence =
                first.map { "\($0) alone, \($1) in a fleet" } ?? "\(local.count) and \(shared.count)"
            #expect(local == shared, "seed \(seed): \(sentence)")
            if local != shared { break }
        }
        #expect(launches > 700)
    }
}

/// A host, its manifest and some hours, made up from a seed; its database answers at once.
private struct Alone {
    struct Launch: Equatable, CustomStringConvertible {
        let task: TaskIdentifier
        let time: WallTime
        /// The time of `at` that it stands for.
        let covered: WallTime?
        var description: String { "\(task) at \(time.milliseconds) for \(covered?.milliseconds ?? 0)" }
    }

    private static let start = WallTime(seconds: 1_795_392_000)
    private static let length: Duration = .minutes(80)

    private var state: SchedulerState
    private var database = FleetDatabase()
    private var now: Now
    private var random: SeededGenerator
    private var launches: [Launch] = []
    private var ends: [(time: WallTime, run: RunID, succeeds: Bool)] = []
    private var changes: [(time: WallTime, conditions: Conditions)] = []
    private var armed = Deadline()
    private var steps = 0
    private var elapsed: Duration = .zero
    private let manifest: Manifest
    private let isInFleet: Bool

    init(seed: UInt64, isInFleet: Bool) throws {
        random = SeededGenerator(seed: seed)
        self.isInFleet = isInFleet
        now = Now(wall: Self.start, monotonic: MonotonicTime(nanoseconds: 1))
        var options = SchedulerOptions()
        options.host = "fleet"
        options.fleet = FleetIdentity(host: "h", place: "p", name: "b11")
        state = SchedulerState(ledger: Ledger(), options: options)
        var manifest = try Self.manifest(&random)
        if isInFleet {
            manifest.fleet = FleetDefinition(database: "host=/run/fleet", name: "fleet")
            for app in manifest.apps.indices {
                for task in manifest.apps[app].tasks.indices {
                    manifest.apps[app].tasks[task].fleet.scope = .anyHost
                }
            }
        }
        self.manifest = manifest
        var time = Self.start
        while time < Self.start + Self.length {
            time = time + .minutes(Int.random(in: 5...90, using: &random))
            changes.append((time, Conditions(externalPower: .known(random.chance(0.6)), load: 0.1)))
        }
    }

    private static func manifest(_ random: inout SeededGenerator) throws -> Manifest {
        let apps = try (0..<Int.random(in: 1...2, using: &random)).map { try app($0, &random) }
        // Often there is room for one run alone, so that the order of launches is compared, too.
        return Manifest(hostConcurrency: Int.random(in: 1...4, using: &random), apps: apps)
    }

    private static func app(_ number: Int, _ random: inout SeededGenerator) throws -> App {
        var app = App(
            identifier: try #require(AppIdentifier("com.example.Alone\(number)")), plugin: "/alone.so")
        app.idleAfter = nil
        app.concurrency = Int.random(in: 1...4, using: &random)
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let name = try #require(TaskIdentifier("task\(number)", of: app.identifier))
            let isRefresh = random.chance(0.2)
            var task = TaskDefinition(
                identifier: name, app: app.identifier, kind: isRefresh ? .refresh : .processing)
            task.requires.idle = false
            if isRefresh {
                task.repeat = .minutes(15)
                task.budget = Double(Int.random(in: 8...96, using: &random))
            } else if random.chance(0.5) {
                let texts = ["*/5 * * * *", "*/7 * * * *", "0,20,50 * * * *", "13 * * * *", "*/30 1-3 * * *"]
                task.at = try ExactTimes(texts[Int.random(in: 0..<texts.count, using: &random)])
                task.missed = MissedTimes.allCases[Int.random(in: 0..<3, using: &random)]
                if random.chance(0.3) { task.spread = .minutes(3) }
            } else {
                task.repeat = .minutes(Int.random(in: 3...100, using: &random))
            }
            if random.chance(0.5) { task.requires.externalPower = true }
            if random.chance(0.3) { task.quiet = [Window(opens: 60, closes: 75, text: "01:00-01:15")] }
            task.priority = Int.random(in: 0...2, using: &random)
            task.timeLimit = .minutes(Int.random(in: 1...20, using: &random))
            app.tasks.append(task)
        }
        return app
    }

    mutating func run() -> [Launch] {
        handle(.conditionsChanged(Conditions(externalPower: .known(true), load: 0.1)))
        let stamps = Dictionary(uniqueKeysWithValues: manifest.apps.map { ($0.identifier, "1") })
        // A host without a fleet does not wait for the database's first answer, so the comparison begins after it.
        handle(.paused(.all, until: nil, reason: nil, reply: Token(1)))
        handle(.manifestLoaded(manifest, stamps: stamps))
        if isInFleet { handle(.fleet(.connected)) }
        handle(.resumed(.all, reply: Token(2)))
        while steps < 50_000 {
            let wall = [armed.wall, ends.map(\.time).min(), changes.first?.time].compactMap { $0 }.min()
            let times = [
                wall.map { $0 - Self.start }, armed.monotonic.map { .nanoseconds($0.nanoseconds - 1) },
            ]
            guard let next = times.compactMap({ $0 }).min(), next < Self.length else { break }
            elapsed = max(elapsed, next)
            now.wall = Self.start + elapsed
            now.monotonic = MonotonicTime(nanoseconds: elapsed.nanoseconds + 1)
            if let change = changes.first, change.time <= now.wall {
                changes.removeFirst()
                handle(.conditionsChanged(change.conditions))
            } else if let index = ends.firstIndex(where: { $0.time <= now.wall }) {
                let ended = ends.remove(at: index)
                handle(.completed(ended.run, success: ended.succeeds, summary: nil))
            } else {
                handle(.wake)
            }
        }
        return launches
    }

    /// Follow-up events come in order, as from one loop and one connection.
    private mutating func handle(_ event: Event) {
        var queue = [event]
        while !queue.isEmpty { queue += answers(to: queue.removeFirst()) }
    }

    private mutating func answers(to event: Event) -> [Event] {
        steps += 1
        guard steps < 50_000 else {
            if steps == 50_000 { Issue.record("the host spins at \(now.wall): \(event)") }
            return []
        }
        var answers: [Event] = []
        for effect in state.handle(event, at: now) {
            switch effect {
            case .record(let event) where event.event == .launched:
                guard let task = event.task else { continue }
                launches.append(Launch(task: task, time: event.time, covered: event.occurrence?.time))
            case .arm(let deadline): armed = deadline
            case .startWorker(let worker):
                let tasks = manifest.tasks.filter { $0.app == worker.app }.map(\.identifier)
                answers.append(.workerReady(worker, registered: tasks))
            case .evictWorker(let worker), .killWorker(let worker, _):
                answers.append(.workerExited(worker, sentence: "ended by itself (status 0)"))
            case .launch(let launch):
                begin(launch)
                answers += [.carriedOut(.launch(launch.run)), .launchReturned(launch.run)]
            case .expire(let run, _, _):
                ends.removeAll { $0.run == run }
                answers += [.carriedOut(.expire(run)), .completed(run, success: false, summary: nil)]
            case .askFleet(let number, let call):
                answers.append(.fleet(.answered(number, database.answer(call, at: now.wall))))
            default: break
            }
        }
        return answers
    }

    private mutating func begin(_ launch: Launch_) {
        // The length is the same for the same run of a task, whatever else was drawn.
        let count = launches.count { $0.task == launch.task }
        var own = SeededGenerator(seed: UInt64(count) &* 7919 &+ UInt64(launch.task.text.utf8.count))
        let length = Duration.seconds(Int.random(in: 5...1_500, using: &own))
        ends.append((now.wall + length, launch.run, !own.chance(0.1)))
    }
    private typealias Launch_ = LullScheduler.Launch
}
