import LullModel
import LullScheduler

/// Apps that keep more than they may for a while, and that fill the disk.
extension RoughWeek {
    private static let limit: Int64 = 1 << 30

    /// Drawn from a separate generator, as the times are.
    static func addDisk(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0xD15C_D15C)
        for app in world.manifest.apps.map(\.identifier) where random.chance(0.4) {
            world.manifest.limitDisk(of: app, to: limit)
            for entry in world.timeline.indices {
                guard case .manifest(var new) = world.timeline[entry].stimulus else { continue }
                new.limitDisk(of: app, to: limit)
                world.timeline[entry].stimulus = .manifest(new)
            }
            var time = world.start
            while time < world.start + .days(days) {
                time = time + .minutes(Int.random(in: 1...2_000, using: &random))
                let bytes = random.chance(0.5) ? limit * 2 : limit / 2
                // Now and then it grows on.
                for step in 0..<Int64.random(in: 1...3, using: &random) {
                    let use = FolderUse(bytes: bytes + step, files: 1)
                    world.timeline.append(World.Entry(time + .seconds(step), .folder(app, use)))
                }
            }
        }
        guard random.chance(0.5) else { return }
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            guard let app = world.manifest.apps.randomElement(using: &random)?.identifier else { return }
            let time = world.start + .milliseconds(Int.random(in: 0..<(days * 86_400_000), using: &random))
            let bytes = Int64.random(in: 0...(20 << 20), using: &random)
            let use = FolderUse(
                bytes: limit / 2, files: 1, changedBytes: limit / 2, isWhole: random.chance(0.8))
            world.timeline.append(World.Entry(time, .disk(DiskRoom(bytes: limit))))
            world.timeline.append(World.Entry(time + .seconds(20), .disk(DiskRoom(bytes: bytes))))
            world.timeline.append(World.Entry(time + .seconds(20), .folder(app, use)))
            let end = time + .minutes(Int.random(in: 1...600, using: &random))
            world.timeline.append(World.Entry(end, .disk(DiskRoom(bytes: limit))))
        }
    }
}

extension Manifest {
    fileprivate mutating func limitDisk(of app: AppIdentifier, to bytes: Int64) {
        for place in apps.indices where apps[place].identifier == app { apps[place].limits.disk = bytes }
    }
}
