import LullModel
import LullScheduler

/// The manifest of a rough week, and the plugins that it names.
extension RoughWeek {
    mutating func manifest() -> Manifest {
        let names = ["com.example.News", "com.example.Photos", "org.example.Backup"].compactMap {
            AppIdentifier($0)
        }
        let apps = names.prefix(pick(1...names.count)).map { app(name: $0) }
        return Manifest(hostConcurrency: pick(1...3), apps: Array(apps))
    }

    private mutating func app(name: AppIdentifier) -> App {
        var app = App(identifier: name, plugin: "/plugins/\(name).so")
        app.usage = .manual
        app.idleAfter = oneOf(.days(7), .days(3), .days(2), nil)
        app.idleClock = oneOf(.wall, .wall, .host)
        app.concurrency = pick(1...3)
        app.keepWarm = oneOf(.minutes(10), .zero, .seconds(5))
        let tasks = pick(1...4)
        for number in 0..<tasks {
            guard let task = TaskIdentifier("t\(number)", of: name) else { continue }
            app.tasks.append(definition(task, of: name))
        }
        for place in app.tasks.indices { app.tasks[place].notify = notify() }
        app.notify = notify()
        return app
    }

    private mutating func definition(_ task: TaskIdentifier, of app: AppIdentifier) -> TaskDefinition {
        var definition = TaskDefinition(
            identifier: task, app: app,
            kind: oneOf(.refresh, .refresh, .processing, .processing, .processing, .continued))
        definition.enabled = chance(0.95)
        definition.concurrency = pick(1...2)
        definition.priority = pick(-1...1)
        definition.grace = .seconds(pick(1...10))
        if definition.kind == .continued { return definition }
        definition.repeat = oneOf(nil, .minutes(45), .hours(3), .hours(11), .days(1))
        definition.latest = oneOf(nil, nil, .hours(3), .hours(20))
        definition.budget = oneOf(8, 2, 24, 0.5)
        definition.minGap = oneOf(.minutes(15), .hours(1))
        definition.retry = oneOf(.init(), .init(first: .minutes(5), max: .hours(1)))
        if definition.kind == .processing {
            definition.timeLimit = oneOf(.minutes(10), .minutes(1), .hours(2))
        }
        if chance(0.1) { definition.freshShare = 0.7 }
        definition.requires = requirements()
        if chance(0.2) {
            definition.windows = [
                Window(days: [0, 2, 5, 6], opens: 22 * 60, closes: 7 * 60, text: "22:00-07:00")
            ]
            definition.timezone = oneOf(nil, "Pacific/Kiritimati")
        } else if chance(0.1) {
            definition.windows = [Window(opens: 120, closes: 180, text: "02:00-03:00")]
        }
        return definition
    }

    private mutating func notify() -> [NoticeSink] {
        let said: Set<NoticeKind> = [.failed, .idle, .recovered, .output]
        // By when a task is late is drawn from its futures, which takes its time.
        if chance(0.04) { return [NoticeSink(.journal, on: Set(NoticeKind.allCases))] }
        return oneOf(
            [], [NoticeSink(.journal, on: said)],
            [
                NoticeSink(.mail("ops@example.org"), on: [.failed, .recovered]),
                NoticeSink(.journal, on: [.failed]),
            ])
    }

    private mutating func requirements() -> Requirements {
        Requirements(
            network: oneOf(nil, nil, .any, .unmetered), externalPower: chance(0.2),
            batteryAbove: chance(0.15) ? 0.4 : nil, idle: oneOf(nil, nil, false, true),
            loadBelow: chance(0.2) ? 0.5 : nil, diskFree: chance(0.2) ? 1 << 30 : nil)
    }

    mutating func plugin(of app: App) -> PluginModel {
        var plugin = PluginModel()
        let names = app.tasks.map(\.identifier)
        plugin.startMilliseconds = oneOf(40...200, 40...200, 1_000...40_000)
        if chance(0.2), let first = names.first {
            plugin.registers = Array(names.dropFirst())
            plugin.submitsOnStart = [SubmissionModel(first)]
        }
        if chance(0.03) { plugin.trouble = "plugin of \(app.identifier): undefined symbol" }
        plugin.diesInStart = oneOf(0, 0, 0, 0.3)
        plugin.runsAlone = app.keepWarm == .zero
        while plugin.submitsOnStart.count < 2, chance(0.4) { plugin.submitsOnStart.append(wish(of: app)) }
        return plugin
    }

    mutating func handler(of app: App, _ task: TaskDefinition) -> HandlerModel {
        var handler = HandlerModel()
        handler.milliseconds = oneOf(1...100, 500...20_000, 500...20_000, 20_000...900_000)
        handler.fails = oneOf(0, 0, 0.3, 1)
        handler.crashes = oneOf(0, 0, 0, 0.2)
        handler.hangs = oneOf(0, 0, 0, 0.2)
        handler.hangsInLaunch = oneOf(0, 0, 0, 0.1)
        handler.completesTwice = oneOf(0, 0, 0, 0.1)
        handler.cancels = oneOf(0, 0, 0, 0.2)
        handler.heedsExpirationMilliseconds = oneOf(1...100, 1...100, 900...12_000)
        // A continued task that asks for itself fills the week with its runs: seldom.
        if chance(task.kind == .continued ? 0.03 : 0.4) { handler.submits = [wish(of: app)] }
        return handler
    }

    /// A submit of a plugin: mostly for its own tasks, and now and then one that is not permitted.
    private mutating func wish(of app: App) -> SubmissionModel {
        let task = any(of: app.tasks)
        let foreign = TaskIdentifier("net.example.Other.t0")
        guard let name = chance(0.03) ? foreign : task?.identifier ?? foreign else {
            preconditionFailure("a name that is written down here is a reverse-DNS name")
        }
        var wish = SubmissionModel(
            name, kind: oneOf(nil, nil, .refresh, .processing),
            begin: oneOf(nil, .minutes(2), .minutes(90), .hours(7)))
        if chance(0.2) { wish.requires = Requirements(network: .any, externalPower: chance(0.5)) }
        if task?.kind == .continued {
            wish.kind = nil
            wish.begin = nil
            wish.isImmediate = chance(0.5)
        }
        return wish
    }

    /// Apps that submit their next request whenever they are started, as on iOS. They have a separate generator, as the times.
    static func addHabits(to world: inout World, seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x1057_1057)
        for app in world.manifest.apps where random.chance(0.8) {
            for task in app.tasks where task.kind != .continued && random.chance(0.5) {
                let begins: [Duration?] = [nil, .minutes(2), .minutes(15), .minutes(90), .hours(7)]
                let begin = begins.randomElement(using: &random) ?? nil
                let wish = SubmissionModel(task.identifier, begin: begin)
                let places = Int.random(in: 1...7, using: &random)
                if places & 1 > 0 { world.plugins[app.identifier]?.submitsOnStart.append(wish) }
                if places & 2 > 0 { world.plugins[app.identifier]?.submitsLater.append(wish) }
                if places & 4 > 0 { world.handlers[task.identifier]?.submits.append(wish) }
            }
        }
    }
}
