import LullCalendar
import LullModel
import Testing

@testable import LullScheduler

/// A closed gate, and ways of doing what its remedy says.
struct GateRemedy: Sendable, CustomTestStringConvertible {
    typealias Edit = @Sendable (inout TestHost) -> Void

    let gate: GateName
    var task = Sample.cleaning
    /// A host on which the gate is closed.
    let host: @Sendable () throws -> TestHost
    /// The remedy's steps that are no commands, each tried on its own host.
    var edits: [Edit] = []

    var testDescription: String { "\(gate.rawValue): \((try? remedy) ?? "")" }

    var remedy: String? { get throws { try host().gate(gate, of: task)?.remedy } }

    /// The commands that the remedy writes out, without their first word.
    var commands: [[Substring]] {
        get throws {
            try (remedy ?? "").split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("lull ") }
                .map { $0.element.split(separator: " ").dropFirst() }.map(Array.init)
        }
    }

    /// Carries out a command; false if the words are none.
    static func carryOut(_ words: [Substring], on host: inout TestHost) -> Bool {
        let name = String(words.dropFirst().first ?? "")
        let task = TaskIdentifier(name)
        let app = AppIdentifier(name).flatMap { app in host.state.app(app).map(\.identifier) }
        switch (words.first, task) {
        case ("launch", let task?):
            _ = host.launch(task)
            // The worker finishes its start or exit meanwhile.
            let worker = host.last(Sample.feed)
            switch host.worker(Sample.feed) {
            case .leaving: host.handle(.workerExited(worker, sentence: "ended by itself (status 0)"))
            case .starting:
                host.handle(.workerReady(worker, registered: host.registers[Sample.feed] ?? []))
            default: break
            }
        case ("submit", let task?): _ = host.submit(task)
        case ("stop", let task?):
            _ = host.tell { .expireRequested(task, reply: $0) }
            host.complete()
        case ("enable", let task?):
            _ = host.tell { .enabled(app ?? Sample.feed, true, task: app == nil ? task : nil, reply: $0) }
        case ("used", _):
            guard let app else { return false }
            host.handle(.used(app, at: host.now.wall))
        case ("resume", _):
            let scope = app.map(Pause.Scope.app) ?? task.map(Pause.Scope.task) ?? .all
            guard name == scope.argument else { return false }
            _ = host.tell { .resumed(scope, reply: $0) }
        // A restart, on the state that the host left.
        case ("run", nil):
            let manifest = host.state.manifest
            host = TestHost(manifest, at: host.now.wall, ledger: host.state.ledger)
        default: return false
        }
        return true
    }

    func isMended(_ host: TestHost, launchedBefore: Int) -> Bool {
        host.gate(gate, of: task)?.isOpen == true || host.launches(of: task).count > launchedBefore
    }

    static let all = policy + time + conditions

    // MARK: What somebody has decided

    private static let export = Sample.task("com.example.Feed.export.*")

    private static let policy: [GateRemedy] = [
        GateRemedy(
            gate: .permitted, task: Sample.indexing, host: { TestHost(Sample.simple()) },
            edits: [load(Sample.manifest([Sample.definition(Sample.indexing, .processing)]))]),
        GateRemedy(
            gate: .permitted,
            host: {
                var host = TestHost(
                    Sample.simple { $0.requires.network = .unmetered },
                    conditions: .init(network: .known(.none)))
                _ = host.submit(Sample.cleaning)
                host.load(Sample.manifest([Sample.definition(Sample.cleaning, .refresh)]))
                return host
            }, edits: [load(Sample.simple()), { _ = $0.cancel(Sample.cleaning) }]),
        GateRemedy(
            gate: .registered, host: { try failing("undefined symbol: sqlite3_open") },
            edits: [load(Sample.simple(), stamp: "2")]),
        GateRemedy(gate: .registered, host: { starting() }),
        GateRemedy(
            gate: .registered,
            host: { TestHost(Sample.simple(), options: SchedulerOptions(discovers: false, launches: false)) }),
        GateRemedy(
            gate: .registered,
            host: {
                var host = silent()
                host.registers[Sample.feed] = [Sample.cleaning]
                host.startsWorkers = false
                host.load(Sample.simple(), stamp: "2")
                host.startsWorkers = true
                return host
            }),
        GateRemedy(
            gate: .registered,
            host: {
                var host = TestHost(
                    ledger: silent().state.ledger,
                    options: SchedulerOptions(discovers: false, launches: false))
                host.load(Sample.simple(), stamp: "2")
                return host
            }),
        GateRemedy(
            gate: .registered,
            host: {
                silent()
            },
            edits: [
                {
                    $0.registers[Sample.feed] = [Sample.cleaning]
                    $0.load(Sample.simple(), stamp: "2")
                }
            ]),
        GateRemedy(gate: .enabled, host: { told { .enabled(Sample.feed, false, reply: $0) } }),
        GateRemedy(
            gate: .enabled, host: { told { .enabled(Sample.feed, false, task: Sample.cleaning, reply: $0) } }),
        GateRemedy(
            gate: .enabled,
            host: {
                TestHost(
                    Sample.manifest([Sample.definition(Sample.cleaning, .processing)]) { $0.enabled = false })
            },
            edits: [load(Sample.simple())]),
        GateRemedy(
            gate: .enabled, host: { TestHost(Sample.simple { $0.enabled = false }) },
            edits: [load(Sample.simple())]),
        GateRemedy(gate: .paused, host: { told { .paused(.all, until: nil, reason: nil, reply: $0) } }),
        GateRemedy(
            gate: .paused, host: { told { .paused(.app(Sample.feed), until: nil, reason: nil, reply: $0) } }),
        GateRemedy(
            gate: .paused,
            host: { told { .paused(.task(Sample.cleaning), until: nil, reason: nil, reply: $0) } }),
        GateRemedy(
            gate: .fleet, host: { TestHost(try labelled("a")) },
            edits: [{ host in if let manifest = try? labelled("b") { host.load(manifest) } }]),
        GateRemedy(gate: .idleApp, host: { later(.days(30)) }),
        GateRemedy(
            gate: .requested, host: { TestHost(Sample.simple()) },
            edits: [
                load(Sample.simple { $0.repeat = .hours(1) }),
                { _ = $0.submit(Sample.cleaning, from: Sample.feed) },
            ]),
        GateRemedy(
            gate: .requested, task: Sample.indexing,
            host: { TestHost(Sample.manifest([Sample.definition(Sample.indexing, .continued)])) },
            edits: [{ _ = $0.submit(Sample.indexing, from: Sample.feed, kind: .continued) }]),
        GateRemedy(gate: .shuttingDown, host: { told { _ in .shutdown } }),
    ]

    private static func load(_ manifest: Manifest, stamp: String = "1") -> Edit {
        { $0.load(manifest, stamp: stamp) }
    }

    private static func told(_ event: (Token) -> Event) -> TestHost {
        var host = TestHost(Sample.simple())
        _ = host.tell(event)
        return host
    }

    /// The plugin has registered nothing.
    private static func silent() -> TestHost {
        var host = TestHost()
        host.registers[Sample.feed] = []
        host.load(Sample.simple())
        return host
    }

    /// Its app is being discovered, and nothing is known of it.
    private static func starting() -> TestHost {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple())
        host.startsWorkers = true
        return host
    }

    private static func failing(_ sentence: String) throws -> TestHost {
        var host = TestHost()
        host.startsWorkers = false
        host.load(Sample.simple())
        host.handle(.workerFailed(host.last(Sample.feed), sentence: sentence))
        host.startsWorkers = true
        return host
    }

    private static func later(_ span: Duration) -> TestHost {
        var host = TestHost(Sample.simple())
        host.advance(span)
        host.handle(.wake)
        return host
    }

    // MARK: Time

    /// A host with a request that time holds back.
    private static func asked(
        _ conditions: Conditions = .quiet, _ change: (inout TaskDefinition) -> Void = { _ in }
    ) -> TestHost {
        var host = TestHost(Sample.simple(change), conditions: conditions)
        if host.state.ledger.tasks[Sample.cleaning]?.pending == nil { _ = host.submit(Sample.cleaning) }
        return host
    }

    private static func ended(_ change: (inout TaskDefinition) -> Void, success: Bool) -> TestHost {
        var host = asked(.quiet, change)
        host.complete(success: success)
        return host
    }

    private static let costly = CostLimit(.processor, 1000, span: .days(1))

    /// Its last run has cost two seconds.
    private static func spent(_ manifest: Manifest) -> TestHost {
        var host = TestHost(manifest)
        CostLimitTests.run(RunCost(processor: 2000), on: &host)
        _ = host.submit(Sample.cleaning)
        return host
    }

    private static let afternoon = [Window(opens: 720, closes: 780, text: "12:00-13:00")]
    private static let morning = [Window(opens: 0, closes: 720, text: "00:00-12:00")]

    private static func refreshed(_ change: (inout TaskDefinition) -> Void) -> TestHost {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Sample.refresh, .refresh) {
                    $0.repeat = .minutes(15)
                    change(&$0)
                }
            ]))
        _ = host.launch(Sample.refresh, instead: true)
        host.complete()
        return host
    }

    private static let time: [GateRemedy] = [
        GateRemedy(gate: .earliestBegin, host: { ended({ $0.repeat = .hours(1) }, success: true) }),
        GateRemedy(
            gate: .earliestBegin,
            host: {
                let at = try ExactTimes("0 12 * * *")
                return TestHost(Sample.simple { $0.at = at })
            }),
        GateRemedy(
            gate: .earliestBegin,
            host: {
                let at = try ExactTimes("@reboot")
                return TestHost(Sample.simple { $0.at = at })
            }),
        GateRemedy(
            gate: .requested,
            host: {
                let at = try ExactTimes("0 12 * * *")
                return TestHost(
                    Sample.simple {
                        $0.at = at
                        $0.days = OpenDays(until: 20_000)
                    })
            },
            edits: [
                { host in
                    guard let at = try? ExactTimes("0 12 * * *") else { return }
                    host.load(Sample.simple { $0.at = at })
                }
            ]),
        GateRemedy(gate: .window, host: { asked { $0.windows = afternoon } }),
        GateRemedy(gate: .quiet, host: { asked { $0.quiet = morning } }),
        GateRemedy(gate: .rateLimit, task: Sample.refresh, host: { refreshed { _ in } }),
        GateRemedy(
            gate: .rateLimit, host: { EventTests.fed() },
            edits: [
                load(
                    EventTests.manifest([
                        .path(WatchedPath(path: "/srv/in", names: "in-*", isFolder: true))
                    ]))
            ]),
        GateRemedy(
            gate: .rateLimit, task: PushTests.task,
            host: {
                var host = TestHost(PushTests.manifest(PushRules(quota: 1)))
                for _ in 0..<2 {
                    _ = host.tell { .pushed(Sample.feed, Push(), reply: $0) }
                    host.complete()
                }
                return host
            }, edits: [load(PushTests.manifest(PushRules(quota: 2)))]),
        GateRemedy(
            gate: .budget,
            host: {
                var host = TestHost(Sample.simple { $0.budget = 2 })
                for _ in 0..<3 {
                    host.advance(.minutes(2))
                    _ = host.submit(Sample.cleaning, from: Sample.feed)
                    host.complete()
                }
                return host
            }, edits: [load(Sample.simple { $0.budget = 100 })]),
        GateRemedy(
            gate: .budget, task: Sample.refresh, host: { refreshed { $0.budget = 0 } },
            edits: [
                load(
                    Sample.manifest([Sample.definition(Sample.refresh, .refresh) { $0.repeat = .minutes(15) }]
                    ))
            ]),
        GateRemedy(
            gate: .costLimit, host: { spent(CostLimitTests.manifest([costly])) },
            edits: [load(CostLimitTests.manifest([CostLimit(.processor, 3000, span: .days(1))]))]),
        GateRemedy(
            gate: .costLimit, host: { spent(CostLimitTests.manifest([], host: [costly])) },
            edits: [load(CostLimitTests.manifest([], host: [CostLimit(.processor, 3000, span: .days(1))]))]),
        GateRemedy(gate: .backoff, host: { ended({ $0.repeat = .hours(1) }, success: false) }),
        GateRemedy(
            gate: .backoff,
            host: {
                var host = TestHost(
                    Sample.simple {
                        $0.repeat = .days(1)
                        $0.timeLimit = .seconds(60)
                    })
                for run in host.running { host.handle(.launchReturned(run)) }
                host.pass(.seconds(70), completing: false)
                return host
            },
            edits: [
                {
                    $0.load(
                        Sample.simple {
                            $0.repeat = .days(1)
                            $0.timeLimit = .seconds(600)
                        })
                    // As after any failure it is tried again soon, and not tomorrow.
                    $0.pass(.minutes(2), completing: false)
                }
            ]),
        GateRemedy(
            gate: .backoff,
            host: {
                var host = TestHost()
                host.startsWorkers = false
                host.load(Sample.simple { $0.repeat = .hours(1) })
                host.handle(.workerExited(host.last(Sample.feed), sentence: "ended by signal 11 (SIGSEGV)"))
                host.startsWorkers = true
                return host
            }),
        GateRemedy(gate: .concurrency, host: { asked() }),
        GateRemedy(
            gate: .concurrency, task: Sample.indexing,
            host: { beside(Sample.indexing) { $0.concurrency = 1 } },
            edits: [load(Sample.manifest(pair(Sample.indexing)))]),
        GateRemedy(
            gate: .concurrency, task: Sample.otherWork, host: { TestHost.grouped(most: 1) },
            edits: [load(TestHost.manifest(most: 2))]),
        GateRemedy(
            gate: .concurrency, task: Sample.otherWork, host: { TestHost.grouped(most: 2) },
            edits: [load(TestHost.manifest(most: 3))]),
        GateRemedy(
            gate: .concurrency, task: Sample.otherWork, host: { beside(Sample.otherWork, atOnce: 1) },
            edits: [load(Sample.manifest(pair(Sample.otherWork)))]),
        GateRemedy(
            gate: .moment,
            host: {
                TestHost(
                    Sample.manifest([
                        Sample.definition(Sample.cleaning, .processing) { $0.repeat = .hours(1) }
                    ]),
                    conditions: busy)
            }, edits: [load(Sample.simple { $0.repeat = .hours(1) })]),
        GateRemedy(
            gate: .budget, task: Sample.refresh,
            host: {
                var host = refreshed { _ in }
                for _ in 0..<16 {
                    host.advance(.minutes(20))
                    _ = host.launch(Sample.refresh, instead: true)
                    host.complete()
                }
                return host
            },
            edits: [
                load(
                    Sample.manifest([
                        Sample.definition(Sample.refresh, .refresh) {
                            $0.repeat = .minutes(15)
                            $0.budget = 100
                        }
                    ]))
            ]),
    ]

    private static func pair(_ other: TaskIdentifier) -> [TaskDefinition] {
        let app = other == Sample.otherWork ? Sample.other : Sample.feed
        return [
            Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
            Sample.definition(other, of: app, .processing) { $0.requires.idle = false },
        ]
    }

    /// A host on which a task waits for the end of another task's run.
    private static func beside(
        _ other: TaskIdentifier, atOnce: Int = 4, _ change: (inout App) -> Void = { _ in }
    ) -> TestHost {
        var host = TestHost(Sample.manifest(pair(other), concurrency: atOnce, change))
        _ = host.submit(Sample.cleaning)
        _ = host.submit(other)
        return host
    }

    // MARK: Conditions

    private static let busy = Conditions(presence: .known(.active), load: 5)

    private static func condition(
        _ gate: GateName, _ conditions: Conditions, mended: Conditions, _ requires: Requirements
    ) -> GateRemedy {
        GateRemedy(
            gate: gate,
            host: {
                asked(conditions) {
                    $0.requires = requires
                    if requires.idle == nil { $0.requires.idle = false }
                }
            }, edits: [{ $0.handle(.conditionsChanged(mended)) }])
    }

    private static func limited(to bytes: Int64) -> Manifest {
        Sample.manifest([Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false }]) {
            $0.limits.disk = bytes
        }
    }

    /// Its app has filled the disk.
    private static func filled() -> TestHost {
        var host = asked()
        host.handle(.diskLooked(DiskRoom(bytes: 1 << 30), isFull: false))
        for run in host.running { host.handle(.launchReturned(run)) }
        host.handle(.diskLooked(DiskRoom(bytes: 0), isFull: false))
        let use = FolderUse(bytes: 1 << 30, changedBytes: 1 << 30)
        host.handle(.foldersLooked([Sample.feed: use], isAll: true))
        host.pass(.seconds(10), completing: false)
        _ = host.submit(Sample.cleaning)
        return host
    }

    private static let conditions: [GateRemedy] = [
        condition(.network, .init(network: .known(.none)), mended: .quiet, .init(network: .any)),
        condition(.network, .init(network: .known(.metered)), mended: .quiet, .init(network: .unmetered)),
        condition(.network, .init(network: .unknown("no netlink")), mended: .quiet, .init(network: .any)),
        condition(
            .externalPower, .init(externalPower: .known(false)), mended: .quiet, .init(externalPower: true)),
        condition(
            .battery, .init(externalPower: .known(false), battery: .known(0.1)),
            mended: .init(externalPower: .known(false), battery: .known(0.9)), .init(batteryAbove: 0.5)),
        condition(.idle, busy, mended: .quiet, .init(idle: true)),
        condition(.load, busy, mended: .quiet, .init(loadBelow: 0.5)),
        condition(.disk, .init(diskFree: 1), mended: .quiet, .init(diskFree: 1 << 30)),
        GateRemedy(
            gate: .folder,
            host: {
                var host = TestHost(limited(to: 1 << 20))
                host.handle(.foldersLooked([Sample.feed: FolderUse(bytes: 2 << 20)], isAll: false))
                _ = host.submit(Sample.cleaning)
                return host
            },
            edits: [
                {
                    $0.handle(.foldersLooked([Sample.feed: FolderUse(bytes: 1 << 20)], isAll: false))
                },
                load(limited(to: 2 << 20)),
            ]),
        GateRemedy(
            gate: .folder, host: { filled() },
            edits: [{ $0.handle(.diskLooked(DiskRoom(bytes: 1 << 30), isFull: false)) }]),
    ]

    /// A host with a label, and a task for hosts in zone b.
    private static func labelled(_ zone: String) throws -> Manifest {
        var manifest = Sample.simple { $0.fleet.labels = ["zone": "b"] }
        manifest.fleet = FleetDefinition(database: "host=/run/fleet", labels: ["zone": zone])
        return manifest
    }
}
