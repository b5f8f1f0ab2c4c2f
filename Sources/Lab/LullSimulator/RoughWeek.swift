import LullModel
import LullScheduler

/// A week full of trouble, made up from a seed: apps and plugins of every character, and faults at any step.
///
/// The host and its workers crash, writes fail, the disk is full, clocks step and change to summer time, the machine sleeps
/// or is unplugged, the manifest is changed, people use and operators command; all of it at moments that the seed alone
/// chooses.
public struct RoughWeek {
    public static let days = 7
    var random: SeededGenerator
    let start: WallTime

    public static func world(seed: UInt64) -> World {
        var random = SeededGenerator(seed: seed)
        // Mondays; two of them begin weeks in which the clocks are changed.
        let mondays: [Int64] = [1_772_409_600, 1_774_224_000, 1_792_368_000]
        let monday = mondays[Int.random(in: 0..<mondays.count, using: &random)]
        let start = WallTime(seconds: monday + Int64.random(in: 0..<86_400, using: &random))
        var maker = RoughWeek(random: random, start: start)
        return maker.world(seed)
    }

    private mutating func world(_ seed: UInt64) -> World {
        var world = World(manifest: manifest(), zones: zones(), start: start, seed: seed)
        for app in world.manifest.apps {
            world.plugins[app.identifier] = plugin(of: app)
            for task in app.tasks { world.handlers[task.identifier] = handler(of: app, task) }
            uses(of: app.identifier, in: &world)
        }
        world.history.sort { ($0.time, $0.app) < ($1.time, $1.app) }
        world.conditions = conditions(at: start)
        world.diskMilliseconds = oneOf(1...20, 1...20, 5...300, 200...3_000)
        world.checkpointInterval = pick(20...400)
        world.answersCross = 0.05
        for _ in 0..<pick(30...120) { add(to: &world) }
        Self.addTimes(to: &world, seed: seed)
        Self.addAttempts(to: &world, seed: seed)
        Self.addGroups(to: &world, seed: seed)
        Self.addHabits(to: &world, seed: seed)
        Self.addWire(to: &world, seed: seed)
        Self.addHangs(to: &world, seed: seed)
        Self.addLulls(to: &world, seed: seed)
        Self.addOperators(to: &world, seed: seed)
        Self.addDisk(to: &world, seed: seed)
        Self.addDays(to: &world, seed: seed)
        return world
    }

    /// While a host ends, conditions become ideal for all that waits. Drawn from a separate generator, as the times are.
    private static func addLulls(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x1011_1011)
        for entry in world.timeline {
            guard case .restarted = entry.stimulus, random.chance(0.5) else { continue }
            let wait = Duration.milliseconds(Int.random(in: 1...3_000, using: &random))
            let lull = Conditions(
                externalPower: .known(true), battery: .known(0.9), network: .known(.unmetered),
                presence: .known(.idle(since: entry.time - .hours(1))), load: 0, memoryPressure: 0,
                diskFree: 1 << 40)
            world.timeline.append(World.Entry(entry.time + wait, .conditions(lull)))
        }
    }

    /// Drawn from a separate generator, as the times are.
    private static func addHangs(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x4A46_4A46)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let second = Int.random(in: 0..<days * 86_400, using: &random)
            let span = [5, 60, 600, 7_200].randomElement(using: &random) ?? 5
            world.timeline.append(World.Entry(world.start + .seconds(second), .diskHangs(.seconds(span))))
        }
    }

    /// Drawn from a separate generator, as the times are.
    private static func addWire(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x3173_3173)
        func oneOf<T>(_ choices: T...) -> T {
            choices[Int.random(in: 0..<choices.count, using: &random)]
        }
        world.wire.delays = oneOf(0, 0.05, 0.3, 0.8)
        world.wire.milliseconds = oneOf(1...20, 1...300, 50...2_500)
        world.wire.strays = oneOf(0, 0, 0.02, 0.1)
        world.wire.bursts = oneOf(0, 0, 0, 0.01)
        world.wire.lastWords = oneOf(0, 0.5)
    }

    private mutating func add(to world: inout World) {
        let time = anyTime()
        world.timeline.append(World.Entry(time, stimulus(in: world.manifest, at: time)))
        // Trouble comes in company: what follows at once finds the host in the middle of something.
        while chance(0.3) {
            let soon = time + .milliseconds(pick(0...3_000))
            world.timeline.append(World.Entry(soon, stimulus(in: world.manifest, at: soon)))
        }
    }

    private mutating func uses(of app: AppIdentifier, in world: inout World) {
        guard chance(0.8) else { return }
        let hour = pick(0...23)
        func time(_ day: Int, _ minutes: Int) -> WallTime {
            start + .minutes(day * 1440 + hour * 60 + minutes)
        }
        for day in -pick(1...14)..<0 {
            world.history.append(HistoryEvent(.used, at: time(day, pick(0...40)), app: app))
        }
        // Some are forgotten after a while.
        for day in 0..<pick(0...Self.days) where chance(0.8) {
            world.timeline.append(World.Entry(time(day, pick(0...40)), .used(app)))
        }
    }

    private mutating func zones() -> Zones {
        let summer = WallTime(seconds: 1_774_746_000)
        let winter = WallTime(seconds: 1_792_890_000)
        let berlin = Zone(
            name: "Europe/Berlin", initialOffset: 3600,
            transitions: [.init(at: summer, offset: 7200), .init(at: winter, offset: 3600)])
        let kiritimati = Zone(name: "Pacific/Kiritimati", initialOffset: 50_400)
        return Zones(host: oneOf(berlin, berlin, .utc), named: [kiritimati.name: kiritimati])
    }

    func time(_ second: Int) -> WallTime { start + .seconds(second) }
    mutating func anyTime() -> WallTime { start + .milliseconds(pick(0...(Self.days * 86_400_000 - 1))) }
    mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    mutating func chance(_ probability: Double) -> Bool { random.chance(probability) }

    mutating func oneOf<T>(_ choices: T...) -> T {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    mutating func any<T>(of list: [T]) -> T? { list.randomElement(using: &random) }
}
