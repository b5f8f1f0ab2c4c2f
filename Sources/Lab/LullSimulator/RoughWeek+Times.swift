import LullCalendar
import LullModel
import LullScheduler

/// Tasks of a rough week that are launched by the clock.
extension RoughWeek {
    /// The times have a separate generator, so that a seed's week stays what it was where no task has times.
    static func addTimes(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0xA7A7_A7A7)
        world.options.host = "rough"
        world.options.boot = "boot"
        for app in world.manifest.apps.indices {
            for index in world.manifest.apps[app].tasks.indices {
                let task = world.manifest.apps[app].tasks[index]
                if task.kind == .continued || !random.chance(0.3) { continue }
                world.manifest.apps[app].tasks[index] = timed(task, &random)
            }
        }
        for entry in world.timeline.indices {
            guard case .manifest(let new) = world.timeline[entry].stimulus else { continue }
            world.timeline[entry].stimulus = .manifest(retimed(new, like: world.manifest, &random))
        }
    }

    /// Sets how often some tasks are tried. Drawn from a separate generator, as the times are.
    static func addAttempts(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0xA77E_A77E)
        var attempts: [TaskIdentifier: Int] = [:]
        for task in world.manifest.tasks where task.kind != .continued && random.chance(0.2) {
            attempts[task.identifier] = Int.random(in: 1...4, using: &random)
        }
        change(&world) { $0.retry.attempts = attempts[$0.identifier] }
    }

    /// Puts some tasks into groups. Drawn from a separate generator, as the times are.
    static func addGroups(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x6209_6209)
        var groups: [TaskIdentifier: String] = [:]
        for task in world.manifest.tasks where random.chance(0.3) {
            groups[task.identifier] = random.chance(0.7) ? "disk" : "net"
        }
        change(&world) { $0.group = groups[$0.identifier] }
    }

    /// Makes the same change in all manifests of a week.
    private static func change(_ world: inout World, _ change: (inout TaskDefinition) -> Void) {
        func changed(_ manifest: Manifest) -> Manifest {
            var manifest = manifest
            manifest.groups = ["net": 2]
            for app in manifest.apps.indices {
                for task in manifest.apps[app].tasks.indices { change(&manifest.apps[app].tasks[task]) }
            }
            return manifest
        }
        world.manifest = changed(world.manifest)
        for entry in world.timeline.indices {
            guard case .manifest(let new) = world.timeline[entry].stimulus else { continue }
            world.timeline[entry].stimulus = .manifest(changed(new))
        }
    }

    private static func timed(_ task: TaskDefinition, _ random: inout SeededGenerator) -> TaskDefinition {
        var task = task
        task.repeat = nil
        task.at = times(&random)
        task.missed = MissedTimes.allCases.randomElement(using: &random) ?? .one
        task.spread = [.zero, .zero, .minutes(10), .hours(3)].randomElement(using: &random) ?? .zero
        task.tolerance = [.minutes(5), .minutes(5), .zero, .hours(2)].randomElement(using: &random) ?? .zero
        if random.chance(0.2) { task.timezone = "Pacific/Kiritimati" }
        return task
    }

    private static func times(_ random: inout SeededGenerator) -> ExactTimes {
        let texts = [
            "30 2 * * *", "0 * * * *", "*/20 * * * *", "0 */3 * * *", "15,45 8-18 * * Mon-Fri",
            "*/15 2 * * *",
            "daily 23:59", "0 4 13 * Fri", "@reboot", "monthly last 12:00", "1-59/7 * * * *",
        ]
        var times = ExactTimes()
        repeat {
            if let text = texts.randomElement(using: &random), let more = try? ExactTimes(text) {
                times.formUnion(more)
            }
        } while random.chance(0.3)
        return times
    }

    /// A changed manifest has the times of the first, or now and then others or none.
    private static func retimed(_ new: Manifest, like old: Manifest, _ random: inout SeededGenerator)
        -> Manifest
    {
        var new = new
        let timed = Dictionary(old.tasks.filter { $0.at != nil }.map { ($0.identifier, $0) }) { first, _ in
            first
        }
        for app in new.apps.indices {
            for index in new.apps[app].tasks.indices {
                let task = new.apps[app].tasks[index]
                guard task.kind != .continued, let before = timed[task.identifier], !random.chance(0.05)
                else { continue }
                new.apps[app].tasks[index].repeat = nil
                new.apps[app].tasks[index].at = random.chance(0.1) ? times(&random) : before.at
                new.apps[app].tasks[index].missed = before.missed
                new.apps[app].tasks[index].spread = random.chance(0.05) ? .minutes(30) : before.spread
                new.apps[app].tasks[index].tolerance = before.tolerance
                new.apps[app].tasks[index].timezone = before.timezone
            }
        }
        return new
    }
}
