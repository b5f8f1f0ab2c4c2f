import LullModel
import LullScheduler

/// Tasks of a rough week that events start: a week of its own kind, so that the others stay what they are.
extension RoughWeek {
    /// The same week with `on` for some of its tasks, and with the events for it.
    public static func worldOfEvents(seed: UInt64) -> World {
        var world = world(seed: seed)
        var random = SeededGenerator(seed: seed ^ 0x0E0E_0E0E)
        var triggers: [TaskIdentifier: [Trigger]] = [:]
        var earlier: [TaskIdentifier] = []
        for app in world.manifest.apps {
            for task in app.tasks where task.kind != .continued && !task.identifier.isWildcard {
                if random.chance(0.5) { triggers[task.identifier] = some(after: earlier, &random) }
                earlier.append(task.identifier)
            }
        }
        world.manifest = giving(triggers, to: world.manifest)
        for entry in world.timeline.indices {
            guard case .manifest(let new) = world.timeline[entry].stimulus else { continue }
            // A changed manifest has the same events, now and then none.
            if random.chance(0.1) { continue }
            world.timeline[entry].stimulus = .manifest(giving(triggers, to: new))
        }
        let waited = Set(triggers.values.joined()).sorted { $0.text < $1.text }.filter(isOfWorld)
        for trigger in waited {
            for _ in 0..<Int.random(in: 1...25, using: &random) {
                var time = world.start + .seconds(Int.random(in: 0..<days * 86_400, using: &random))
                repeat {
                    world.timeline.append(World.Entry(time, .happened(trigger)))
                    time = time + .milliseconds(Int.random(in: 1...20_000, using: &random))
                } while random.chance(0.4)
            }
        }
        return world
    }

    /// Whether no other stimulus of a week causes the trigger.
    private static func isOfWorld(_ trigger: Trigger) -> Bool {
        switch trigger {
        case .path, .device, .login: true
        case .after, .afterAll, .resume, .network, .externalPower, .boot: false
        }
    }

    private static func some(after earlier: [TaskIdentifier], _ random: inout SeededGenerator) -> [Trigger] {
        var triggers: [Trigger] = []
        repeat {
            let trigger: Trigger
            switch Int.random(in: 0..<8, using: &random) {
            case 0: trigger = .path(WatchedPath(path: "/srv/in", names: "*.csv", isFolder: true))
            case 1: trigger = .path(WatchedPath(path: "/srv/out"))
            case 2: trigger = .device(DevicePattern(subsystem: "block", name: "sd*"))
            case 3: trigger = [.resume, .boot, .login(user: nil)].randomElement(using: &random) ?? .boot
            case 4: trigger = [.network, .externalPower].randomElement(using: &random) ?? .network
            default:
                guard let before = earlier.randomElement(using: &random) else { continue }
                let outcome = ChainOutcome.allCases.randomElement(using: &random) ?? .success
                if let other = earlier.randomElement(using: &random), other != before, random.chance(0.25) {
                    trigger = .afterAll([before, other].map { ChainLink(task: $0, outcome: outcome) })
                } else {
                    trigger = .after(before, outcome)
                }
            }
            if !triggers.contains(trigger) { triggers.append(trigger) }
        } while random.chance(0.3)
        return triggers
    }

    private static func giving(_ triggers: [TaskIdentifier: [Trigger]], to manifest: Manifest) -> Manifest {
        var manifest = manifest
        for app in manifest.apps.indices {
            for task in manifest.apps[app].tasks.indices
            where manifest.apps[app].tasks[task].kind != .continued {
                manifest.apps[app].tasks[task].on = triggers[manifest.apps[app].tasks[task].identifier] ?? []
            }
        }
        return manifest
    }
}
