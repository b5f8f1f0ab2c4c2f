import LullModel
import LullScheduler

/// A rough week in which apps transfer.
extension RoughWeek {
    /// The week of this seed, with transfers. They have a separate generator, so that the week itself stays as it is.
    public static func transferring(seed: UInt64) -> World {
        var world = world(seed: seed)
        var random = SeededGenerator(seed: seed ^ 0x7F7F_5151)
        var entries: [AppIdentifier: (rules: TransferRules, task: TaskDefinition)] = [:]
        for app in world.manifest.apps {
            guard random.chance(0.7), let name = TransferRules.task(of: app.identifier) else { continue }
            var task = TaskDefinition(identifier: name, app: app.identifier, kind: .transfers)
            if random.chance(0.2) { task.requires = Requirements(diskFree: 1 << 20) }
            if random.chance(0.2) { task.windows = [Window(opens: 60, closes: 300, text: "01:00-05:00")] }
            entries[app.identifier] = (TransferRules(atOnce: Int.random(in: 1...4, using: &random)), task)
            var handler = HandlerModel()
            handler.milliseconds = 1...5_000
            handler.fails = random.chance(0.3) ? 0.3 : 0
            handler.crashes = random.chance(0.3) ? 0.2 : 0
            handler.hangs = random.chance(0.1) ? 0.2 : 0
            world.handlers[name] = handler
            world.plugins[app.identifier]?.registers?.append(name)
        }
        world.manifest = transferring(world.manifest, entries)
        for place in world.timeline.indices {
            guard case .manifest(let new) = world.timeline[place].stimulus else { continue }
            // Now and then the permission is taken away.
            let kept = Set(entries.keys.sorted().filter { _ in !random.chance(0.05) })
            world.timeline[place].stimulus = .manifest(
                transferring(new, entries.filter { kept.contains($0.key) }))
        }
        let apps = entries.keys.sorted()
        for number in 0..<Int.random(in: 20...150, using: &random) {
            guard let app = apps.randomElement(using: &random) else { break }
            let time = world.start + .milliseconds(Int.random(in: 0..<days * 86_400_000, using: &random))
            let stimulus = stimulus(app, number, &random)
            world.timeline.append(World.Entry(time, stimulus))
            // A transfer that is held is resumed soon, while the news of the attempt that was stopped is on its way.
            if case .ordersTransfer(.pause, let which) = stimulus {
                let pause = Duration.seconds(Int.random(in: 1...600, using: &random))
                world.timeline.append(World.Entry(time + pause, .ordersTransfer(.resume, which)))
            }
        }
        return world
    }

    private static func stimulus(
        _ app: AppIdentifier, _ number: Int, _ random: inout SeededGenerator
    ) -> World.Stimulus {
        let any = Int.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .actsOnTransfer(TransferAct.allCases[any % TransferAct.allCases.count], any)
        case 1: return .actsOnTransfer(.cancelKeeping, any)
        case 2: return .actsOnTransfer(random.chance(0.5) ? .suspend : .resume, any)
        case 3: return .ordersTransfer(TransferOrdering.allCases[any % 3], any)
        case 5, 6: return .ordersTransfer(.pause, any)
        case 4: return .transferProcessDied(app)
        default: return .asksTransfer(app, order(number, &random))
        }
    }

    private static func order(_ number: Int, _ random: inout SeededGenerator) -> TransferOrder {
        var order = TransferOrder(
            session: random.chance(0.6) ? "main" : "other", ordinal: UInt64(number) + 1,
            direction: random.chance(0.8) ? .download : .upload, url: "https://example.com/\(number)")
        if order.direction == .upload { order.file = "up-\(number)" }
        order.isDiscretionary = random.chance(0.3)
        order.allowsExpensive = random.chance(0.7)
        if random.chance(0.3) { order.expectedToReceive = Int64.random(in: 0...(2 << 30), using: &random) }
        order.asksChallenges = random.chance(0.5)
        order.sendsLaunchEvents = random.chance(0.8)
        if random.chance(0.2) { order.resumes = TransferID(UInt64.random(in: 1...30, using: &random)) }
        if random.chance(0.2) { order.wholeLimit = .hours(Int.random(in: 1...30, using: &random)) }
        return order
    }

    private static func transferring(
        _ manifest: Manifest, _ entries: [AppIdentifier: (rules: TransferRules, task: TaskDefinition)]
    ) -> Manifest {
        var manifest = manifest
        for place in manifest.apps.indices {
            guard let entry = entries[manifest.apps[place].identifier] else { continue }
            manifest.apps[place].transfers = entry.rules
            manifest.apps[place].tasks.append(entry.task)
        }
        return manifest
    }
}
