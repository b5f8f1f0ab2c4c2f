import Foundation
import LullModel
import Testing

@testable import LullWorkers

/// Mistakes in a plugin's code, as its SDK reports them or as Swift traps them.
struct ReportedFaultTests {
    @Test func `a second handler in start refuses the plugin, with both places`() throws {
        let bench = try WorkerBench()
        try bench.start("Continued", tasks: ["begin"], settings: .object(["twice": .bool(true)]))
        let sentence =
            "It registered a second handler for org.example.good.begin at Feed.c:9; the first is at Feed.c:4. "
            + "Register each identifier once."
        let violation = try bench.waitForViolation()
        #expect(violation.sentence == sentence && !violation.isFatal)
        #expect(try bench.waitForFailure() == sentence)
    }

    @Test func `a submit without a handler ends the worker, and names task and place`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Continued", tasks: ["twice", "now"])
        try bench.launch(1, "twice", of: app)
        let violation = try bench.wait(for: "a violation") { event -> (TaskIdentifier?, String, Bool)? in
            if case .violation(_, let task, let sentence, let isFatal) = event {
                (task, sentence, isFatal)
            } else {
                nil
            }
        }
        #expect(violation.0?.text == "org.example.good.now" && violation.2)
        #expect(
            violation.1
                == "It submitted org.example.good.now at Feed.c:12, but no handler is registered for it. "
                + "Register one before the plugin's start returns.")
        #expect(try bench.waitForExit().hasPrefix("killed by the host: It submitted org.example.good.now"))
    }

    @Test func `a task that was let go is a violation of its run, and the worker goes on`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("Continued", tasks: ["drop"])
        try bench.launch(1, "drop", of: app)
        let violation = try bench.waitForViolation()
        #expect(
            violation.sentence
                == "It let go of a task of org.example.good.drop, registered at Feed.c:4, without completing it. "
                + "Keep the task until setTaskCompleted has been called.")
        #expect(try bench.waitForCompletion(of: 1))
    }

    @Test func `a closure of the main actor that is run elsewhere is explained, with the remedy`() throws {
        let bench = try WorkerBench()
        let fixtures = WorkerBench.root.appending(path: "Tests/Fixtures/MainActor").path
        let header = WorkerBench.root.appending(path: "Sources/C/CLullPlugin/include").path
        try bench.run("clang", ["-c", "-fPIC", "-I", header, fixtures + "/Entry.c", "-o", "Entry.o"])
        // Swift checks the actor of closures that it passes to modules not built in language mode 6.
        try bench.run(
            "swiftc",
            [
                "-swift-version", "5", "-parse-as-library", "-emit-library", "-static", "-emit-module",
                "-module-name", "Queue", fixtures + "/Queue.swift", "-o", "libQueue.a",
            ])
        try bench.run(
            "swiftc",
            [
                "-swift-version", "6", "-parse-as-library", "-emit-library", "-module-name",
                "MainActorPlugin",
                "-I", header, "-I", bench.folder, fixtures + "/Plugin.swift", "Entry.o", "libQueue.a", "-o",
                "plugin.so",
            ])
        let app = try bench.app("good", plugin: bench.folder + "/plugin.so", tasks: ["now"])
        try bench.pool.start(WorkerSpec(app: app, stateFolder: bench.folder))
        try bench.launch(1, "now", of: app.identifier)
        let sentence = try bench.waitForExit()
        #expect(sentence.hasPrefix("ended by signal 4 (SIGILL)"))
        #expect(sentence.contains("Swift's actor check"))
        #expect(sentence.contains("Register the handler with `using: .main`"))
        if bench.printed(.error).contains("Program crashed") {
            #expect(sentence.contains("closure #1 in Feed.register() belongs to the main actor"))
        }
    }

    @Test func `a crash of another sort is not explained so`() throws {
        let bench = try WorkerBench()
        let app = try bench.start("CrashesInLaunch")
        try bench.launch(1, "now", of: app)
        #expect(try !bench.waitForExit().contains("actor"))
    }

    @Test func `a cast to the class of another kind is explained`() throws {
        var crash = LastLine()
        crash.append(
            Array(
                """
                Could not cast value of type 'BackgroundTasks.BGAppRefreshTask' (0x7f1) to 'BackgroundTasks.BGProcessingTask' (0x7f2).

                *** Program crashed: Aborted at 0x00007f65f474c2a2 ***

                """.utf8), .error)
        #expect(
            CastTrap(crash)?.sentence
                == "The task of this run is a BGAppRefreshTask, because of its request or its `kind` in jobs.yaml, and its "
                + "handler casts it to BGProcessingTask. Cast it to BGAppRefreshTask, or change the kind")
        var other = LastLine()
        other.append(
            Array("Could not cast value of type 'Swift.Int' (0x1) to 'Feed.Story' (0x2).\n".utf8), .error)
        #expect(CastTrap(other) == nil)
    }

    @Test func `the function of a backtrace's frame is its name alone`() {
        let frame = " 5 [ra]         0x00007fb905cddd00 closure #1 in Feed.register() + 143 in Trap.so"
        #expect(MainActorTrap.function(inFrame: frame) == "closure #1 in Feed.register()")
        #expect(MainActorTrap.function(inFrame: "...") == nil)
        #expect(MainActorTrap.function(inFrame: "0x0 + 1") == nil)
    }

    @Test func `who says that it is on the main actor and is not is named, not what it says it with`() throws
    {
        var crash = LastLine()
        crash.append(
            Array(
                """
                *** Program crashed: Illegal instruction at 0x00007f65f474c2a2 ***

                Thread 4 crashed:

                 3 [ra]          0x00007f65f49842e3 _swift_task_checkIsolatedSwift + 18 in libswift_Concurrency.so
                 4 [ra]          0x00007f65f49cbeaa swift_task_isCurrentExecutorWithFlags + 409 in libswift_Concurrency.so
                 5 [ra] [system] 0x00007f65f51d1f58 static MainActor.assumeIsolated<A>(_:file:line:) + 87 in libFeed.so
                 6 [ra]          0x00007f65f51d1e8e closure #1 in AppDelegate.register() + 109 in libFeed.so

                """.utf8), .error)
        let trap = try #require(MainActorTrap(crash))
        #expect(trap.function == "closure #1 in AppDelegate.register()")
        #expect(
            trap.sentence
                == "This is Swift's actor check: closure #1 in AppDelegate.register() says with "
                + "MainActor.assumeIsolated that it is on the main actor, but was run on another thread. Go there first, "
                + "with `await MainActor.run`, or register the handler with `using: .main`.")
    }

    @Test func `who waits for the queue on which it runs is named by its function`() throws {
        var crash = LastLine()
        crash.append(
            Array(
                """
                *** Signal 4: Backtracing from 0x7faf56b4f7d8... done ***

                Thread 0 "lull-worker" crashed:

                  0                  0x00007faf56b4f7d8 __DISPATCH_WAIT_FOR_QUEUE__ + 344 in libdispatch.so
                  1 [ra]             0x00007faf56b4f2d3 _dispatch_sync_f_slow + 194 in libdispatch.so
                  2 [ra]             0x00007faf56179be2 DispatchQueue.sync(execute:) + 145 in libswiftDispatch.so
                  3 [ra]             0x00007faf56bca262 closure #1 in AppDelegate.sync() + 33 in libFeed.so at Feed.swift:22:19

                """.utf8), .error)
        #expect(MainActorTrap(crash) == nil)
        let trap = try #require(QueueTrap(crash))
        #expect(
            trap.sentence
                == "It waited for itself: closure #1 in AppDelegate.sync() calls `sync` on the queue on which it already "
                + "runs. Call the code directly, or use `async`; for the main queue ask `Thread.isMainThread` first."
        )
        #expect(QueueTrap(LastLine()) == nil)
    }

    @Test func `without a backtrace a silent trap of a Swift plugin is a guess`() {
        let silent = LastLine()
        #expect(MainActorTrap.guess(.signal(4), sdk: "swift 0.1.0", silent) != nil)
        #expect(MainActorTrap.guess(.signal(4), sdk: "c", silent) == nil)
        #expect(MainActorTrap.guess(.signal(11), sdk: "swift 0.1.0", silent) == nil)
        var fatal = LastLine()
        fatal.append(Array("Feed/Feed.swift:3: Fatal error: Index out of range\n".utf8), .error)
        #expect(MainActorTrap.guess(.signal(4), sdk: "swift 0.1.0", fatal) == nil)
    }
}
