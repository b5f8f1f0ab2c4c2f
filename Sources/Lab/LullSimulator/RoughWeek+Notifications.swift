import LullModel

/// A rough week in which apps notify people.
extension RoughWeek {
    /// The week of this seed, with notifications in it. They have a separate generator, so that the week itself stays as it is.
    public static func notifying(seed: UInt64) -> World {
        var world = world(seed: seed)
        var random = SeededGenerator(seed: seed ^ 0x4E07_4E07)
        world.manifest = allowing(world.manifest, &random, chance: 1)
        world.timeline = world.timeline.map { entry in
            guard case .manifest(let manifest) = entry.stimulus else { return entry }
            return World.Entry(entry.time, .manifest(allowing(manifest, &random, chance: 0.95)))
        }
        let apps = world.manifest.apps.map(\.identifier)
        for _ in 0..<Int.random(in: 10...80, using: &random) {
            guard let app = apps.randomElement(using: &random) else { break }
            let time = world.start + .milliseconds(Int.random(in: 0..<days * 86_400_000, using: &random))
            let names = ["a", "b", "c", "d"]
            let name = names.randomElement(using: &random) ?? "a"
            let stimulus: World.Stimulus =
                switch Int.random(in: 0..<8, using: &random) {
                case 0: .unnotifies(app, random.chance(0.2) ? nil : [name], delivered: random.chance(0.3))
                default: .notifies(app, notification(name, &random))
                }
            world.timeline.append(World.Entry(time, stimulus))
        }
        return world
    }

    private static func allowing(
        _ manifest: Manifest, _ random: inout SeededGenerator, chance: Double
    ) -> Manifest {
        var manifest = manifest
        for place in manifest.apps.indices { manifest.apps[place].notifications = random.chance(chance) }
        return manifest
    }

    private static func notification(
        _ name: String, _ random: inout SeededGenerator
    ) -> AppNotification {
        func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let repeats = random.chance(0.3)
        let trigger: NotificationTrigger? =
            switch pick(0...4) {
            case 0: nil
            case 1, 2:
                .interval(
                    milliseconds: Int64(pick(repeats ? 3_600_000...90_000_000 : 1...90_000_000)),
                    repeats: repeats)
            case 3: .calendar(CalendarFields(hour: pick(0...23), minute: pick(0...59)), repeats: repeats)
            default:
                .calendar(
                    CalendarFields(weekday: pick(1...7), hour: pick(0...23), second: 7), repeats: repeats)
            }
        return AppNotification(
            identifier: name, text: NoticeText(title: "Title", body: "Body"),
            badge: random.chance(0.2) ? 1 : nil,
            trigger: trigger)
    }
}
