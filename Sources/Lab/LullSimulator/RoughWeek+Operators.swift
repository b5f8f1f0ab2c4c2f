import LullModel
import LullScheduler

/// Further acts of operators: pauses, quiet times, edits of a task's settings, and launches that take the place of the next.
extension RoughWeek {
    /// Drawn from a separate generator, as the times are.
    static func addOperators(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x9A05_9A05)
        for app in world.manifest.apps.indices {
            for task in world.manifest.apps[app].tasks.indices where random.chance(0.12) {
                world.manifest.apps[app].tasks[task].quiet = [
                    Window(opens: 600, closes: 840, text: "10:00-14:00")
                ]
            }
        }
        for entry in world.timeline.indices {
            switch world.timeline[entry].stimulus {
            case .launchRequested(let task, _) where random.chance(0.2):
                world.timeline[entry].stimulus = .launchRequested(task, instead: true)
            case .cancelled(let app, let task, _) where random.chance(0.5):
                world.timeline[entry].stimulus = .cancelled(app, task, next: true)
            case .submitted(var submission) where submission.app == nil && random.chance(0.2):
                submission.isInstead = true
                world.timeline[entry].stimulus = .submitted(submission)
            case .manifest(var new) where random.chance(0.3):
                guard let app = new.apps.indices.randomElement(using: &random),
                    let task = new.apps[app].tasks.indices.randomElement(using: &random)
                else { continue }
                let turn = Double(Int.random(in: 0...9, using: &random))
                new.apps[app].tasks[task].settings = .object(["turn": .number(turn)])
                world.timeline[entry].stimulus = .manifest(new)
            default: break
            }
        }
        guard random.chance(0.5) else { return }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard let app = world.manifest.apps.randomElement(using: &random),
                let task = app.tasks.randomElement(using: &random)?.identifier
            else { continue }
            let time = world.start + .milliseconds(Int.random(in: 0..<(days * 86_400_000), using: &random))
            let scopes: [Pause.Scope] = [.task(task), .app(app.identifier), .all]
            let scope = scopes.randomElement(using: &random) ?? .all
            let spans: [Duration?] = [.minutes(20), .hours(2), .hours(9), nil]
            let span = spans.randomElement(using: &random) ?? nil
            world.timeline.append(World.Entry(time, .paused(scope, span)))
            let end = time + .hours(Int.random(in: 1...12, using: &random))
            world.timeline.append(World.Entry(end, .resumed(random.chance(0.3) ? .all : scope)))
            if random.chance(0.3) {
                let isEnabled = random.chance(0.4)
                world.timeline.append(
                    World.Entry(time + .hours(1), .enabled(app.identifier, isEnabled, task: task)))
                world.timeline.append(World.Entry(end, .enabled(app.identifier, true, task: task)))
            }
        }
    }
}
