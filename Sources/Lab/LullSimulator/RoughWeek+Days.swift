import LullCalendar
import LullModel
import LullScheduler

/// Tasks of a rough week that some days are closed to.
extension RoughWeek {
    /// Drawn last and from a separate generator, so that a week without such tasks stays what it was.
    static func addDays(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0xDA75_DA75)
        var days: [TaskIdentifier: OpenDays] = [:]
        for task in world.manifest.tasks where task.kind != .continued && random.chance(1 / 6) {
            days[task.identifier] = openDays(from: world.start, &random)
        }
        world.manifest.setDays(days)
        for entry in world.timeline.indices {
            guard case .manifest(var new) = world.timeline[entry].stimulus else { continue }
            // A changed manifest has the same days, or now and then others or none.
            var changed = days
            for task in days.keys.sorted() where random.chance(0.1) {
                changed[task] = random.chance(0.5) ? openDays(from: world.start, &random) : nil
            }
            new.setDays(changed)
            world.timeline[entry].stimulus = .manifest(new)
        }
    }

    private static func openDays(from start: WallTime, _ random: inout SeededGenerator) -> OpenDays? {
        let first = Int(start.seconds / 86_400)
        let day = Int.random(in: first + 1...first + days - 1, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return OpenDays(from: day)
        case 1: return OpenDays(until: day)
        case 2...3: return OpenDays(except: [5, 6].weekly)
        case 4: return OpenDays(only: [0, 1, 2, 3, 4].weekly, except: dates(from: first, &random))
        default: return OpenDays(except: dates(from: first, &random))
        }
    }

    private static func dates(from first: Int, _ random: inout SeededGenerator) -> DayList {
        let spans = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let day = Int.random(in: first...first + days, using: &random)
            return DaySpan(day, through: day + Int.random(in: 0...1, using: &random))
        }
        return DayList(texts: ["dates"], once: spans)
    }
}

extension [Int] {
    /// These days of each week; Monday is 0.
    fileprivate var weekly: DayList {
        // 1900-01-01 was a Monday.
        let monday = LocalTime.days(year: 1900, month: 1, day: 1)
        let days = map { RepeatedDays(DaySpan(monday + $0, through: monday + $0), .days(7)) }
        return DayList(texts: ["weekdays"], once: [], again: days)
    }
}

extension Manifest {
    fileprivate mutating func setDays(_ days: [TaskIdentifier: OpenDays]) {
        for app in apps.indices {
            for task in apps[app].tasks.indices {
                apps[app].tasks[task].days = days[apps[app].tasks[task].identifier]
            }
        }
    }
}
