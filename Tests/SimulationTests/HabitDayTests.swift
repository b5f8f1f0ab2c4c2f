import LullModel
import LullScheduler
import LullSimulator
import Testing

/// The ways in which apps for iOS keep their tasks going, as the plugins in `Tests/Fixtures/Plugins/Habits…` have them, for a day
/// under all defaults. A worker is cold before the next request is due, so each launch starts the app, which submits again.
@Suite struct HabitDayTests {
    struct Habit: Sendable {
        var task: String
        var kind = Kind.processing
        /// The number of submits while the app starts.
        var atStart = 1
        /// How long after a run the next may begin; nil: only a start submits it.
        var inRun: Duration? = .minutes(15)
        var fails = 0.0

        var name: TaskIdentifier { SimulationTests.task("com.example.\(task)") }
    }

    static let habits: [String: [Habit]] = [
        "Delegate": [
            Habit(task: "Delegate.refresh", kind: .refresh), Habit(task: "Delegate.deferred", atStart: 2),
            Habit(task: "Delegate.after"), Habit(task: "Delegate.unless_pending"),
            Habit(task: "Delegate.cancelled"),
        ],
        "Scene": [
            Habit(task: "Scene.refresh", kind: .refresh), Habit(task: "Scene.scene"),
            Habit(task: "Scene.observed"), Habit(task: "Scene.polled", inRun: nil),
        ],
        "Habits": [
            Habit(task: "Habits.refresh", kind: .refresh), Habit(task: "Habits.registered"),
            Habit(task: "Habits.grouped"),
        ],
        "Actors": [
            Habit(task: "Actors.actor"), Habit(task: "Actors.maintenance"), Habit(task: "Actors.raced"),
            Habit(task: "Actors.retried", inRun: .minutes(30), fails: 0.5),
        ],
    ]

    private func world(_ app: String, _ habits: [Habit]) -> World {
        let identifier = SimulationTests.app("com.example.\(app)")
        let tasks = habits.map { TaskDefinition($0.name, of: identifier, $0.kind) }
        var world = World(manifest: Manifest(apps: [App(identifier, tasks)]), start: monday)
        world.history = [HistoryEvent(.used, at: at(-1, 12), app: identifier)]
        var plugin = PluginModel()
        for habit in habits {
            let submission = SubmissionModel(habit.name, kind: habit.kind, begin: .minutes(15))
            plugin.submitsOnStart += Array(repeating: submission, count: habit.atStart)
            var handler = HandlerModel()
            handler.fails = habit.fails
            handler.submits =
                habit.inRun.map { [SubmissionModel(habit.name, kind: habit.kind, begin: $0)] } ?? []
            world.handlers[habit.name] = handler
        }
        world.plugins[identifier] = plugin
        return world
    }

    @Test(arguments: habits.keys.sorted())
    func `what an app asks for as apps for iOS do is launched all day, not before its time`(app: String)
        throws
    {
        let habits = try #require(Self.habits[app])
        let trace = world(app, habits).run(until: at(1))
        #expect(trace.faults == [])
        for habit in habits {
            let times = trace.launches(of: habit.name).map(\.time)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .minutes(15) }, "\(habit.task)")
            // A refresh: without known sessions the budget of 8 is spread evenly over the day.
            let often = habit.kind == .refresh ? 7...9 : 4...96
            #expect(often.contains(times.count), "\(habit.task): \(times.count)")
        }
        // Processing that an app submits: 8 launches a day for each such task, and as many more at first.
        let processing = habits.filter { $0.kind == .processing }
        let launches = processing.reduce(0) { $0 + trace.launches(of: $1.name).count }
        #expect((8 * processing.count...16 * processing.count).contains(launches), "\(app): \(launches)")
    }
}
