import LullModel
import LullScheduler

/// A rough week in which apps receive pushes.
extension RoughWeek {
    /// The week of a seed, with pushes. They have a separate generator, so that the week without them stays what it was.
    public static func pushed(seed: UInt64) -> World {
        var world = world(seed: seed)
        var random = SeededGenerator(seed: seed ^ 0xB05B_B05B)
        func oneOf<T>(_ choices: [T], else other: T) -> T { choices.randomElement(using: &random) ?? other }
        var takers: [AppIdentifier: (rules: PushRules, task: TaskDefinition)] = [:]
        for app in world.manifest.apps {
            guard random.chance(0.7), let name = PushRules.task(of: app.identifier) else { continue }
            var rules = PushRules(quota: Int.random(in: 1...4, using: &random))
            rules.span = oneOf([.minutes(10), .hours(1), .days(1)], else: .hours(1))
            rules.within = oneOf([.zero, .minutes(15), .hours(3)], else: .zero)
            var task = TaskDefinition(identifier: name, app: app.identifier, kind: .push)
            task.latest = rules.within
            if random.chance(0.3) { task.requires = Requirements(externalPower: true) }
            if random.chance(0.3) {
                task.quiet = [Window(opens: 600, closes: 840, text: "10:00-14:00")]
            }
            takers[app.identifier] = (rules, task)
            world.handlers[name] = handler(&random)
            // A plugin that registers only some of the tasks registers this one as well.
            world.plugins[app.identifier]?.registers?.append(name)
        }
        world.manifest = taking(world.manifest, takers)
        for entry in world.timeline.indices {
            guard case .manifest(let new) = world.timeline[entry].stimulus else { continue }
            // Now and then pushes are taken out of it.
            let kept = Set(takers.keys.sorted().filter { _ in !random.chance(0.05) })
            world.timeline[entry].stimulus = .manifest(
                taking(new, takers.filter { kept.contains($0.key) }))
        }
        let apps = takers.keys.sorted()
        for number in 0..<Int.random(in: 20...120, using: &random) {
            guard let app = apps.randomElement(using: &random) else { continue }
            let time =
                world.start + .milliseconds(Int.random(in: 0..<(days * 86_400_000), using: &random))
            // They come one by one, or several in a minute.
            for more in 0..<oneOf([1, 1, 1, 2, 9], else: 1) {
                let push = Push(payload: "[\(number),\(more)]", isUrgent: random.chance(0.3))
                let wait = Duration.milliseconds(Int.random(in: 0...60_000, using: &random))
                world.timeline.append(World.Entry(time + wait, .pushed(app, push)))
            }
            if random.chance(0.03) { world.timeline.append(World.Entry(time, .urgencyRestored(app))) }
        }
        return world
    }

    private static func taking(
        _ manifest: Manifest, _ takers: [AppIdentifier: (rules: PushRules, task: TaskDefinition)]
    ) -> Manifest {
        var manifest = manifest
        for app in manifest.apps.indices {
            guard let taker = takers[manifest.apps[app].identifier] else { continue }
            manifest.apps[app].push = taker.rules
            manifest.apps[app].tasks.append(taker.task)
        }
        return manifest
    }

    private static func handler(_ random: inout SeededGenerator) -> HandlerModel {
        var handler = HandlerModel()
        handler.milliseconds = random.chance(0.7) ? 1...5_000 : 1_000...60_000
        handler.fails = random.chance(0.3) ? 0.3 : 0
        handler.crashes = random.chance(0.2) ? 0.2 : 0
        handler.hangs = random.chance(0.1) ? 0.2 : 0
        handler.cancels = random.chance(0.2) ? 0.3 : 0
        handler.reports = [0, 0.5, 1, 1].randomElement(using: &random) ?? 1
        return handler
    }
}
