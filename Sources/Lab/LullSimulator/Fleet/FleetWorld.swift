import LullCalendar
import LullModel

/// A fleet's days, made up from a seed: hosts that crash, sleep and are cut off, clocks that differ, a database that goes away,
/// forgets its last transactions and comes back, and manifests that roll over the hosts.
public struct FleetWorld: Sendable {
    enum Stimulus: Sendable {
        /// `kill -9` of the host and its workers.
        case crash(Int, down: Duration)
        /// Told to end, and started again.
        case restart(Int, down: Duration)
        case sleep(Int, Duration)
        /// Its clock is another from now on.
        case clock(Int, ahead: Duration)
        /// The host can't reach the database.
        case cut(Int, Duration)
        case conditions(Int, Conditions)
        case manifest(Int)
        case drain(Int, Duration)
        case databaseAway(Duration)
        /// A replica without the last transactions takes over.
        case failover(lost: Duration, away: Duration)
        /// Every connection is reset.
        case reset
        case submit(Int)
    }

    struct Entry: Sendable {
        let time: Duration
        let stimulus: Stimulus
    }

    let seed: UInt64
    let start: WallTime
    let hosts: Int
    var offsets: [Duration]
    var manifests: [Manifest]
    var entries: [Entry] = []
    /// From here on nothing goes wrong, so that all due work is done by the end.
    var calm: Duration { end - .hours(4) }
    let end: Duration

    static let app = AppIdentifier("com.example.Fleet") ?? .host
    /// Each host runs it, every quarter of an hour, whatever becomes of the database.
    static let local = TaskIdentifier("local", of: app)

    public init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        start = WallTime(seconds: 1_790_000_000 + Int64.random(in: 0..<86_400, using: &random))
        hosts = Int.random(in: 1...5, using: &random)
        end = .hours(24 * Int.random(in: 1...2, using: &random))
        offsets = []
        // A separate generator, so that the rest of a seed's days stays as it is.
        var leases = SeededGenerator(seed: seed ^ 0x1ea5e)
        manifests = [Self.manifest(&random, version: 0)]
        manifests[0].drawLeases(&leases)
        var second = manifests[0]
        second.hash = "b"
        for index in second.apps[0].tasks.indices where random.chance(0.4) {
            second.apps[0].tasks[index].settings = .object(["version": .string("b")])
        }
        // Hosts need not agree on how long a lease lasts.
        if leases.chance(0.3) { second.drawLeases(&leases) }
        manifests.append(second)
        for _ in 0..<hosts {
            let ahead: Duration =
                random.chance(0.2)
                ? .minutes(Int.random(in: -40...40, using: &random))
                : .milliseconds(Int.random(in: -400...400, using: &random))
            offsets.append(ahead)
        }
        for _ in 0..<Int.random(in: 5...40, using: &random) { add(&random) }
        let good = Conditions(externalPower: .known(true), network: .known(.unmetered))
        for host in 0..<hosts {
            entries.append(Entry(time: calm, stimulus: .conditions(host, good)))
            entries.append(Entry(time: calm, stimulus: .clock(host, ahead: .zero)))
        }
        entries.sort { $0.time < $1.time }
    }

    /// Hours in which nothing goes wrong: so many hosts, alike, with the same manifest from the first moment on.
    public init(hosts: Int, hours: Int, _ manifest: Manifest, _ conditions: Conditions) {
        (seed, start, self.hosts, end) = (1, WallTime(seconds: 1_790_000_000), hosts, .hours(hours))
        offsets = Array(repeating: .zero, count: hosts)
        manifests = [manifest]
        entries = (0..<hosts).map { Entry(time: .zero, stimulus: .conditions($0, conditions)) }
    }

    private mutating func add(_ random: inout SeededGenerator) {
        let time = Duration.milliseconds(Int64.random(in: 0..<calm.milliseconds - 7_200_000, using: &random))
        let host = Int.random(in: 0..<hosts, using: &random)
        func span(_ range: ClosedRange<Int>) -> Duration {
            .milliseconds(
                Int64.random(
                    in: Int64(range.lowerBound) * 1000...Int64(range.upperBound) * 1000, using: &random))
        }
        let stimulus: Stimulus =
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<4: .crash(host, down: span(1...600))
            case 4: .restart(host, down: span(1...60))
            case 5..<8: .sleep(host, span(10...7_200))
            case 8: .clock(host, ahead: .minutes(Int.random(in: -50...50, using: &random)))
            case 9..<12: .cut(host, span(5...3_600))
            case 12..<14:
                .conditions(host, Self.conditions(&random))
            case 14: .manifest(host)
            case 15: .drain(host, span(60...7_200))
            case 16: .databaseAway(span(5...5_400))
            case 17: .failover(lost: span(1...5), away: span(2...30))
            case 18: .reset
            default: .submit(host)
            }
        entries.append(Entry(time: time, stimulus: stimulus))
    }

    static func conditions(_ random: inout SeededGenerator) -> Conditions {
        Conditions(
            externalPower: .known(random.chance(0.7)),
            network: .known(random.chance(0.8) ? .unmetered : .metered),
            load: Double.random(in: 0...2, using: &random))
    }

    /// The texts below are valid times.
    private static func times(_ text: String) -> ExactTimes? { try? ExactTimes(text) }

    private static func manifest(_ random: inout SeededGenerator, version: Int) -> Manifest {
        var app = App(identifier: app, plugin: "/fleet.so")
        app.idleAfter = nil
        app.concurrency = 8
        func add(_ name: String, _ change: (inout TaskDefinition, inout SeededGenerator) -> Void) {
            guard let identifier = TaskIdentifier(name, of: app.identifier) else { return }
            var task = TaskDefinition(identifier: identifier, app: app.identifier, kind: .processing)
            task.requires.idle = false
            change(&task, &random)
            app.tasks.append(task)
        }
        add("local") { task, _ in task.at = times("*/15 * * * *") }
        add("hourly") { task, random in
            task.at = times("7 * * * *")
            task.fleet.scope = .anyHost
            task.missed = random.chance(0.3) ? .skip : random.chance(0.3) ? .all : .one
            if random.chance(0.3) { task.spread = .minutes(5) }
            if random.chance(0.5) { task.fleet.prefer = random.chance(0.5) ? .idlest : .cheapest }
        }
        add("often") { task, random in
            task.at = times("*/5 * * * *")
            task.fleet.scope = .anyHost
            task.missed = random.chance(0.5) ? .skip : .one
            task.timeLimit = .minutes(20)
            if random.chance(0.5) { task.requires.externalPower = true }
        }
        add("repeats") { task, random in
            task.repeat = .minutes(Int.random(in: 5...90, using: &random))
            task.fleet.scope = .anyHost
            if random.chance(0.3) { task.requires.externalPower = true }
        }
        add("limited") { task, _ in
            task.at = times("*/20 * * * *")
            task.fleet.concurrency = 1
        }
        var manifest = Manifest(path: "jobs.yaml", hash: "a", hostConcurrency: 8, apps: [app])
        manifest.fleet = FleetDefinition(database: "host=/run/fleet")
        return manifest
    }
}

extension Manifest {
    /// Some of the tasks that need leases say how long those last.
    fileprivate mutating func drawLeases(_ random: inout SeededGenerator) {
        for index in apps[0].tasks.indices where apps[0].tasks[index].fleet.needsLease {
            guard random.chance(0.3) else { continue }
            apps[0].tasks[index].fleet.lease = .seconds(Int.random(in: 60...900, using: &random))
        }
    }
}
