import LullCalendar
import LullModel
import LullScheduler
import LullSimulator
import Testing

/// An imported crontab: each launch is one that Debian's cron would have made, and none is missing.
@Suite struct CrontabTests {
    static let crontab = [
        "17 * * * *", "25 6 * * *", "47 6 * * 7", "52 6 1 * *", "*/10 * * * *", "*/15 8-18 * * 1-5",
        "0 3 * * *",
        "30 2 * * *", "15,45 2 * * *", "*/20 2 * * *", "5 */2 * * *", "0 0-23/2 * * *", "0 22 * * Mon-Fri",
        "0 8 * * mon,wed,fri", "10 4 1,15 * *", "0 4 13 * Fri", "0 4 */2 * Sun", "30 1 * * sat",
        "59 23 28-31 * *",
        "0 12 * Jan-Jun/2 *", "0 12 1 oct *", "7,37 * * * *", "0 9-17 * * *", "12 3 * mar,Oct 0",
        "40 2 * * 0",
        "@hourly", "@daily", "@weekly", "@monthly", "0 0 29 2 *",
    ]

    /// With a change of the clocks of one hour and of half an hour, in both directions.
    static let zones = [
        Zone(
            name: "Europe/Berlin", initialOffset: 3600,
            transitions: [
                .init(at: WallTime(seconds: 1_774_746_000), offset: 7200),
                .init(at: WallTime(seconds: 1_792_890_000), offset: 3600),
            ]),
        Zone(
            name: "America/New_York", initialOffset: -18000,
            transitions: [
                .init(at: WallTime(seconds: 1_772_953_200), offset: -14400),
                .init(at: WallTime(seconds: 1_793_512_800), offset: -18000),
            ]),
        Zone(
            name: "Australia/Lord_Howe", initialOffset: 39600,
            transitions: [
                .init(at: WallTime(seconds: 1_775_314_800), offset: 37800),
                .init(at: WallTime(seconds: 1_791_041_400), offset: 39600),
            ]),
    ]

    static func world(in zone: Zone, from start: WallTime) throws -> World {
        let command = app("de.example.Command")
        var tasks: [TaskDefinition] = []
        for (index, line) in crontab.enumerated() {
            let times = try ExactTimes(line)
            tasks.append(
                TaskDefinition(task("de.example.Command.line\(index)"), of: command, .processing) {
                    $0.at = times
                    $0.requires.idle = false
                })
        }
        var owner = App(command, tasks)
        owner.idleAfter = nil
        owner.concurrency = 100
        owner.keepWarm = .hours(2)
        var world = World(
            manifest: Manifest(hostConcurrency: 100, apps: [owner]), zones: Zones(host: zone), start: start)
        var plugin = PluginModel()
        plugin.startMilliseconds = 1...1
        world.plugins[command] = plugin
        for task in tasks {
            var handler = HandlerModel()
            handler.milliseconds = 1...40_000
            world.handlers[task.identifier] = handler
        }
        // People work and the machine is loaded: neither holds back a task that has times.
        world.conditions.presence = .known(.active)
        world.conditions.load = 3
        // The tests here check the instant of each launch themselves.
        world.looksForWaiting = false
        return world
    }

    @Test(arguments: [(0, 3), (0, 10), (2, 4)])
    func `a month of launches is that of Debian's cron, instant by instant`(_ zone: Int, _ month: Int) throws
    {
        let zone = Self.zones[zone]
        // At local midnight of the first, half a minute before cron's first look.
        let midnight = WallTime(seconds: Int64(LocalTime.days(year: 2026, month: month, day: 1)) * 86400)
        let start = midnight - .seconds(zone.offset(at: midnight)) - .seconds(30)
        let end = start + .days(31)
        var simulation = Simulation(try Self.world(in: zone, from: start))
        simulation.run(until: end)
        #expect(simulation.trace.faults == [])
        let expected = PlainCron(Self.crontab).runs(
            after: start - .seconds(30), through: end - .seconds(30), in: zone)
        var count = 0
        for (index, line) in Self.crontab.enumerated() {
            let name = task("de.example.Command.line\(index)")
            let launched = simulation.trace.events.filter { $0.event == .launched && $0.task == name }
            // A worker that was evicted takes a moment to start.
            #expect(
                launched.allSatisfy { ($0.time - ($0.occurrence?.time ?? .distantPast)) < .seconds(1) },
                "\(line)")
            #expect(launched.compactMap(\.occurrence?.time) == expected[index], "\(line) in \(zone.name)")
            #expect(launched.allSatisfy { $0.occurrence?.times == 1 }, "\(line)")
            count += launched.count
        }
        #expect(count > 8_000)
    }

    /// Fields of every form, drawn at random, a month around each change of the clocks.
    @Test func `the next instant is that of Debian's cron for lines of every form`() throws {
        var random = SeededGenerator(seed: 6)
        let lines = (0..<60).map { _ in Self.line(&random) }
        for zone in Self.zones {
            for change in zone.transitions {
                let start = WallTime(seconds: change.at.seconds / 60 * 60) - .days(16)
                let end = start + .days(32)
                let expected = PlainCron(lines).runs(after: start, through: end, in: zone)
                for (index, line) in lines.enumerated() {
                    let times = try CalendarTime(line)
                    var found: [WallTime] = []
                    var time = start
                    while let next = times.next(after: time, in: zone), next <= end {
                        found.append(next)
                        time = next
                    }
                    #expect(found == expected[index], "\(line) in \(zone.name)")
                }
            }
        }
    }

    private static func line(_ random: inout SeededGenerator) -> String {
        let fields = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)].map { field($0.0, $0.1, &random) }
        return fields.joined(separator: " ")
    }

    private static func field(_ low: Int, _ high: Int, _ random: inout SeededGenerator) -> String {
        let first = Int.random(in: low...high, using: &random)
        let last = Int.random(in: first...high, using: &random)
        let step = Int.random(in: 1...max(2, (high - low) / 3), using: &random)
        switch Int.random(in: 0...7, using: &random) {
        case 0...2: return "*"
        case 3: return "*/\(step)"
        case 4: return "\(first)"
        case 5: return "\(first)-\(last)"
        case 6: return "\(first)-\(last)/\(step)"
        default: return "\(low),\(first)-\(last)"
        }
    }
}
