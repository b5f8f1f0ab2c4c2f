import LullModel
import LullScheduler
import LullSimulator
import Testing

/// A notice that a task is late has a reason: in a world that goes on as before there is hardly one.
@Suite struct LatenessTests {
    private static let backup = app("com.example.Backup")
    private static let days = 120

    private static func world(_ days: Int) -> World {
        func make(_ name: String, _ gap: Duration, _ change: (inout TaskDefinition) -> Void) -> TaskDefinition
        {
            TaskDefinition(task("com.example.Backup." + name), of: backup, .processing, repeat: gap) {
                $0.requires.idle = false
                $0.notify = [NoticeSink(.journal, on: [.overdue])]
                change(&$0)
            }
        }
        var owner = App(
            backup,
            [
                make("often", .minutes(15)) { _ in },
                make("on_power", .hours(20)) { $0.requires.externalPower = true },
                make("on_network", .hours(3)) { $0.requires.network = .any },
                make("at_home", .hours(20)) {
                    $0.requires.externalPower = true
                    $0.requires.network = .unmetered
                },
                make("at_night", .hours(12)) {
                    $0.requires.externalPower = true
                    $0.windows = [Window(opens: 60, closes: 300, text: "01:00-05:00")]
                },
                make("in_a_pause", .hours(4)) { $0.requires.idle = true },
            ])
        owner.idleAfter = nil
        return World(manifest: Manifest(hostConcurrency: 8, apps: [owner]), start: monday)
    }

    /// False alarms of one task in a month, in these worlds.
    private func falseAlarms(_ worlds: [World]) -> (rate: Double, sentences: [String]) {
        var alarms: [String] = []
        var months = 0.0
        for world in worlds {
            var life = Life(world)
            life.run(until: world.start + .days(Self.days))
            alarms += life.notices.map { "\($0.task?.text ?? "") \($0.time): \($0.reason ?? "")" }
            months += Double(world.manifest.tasks.count * Self.days) / 30
        }
        return (Double(alarms.count) / months, alarms)
    }

    @Test func `a laptop that lives as it did is not told to be late`() {
        let (rate, sentences) = falseAlarms(
            (0..<1).map { Habits.laptop(Self.world(Self.days), days: Self.days, seed: $0) })
        #expect(rate <= 0.01, "\(rate) in a month of a task: \(sentences)")
    }

    @Test func `neither is a server`() {
        let (rate, sentences) = falseAlarms(
            (0..<1).map { Habits.server(Self.world(Self.days), days: Self.days, seed: $0) })
        #expect(rate <= 0.01, "\(rate) in a month of a task: \(sentences)")
    }

    @Test func `a laptop that is never plugged in again is, within days, and the gate is named`() throws {
        let end = monday + .days(Self.days)
        var world = Habits.laptop(Self.world(Self.days), days: Self.days, seed: 3)
        let broken = end - .days(30)
        world.timeline = world.timeline.map { entry in
            guard entry.time >= broken, case .conditions(var conditions) = entry.stimulus else {
                return entry
            }
            conditions.externalPower = .known(false)
            return World.Entry(entry.time, .conditions(conditions))
        }
        var life = Life(world)
        life.run(until: end)
        let told = life.notices.filter { $0.time >= broken }
        #expect(
            Set(told.compactMap(\.task?.text)).isSuperset(of: [
                "com.example.Backup.on_power", "com.example.Backup.at_home",
            ]))
        let first = try #require(told.first { $0.task?.text == "com.example.Backup.on_power" })
        #expect(first.time - broken < .days(12), "\(first.time - broken)")
        #expect(first.reason?.contains("external_power: ") == true)
        #expect(told.count { $0.task == first.task } == 1)
        #expect(!told.contains { $0.task?.text == "com.example.Backup.often" })
    }
}
