import LullModel
import LullSimulator

/// A host's conditions over the days, drawn from a seed: the habits of the people who use it.
struct Habits {
    private var random: SeededGenerator
    private var world: World
    private var conditions: Conditions

    /// A laptop: at a desk on most weekdays, at home in the evening, plugged in there on most evenings, asleep to
    /// nobody, and out of the network on the way.
    static func laptop(_ world: World, days: Int, seed: UInt64) -> World {
        var habits = Habits(world, seed: seed)
        habits.live(days: days)
        return habits.world
    }

    /// A server: on power but for cuts, in a network that fails now and then, with nobody there and a load that
    /// comes by day.
    static func server(_ world: World, days: Int, seed: UInt64) -> World {
        var habits = Habits(world, seed: seed)
        habits.serve(days: days)
        return habits.world
    }

    /// Somebody who looks at an app in the morning, in bursts by day, and on some evenings.
    static func reader(_ world: World, of app: AppIdentifier, days: Int, seed: UInt64) -> World {
        var habits = Habits(world, seed: seed)
        habits.read(app, days: days)
        return habits.world
    }

    private init(_ world: World, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        self.world = world
        conditions = world.conditions
    }

    /// Roughly normal: the sum of four.
    private mutating func around(_ hour: Double, _ spread: Double) -> Double {
        let sum = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) }
        return hour + spread * sum / 1.155
    }

    /// A change within a day, at hours since its midnight.
    private typealias Change = (hour: Double, change: (inout Conditions, WallTime) -> Void)

    private mutating func put(_ changes: [Change], on day: Int) {
        for (hour, change) in changes.sorted(by: { $0.hour < $1.hour }) {
            let time = world.start + .days(day) + .milliseconds(Int64(hour * 3_600_000))
            change(&conditions, time)
            world.at(time, .conditions(conditions))
        }
    }

    private mutating func live(days: Int) {
        let plugs = Double.random(in: 17.5...20.5, using: &random)
        let plugsSpread = Double.random(in: 0.3...1.2, using: &random)
        let rises = Double.random(in: 6.5...8, using: &random)
        let evenings = Double.random(in: 0.6...0.95, using: &random)
        conditions.externalPower = .known(false)
        conditions.network = .known(.unmetered)
        conditions.presence = .known(.idle(since: world.start - .hours(1)))
        for day in 0..<days {
            let isWorkday = day % 7 < 5 && random.chance(0.9)
            var changes: [Change] = []
            let up = around(rises + (isWorkday ? 0 : 1.5), 0.4)
            changes.append((up, { conditions, _ in conditions.presence = .known(.active) }))
            changes.append(
                (around(up + 0.4, 0.1), { conditions, _ in conditions.externalPower = .known(false) }))
            if isWorkday {
                let leaves = around(up + 1, 0.2)
                changes.append((leaves, { conditions, _ in conditions.network = .known(.none) }))
                changes.append(
                    (leaves + around(0.7, 0.1), { conditions, _ in conditions.network = .known(.metered) }))
                changes.append((around(12.2, 0.3), { $0.presence = .known(.idle(since: $1 - .minutes(5))) }))
                changes.append(
                    (around(13.2, 0.2), { conditions, _ in conditions.presence = .known(.active) }))
                let goes = around(17, 0.5)
                changes.append((goes, { conditions, _ in conditions.network = .known(.none) }))
                changes.append(
                    (goes + around(0.7, 0.1), { conditions, _ in conditions.network = .known(.unmetered) }))
            } else {
                for _ in 0..<3 {
                    let away = Double.random(in: 11...21, using: &random)
                    changes.append((away, { $0.presence = .known(.idle(since: $1 - .minutes(5))) }))
                    changes.append(
                        (
                            away + Double.random(in: 0.2...1.5, using: &random),
                            { conditions, _ in conditions.presence = .known(.active) }
                        ))
                }
            }
            if random.chance(evenings) {
                changes.append(
                    (around(plugs, plugsSpread), { conditions, _ in conditions.externalPower = .known(true) })
                )
            }
            changes.append((around(23, 0.4), { $0.presence = .known(.idle(since: $1 - .minutes(5))) }))
            put(changes, on: day)
        }
    }

    private mutating func serve(days: Int) {
        let fails = Double.random(in: 0.5...3, using: &random)
        let busy = Double.random(in: 7...10, using: &random)
        conditions.network = .known(.unmetered)
        for day in 0..<days {
            var changes: [Change] = []
            for _ in 0..<8 where random.chance(fails / 8) {
                let at = Double.random(in: 0...23, using: &random)
                changes.append((at, { conditions, _ in conditions.network = .known(.none) }))
                changes.append(
                    (
                        at + Double.random(in: 0.05...2, using: &random),
                        { conditions, _ in conditions.network = .known(.unmetered) }
                    ))
            }
            if random.chance(0.03) {
                let at = Double.random(in: 0...20, using: &random)
                changes.append((at, { conditions, _ in conditions.externalPower = .known(false) }))
                changes.append((at + 1, { conditions, _ in conditions.externalPower = .known(true) }))
            }
            changes.append((around(busy, 0.5), { conditions, _ in conditions.load = 0.9 }))
            for _ in 0..<2 {
                let pause = Double.random(in: 11...16, using: &random)
                changes.append((pause, { conditions, _ in conditions.load = 0.2 }))
                changes.append((pause + 0.5, { conditions, _ in conditions.load = 0.9 }))
            }
            changes.append((around(18, 1), { conditions, _ in conditions.load = 0.1 }))
            put(changes, on: day)
        }
    }

    private mutating func read(_ app: AppIdentifier, days: Int) {
        let morning = Double.random(in: 6...9, using: &random)
        let mornings = Double.random(in: 0.6...0.98, using: &random)
        let bursts = Double.random(in: 0...2, using: &random)
        let evenings = Double.random(in: 0.1...0.8, using: &random)
        for day in 0..<days {
            let isWeekend = day % 7 >= 5
            var hours: [Double] = []
            if random.chance(mornings * (isWeekend ? 0.6 : 1)) {
                hours.append(around(morning + (isWeekend ? 1.5 : 0), 0.4))
            }
            for _ in 0..<3 where random.chance(bursts / 3) {
                let first = Double.random(in: 10...18, using: &random)
                hours += (0..<3).map { first + 0.7 * Double($0) }
            }
            if random.chance(evenings) { hours.append(around(21, 0.8)) }
            for hour in hours.sorted() {
                world.at(world.start + .days(day) + .milliseconds(Int64(hour * 3_600_000)), .used(app))
            }
        }
    }
}
