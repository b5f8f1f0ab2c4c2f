import LullModel
import LullScheduler
import LullSimulator

/// A world made up from a seed: apps, tasks, plugins of every character, and ten days of trouble.
struct RandomWorld {
    static let days = 10
    private var random: SeededGenerator

    static func make(seed: UInt64) -> World {
        var maker = RandomWorld(random: SeededGenerator(seed: seed))
        var world = World(manifest: maker.manifest(), start: monday, seed: seed)
        for owner in world.manifest.apps {
            world.plugins[owner.identifier] = maker.plugin(of: owner)
            for definition in owner.tasks { world.handlers[definition.identifier] = maker.handler(of: owner) }
            let hour = maker.pick(0...23)
            world.history += weekdayUses(of: owner.identifier, days: -maker.pick(0...28)..<0, hour, 30)
        }
        world.history.sort { $0.time < $1.time }
        world.conditions = maker.conditions()
        for _ in 0..<maker.pick(20...200) {
            let time =
                monday + .milliseconds(Int64.random(in: 0..<86_400_000 * Int64(days), using: &maker.random))
            world.at(time, maker.stimulus(in: world.manifest))
        }
        addDeathsAmidRuns(to: &world, seed: seed)
        return world
    }

    /// A host that runs little is seldom in a run when it dies: here it dies just after some launches. Drawn apart.
    private static func addDeathsAmidRuns(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 1 << 33)
        for entry in world.timeline {
            guard case .launchRequested = entry.stimulus, random.chance(0.5) else { continue }
            let wait = Duration.milliseconds(Int.random(in: 100...5_000, using: &random))
            world.at(entry.time + wait, .hostDied(down: .seconds(random.chance(0.5) ? 2 : 600)))
        }
    }

    /// The same with a machine that sleeps or is off most nights, and apps that go by its clock.
    static func makeNights(seed: UInt64) -> World {
        var world = make(seed: seed)
        var random = SeededGenerator(seed: seed &+ 1 << 32)
        for index in world.manifest.apps.indices where random.chance(0.5) {
            world.manifest.apps[index].idleClock = .host
        }
        for day in 0..<days {
            let span = Duration.seconds(Int.random(in: 20...36_000, using: &random))
            let evening = at(day, 20) + .seconds(Int.random(in: 0...10_000, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: world.at(evening, .suspended(span))
            case 1: world.at(evening, .poweredOff(span, silently: true))
            case 2: world.at(evening, .poweredOff(span, silently: false))
            default: world.at(evening, .hostDied(down: span))
            }
        }
        return world
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func oneOf<T>(_ first: T, _ others: T...) -> T {
        others.randomElement(using: &random).map { random.chance(1 / Double(others.count + 1)) ? first : $0 }
            ?? first
    }

    private mutating func manifest() -> Manifest {
        let apps = (0...pick(0...3)).map { number -> App in
            let name = app("com.example.App\(number)")
            var owner = App(
                name, (0...pick(0...3)).map { definition("com.example.App\(number).t\($0)", of: name) })
            owner.idleAfter = oneOf(.days(7), .days(2), nil)
            owner.concurrency = pick(1...3)
            owner.keepWarm = oneOf(.minutes(10), .zero)
            return owner
        }
        return Manifest(hostConcurrency: pick(1...4), apps: apps)
    }

    private mutating func definition(_ name: String, of owner: AppIdentifier) -> TaskDefinition {
        TaskDefinition(task(name), of: owner, oneOf(.refresh, .processing, .processing)) { definition in
            definition.repeat = oneOf(nil, .minutes(15), .hours(1), .hours(5), .days(1))
            definition.requires.externalPower = random.chance(0.2)
            definition.requires.network = oneOf(nil, nil, .any, .unmetered)
            definition.requires.idle = oneOf(nil, false, true)
            definition.requires.loadBelow = oneOf(nil, nil, 0.5)
            definition.concurrency = pick(1...2)
            definition.priority = pick(-1...1)
            definition.latest = oneOf(nil, nil, .hours(3))
            if random.chance(0.2) {
                definition.windows = [
                    Window(days: [0, 2, 5], opens: 22 * 60, closes: 7 * 60, text: "Mon,Wed,Sat 22:00-07:00")
                ]
            }
        }
    }

    private mutating func plugin(of owner: App) -> PluginModel {
        var plugin = PluginModel()
        let names = owner.tasks.map(\.identifier)
        if random.chance(0.1) { plugin.registers = Array(names.dropFirst()) }
        if random.chance(0.05) { plugin.trouble = "plugin of \(owner.identifier): undefined symbol" }
        if random.chance(0.3), let name = names.randomElement(using: &random) {
            plugin.submitsOnStart = [SubmissionModel(name, begin: .hours(pick(0...5)))]
        }
        return plugin
    }

    private mutating func handler(of owner: App) -> HandlerModel {
        var handler = HandlerModel()
        handler.milliseconds = oneOf(1...100, 500...20_000, 20_000...900_000)
        handler.fails = oneOf(0, 0, 0.3, 1)
        handler.crashes = oneOf(0, 0, 0.2)
        handler.hangs = oneOf(0, 0, 0.2)
        handler.heedsExpirationMilliseconds = oneOf(1...100, 4000...6000)
        if random.chance(0.3), let name = owner.tasks.map(\.identifier).randomElement(using: &random) {
            handler.submits = [
                SubmissionModel(
                    name, kind: oneOf(nil, .refresh), begin: oneOf(.minutes(1), .minutes(20), .hours(4)))
            ]
        }
        return handler
    }

    private mutating func conditions() -> Conditions {
        Conditions(
            externalPower: oneOf(.known(true), .known(true), .known(false), .unknown("no adapter")),
            network: oneOf(.known(.unmetered), .known(.metered), .known(.none), .unknown("no netlink")),
            presence: oneOf(.known(.active), .known(.idle(since: monday)), .unknown("no logind")),
            load: Double.random(in: 0..<1, using: &random), diskFree: oneOf(1 << 40, 1 << 20))
    }

    private mutating func stimulus(in manifest: Manifest) -> World.Stimulus {
        let owner = manifest.apps.randomElement(using: &random)?.identifier ?? feed
        let name = manifest.tasks.randomElement(using: &random)?.identifier ?? refresh
        switch pick(0...19) {
        case 0...4: return .used(owner)
        case 5...8: return .conditions(conditions())
        case 9...10: return .submitted(Submission(app: random.chance(0.5) ? owner : nil, task: name))
        case 11: return .cancelled(owner, random.chance(0.5) ? name : nil)
        case 12: return .launchRequested(name)
        case 13: return .expireRequested(name)
        case 14: return .enabled(owner, random.chance(0.7))
        case 15: return .clockStep(.seconds(pick(-90_000...90_000)))
        case 16: return .suspended(.seconds(pick(1...50_000)))
        case 17: return .workerDied(owner)
        case 18: return .hostDied(down: .seconds(pick(0...50_000)))
        default: return .hostDiesAmidEffects(after: pick(0...6), down: .seconds(pick(0...50_000)))
        }
    }
}
