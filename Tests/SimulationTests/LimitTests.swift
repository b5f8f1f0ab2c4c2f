import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Quotas, backoff, the starvation bound, and how many run at once.
@Suite struct LimitTests {
    @Test func `a plugin's eleventh pending processing request is refused`() {
        let tasks = (0..<11).map { task("com.example.ColorFeed.t\($0)") }
        var owner = App(feed, tasks.map { TaskDefinition($0, .processing) })
        owner.idleAfter = nil
        var world = World(manifest: Manifest(apps: [owner]), start: monday)
        for name in tasks {
            world.at(at(1), .submitted(Submission(app: feed, task: name, earliestBegin: at(2))))
        }
        let trace = world.run(until: at(1, 1))
        #expect(trace.faults == [])
        #expect(trace.events(.submitted).count == 10)
        #expect(trace.events(.refused).map(\.task) == [tasks[10]])
        #expect(trace.replies.compactMap(\.refusal).map(\.code) == [.tooManyPending])
    }

    @Test
    func `a plugin's second pending refresh request is refused and a newer one of the same task replaces`() {
        let other = task("com.example.ColorFeed.other")
        var owner = App(feed, [TaskDefinition(refresh, .refresh), TaskDefinition(other, .refresh)])
        owner.idleAfter = nil
        var world = World(manifest: Manifest(apps: [owner]), start: monday)
        for name in [refresh, other, refresh] {
            world.at(at(1), .submitted(Submission(app: feed, task: name, earliestBegin: at(2))))
        }
        let trace = world.run(until: at(1, 1))
        #expect(trace.faults == [])
        #expect(trace.events(.submitted).map(\.task) == [refresh, refresh])
        #expect(trace.events(.refused).map(\.task) == [other])
        #expect(trace.events(.replaced).map(\.task) == [refresh])
    }

    @Test func `failures are retried after 30 s, doubling to at most five hours, and a success starts anew`()
    {
        var world = cleaningWorld(repeat: .seconds(1))
        world.handlers[cleaning] = HandlerModel()
        world.handlers[cleaning]?.fails = 1
        world.handlers[cleaning]?.milliseconds = 1000...1000
        let trace = world.run(until: at(2))
        #expect(trace.faults == [])
        let failed = trace.events(.failed).map(\.time)
        let waits = zip(trace.launches.dropFirst(), failed).map { ($0.time - $1).milliseconds / 1000 }
        let expected: [Int64] = [30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15360, 18000, 18000]
        #expect(Array(waits.prefix(12)) == expected)
    }

    @Test func `a processing task waits for an idle host until its starvation bound and no longer`() {
        var world = cleaningWorld(repeat: .hours(6)) { $0.requires.idle = nil }
        world.conditions.presence = .known(.active)
        world.conditions.load = 3
        let trace = world.run(until: at(4))
        #expect(trace.faults == [])
        let times = trace.launches.map(\.time)
        // Due at once, then six hours after each launch; open for twice that.
        #expect(times.count >= 4)
        for (earlier, later) in zip(times, times.dropFirst()) {
            let wait = later - earlier
            #expect(wait >= .hours(18) - .minutes(1) && wait <= .hours(18) + .minutes(1))
        }
    }

    @Test func `a processing task runs once the host is idle`() {
        var world = cleaningWorld(repeat: .hours(24)) { $0.requires.idle = nil }
        world.conditions.presence = .known(.active)
        world.conditions.load = 0
        var idle = world.conditions
        idle.presence = .known(.idle(since: at(0, 6)))
        world.at(at(0, 6), .conditions(idle))
        let trace = world.run(until: at(0, 12))
        #expect(trace.faults == [])
        #expect(trace.launches.count == 1)
        #expect(trace.launches.allSatisfy { at(0, 6) <= $0.time && $0.time <= at(0, 7) })
    }

    @Test func `no more run at once than host and app allow and all that wait run in the end`() {
        let apps = (0..<5).map { number -> App in
            let name = app("com.example.App\(number)")
            var owner = App(
                name,
                (0..<4).map { index in
                    TaskDefinition(task("com.example.App\(number).t\(index)"), of: name, .processing) {
                        $0.requires.idle = false
                    }
                })
            owner.idleAfter = nil
            owner.concurrency = 2
            return owner
        }
        var world = World(manifest: Manifest(hostConcurrency: 3, apps: apps), start: monday)
        for definition in world.manifest.tasks {
            world.at(at(1), .submitted(Submission(app: nil, task: definition.identifier)))
            world.handlers[definition.identifier] = HandlerModel()
            world.handlers[definition.identifier]?.milliseconds = 60_000...60_000
        }
        let trace = world.run(until: at(1, 2))
        #expect(trace.faults == [])
        #expect(Set(trace.launches.map(\.task)).count == 20)
        #expect(trace.events(.completed).count == 20)
        // Three at a time for a minute each.
        #expect((trace.launches.last?.time).map { $0 < at(1, 0, 10) } == true)
    }

    @Test func `two refreshes of an app are a quarter of an hour apart`() {
        var world = feedWorld().neverIdle()
        world.handlers[refresh] = HandlerModel()
        world.handlers[refresh]?.submits = [SubmissionModel(refresh)]
        let trace = world.run(until: at(2))
        #expect(trace.faults == [])
        let times = trace.launches.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .minutes(15) })
    }

    @Test func `a handler that submits itself at once runs once a minute, as often as its budget says`() {
        var world = cleaningWorld(repeat: nil)
        world.plugins[feed] = PluginModel()
        world.plugins[feed]?.submitsOnStart = [SubmissionModel(cleaning)]
        world.handlers[cleaning] = HandlerModel()
        world.handlers[cleaning]?.milliseconds = 10...10
        world.handlers[cleaning]?.submits = [SubmissionModel(cleaning)]
        let trace = world.run(until: at(0, 6))
        #expect(trace.faults == [])
        let times = trace.launches.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .minutes(1) })
        // Eight at once, and one more each three hours.
        #expect(times.count { $0 < at(0, 0, 15) } == 8)
        #expect((9...10).contains(times.count))
    }

    @Test func `a run that hangs is expired before its limit and killed after its grace`() {
        var world = cleaningWorld(repeat: .days(1)) { task in
            task.timeLimit = .minutes(10)
            task.warning = .seconds(5)
            task.grace = .seconds(5)
        }
        world.handlers[cleaning] = HandlerModel()
        world.handlers[cleaning]?.hangs = 1
        let trace = world.run(until: at(0, 0, 15))
        #expect(trace.faults == [])
        let launched = trace.launches.first?.time ?? .distantPast
        #expect(trace.events(.expired).first.map { $0.time - launched } == .seconds(595))
        let failed = trace.events(.failed).first
        #expect(failed?.outcome == .killed)
        #expect(failed.map { $0.time - launched } == .seconds(600))
    }
}
