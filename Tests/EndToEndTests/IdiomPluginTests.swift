import Foundation
import TestSupport
import Testing

/// Apps as they are written for iOS, except for their UIKit import, through worker, pool and host.
struct IdiomPluginTests {
    /// A workshop for one fixture plugin in Swift, built beside these tests.
    private func workshop(_ fixture: String, _ app: String, _ keys: String = "", tasks: String) throws
        -> Workshop
    {
        let workshop = try Workshop()
        let plugin = Workshop.products.appendingPathComponent("libFixture\(fixture).so").path
        let tasks = tasks.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.\(app):
                plugin: \(plugin)
                idle_after: never
                grace: 10m
                \(keys)
                tasks:
            \(tasks)
            """, to: "jobs.yaml")
        return workshop
    }

    private func colours() throws -> Workshop {
        try workshop(
            "AppDelegate", "Colours",
            tasks: """
                refresh: { kind: refresh }
                db_cleaning: { kind: processing, requires: { idle: false } }
                """)
    }

    private func faults(_ launch: String = "none", _ run: String = "none") throws -> Workshop {
        try workshop(
            "Faults", "Faults", "settings: { at_launch: \(launch) }",
            tasks: """
                task: { kind: processing, requires: { idle: false }, settings: { in_run: \(run) } }
                other: { kind: processing, requires: { idle: false }, settings: { in_run: \(run) } }
                """)
    }

    private func run(_ number: Int, of workshop: Workshop) throws -> String {
        try workshop.lull("history", "--run", "\(number)").output
    }

    @Test func `an app delegate refreshes on an operation queue`() throws {
        let workshop = try colours()
        #expect(try workshop.lull("check").status == 0)
        let launch = try workshop.lull("launch", "com.example.Colours.refresh")
        #expect(launch.status == 0, "\(launch.error)\(launch.output)")
        #expect(try run(1, of: workshop).contains("kept 1 colours"))
        // One request causes one launch: the handler submitted the next one.
        let pending = try workshop.lull("pending").output
        #expect(pending.contains("com.example.Colours.refresh"), "\(pending)")
        #expect(pending.contains("com.example.Colours.db_cleaning"), "\(pending)")
    }

    @Test func `an app that submits its next request at each start is launched for the one before`() throws {
        let workshop = try workshop(
            "EntersBackground", "Sample", "keep_warm: 1s",
            tasks: """
                refresh: { kind: refresh }
                cleaning: { kind: processing, requires: { idle: false } }
                indexing: { kind: processing, requires: { idle: false } }
                """)
        let host = try workshop.start("run", "jobs.yaml")
        // By then the worker of the app's discovery has ended.
        for task in ["refresh", "cleaning", "indexing"] {
            try host.waitForLine(containing: "launched com.example.Sample.\(task)")
        }
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `an app delegate's database cleaning is cancelled by its expiration`() throws {
        let workshop = try colours()
        let host = try workshop.start("run", "jobs.yaml")
        // The app submitted the request when it entered the background.
        try host.waitForLine(containing: "launched com.example.Colours.db_cleaning")
        #expect(try workshop.lull("expire", "com.example.Colours.db_cleaning").status == 0)
        try host.waitForLine(containing: "cut short com.example.Colours.db_cleaning")
        let history = try workshop.lull("history", "--json").output
        let line = try #require(
            history.split(separator: "\n").first {
                $0.contains("failed") && $0.contains("com.example.Colours.db_cleaning")
            })
        let number = try #require(line.firstMatch(of: /"run":(\d+)/).flatMap { Int($0.1) })
        #expect(try run(number, of: workshop).contains("database cleaning cancelled"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `2.6: a singleton wraps beginBackgroundTask, and a handler takes the base class`() throws {
        let workshop = try workshop(
            "Singleton", "Singleton",
            tasks: """
                sync: { kind: processing }
                fetch: { kind: refresh }
                """)
        let launch = try workshop.lull("launch", "com.example.Singleton.sync")
        #expect(launch.status == 0, "\(launch.error)\(launch.output)")
        let output = try run(1, of: workshop)
        #expect(output.contains("background task begun, with time"), "\(output)")
        #expect(output.contains("activity begun, low power "), "\(output)")
        #expect(output.contains("background task ended"), "\(output)")
        // The observer that is called when the app enters the background submitted it.
        let history = try workshop.lull("history", "--events").output
        #expect(history.contains("submitted   com.example.Singleton.sync"), "\(history)")
    }

    @Test func `2.4: a run submits continued work, which begins at once under its own identifier`() throws {
        let workshop = try workshop(
            "Singleton", "Singleton",
            tasks: """
                sync: { kind: processing, requires: { idle: false } }
                export.*: { kind: continued }
                """)
        let host = try workshop.start("run", "jobs.yaml")
        // Submitted when the app entered the background.
        try host.waitForLine(containing: "launched com.example.Singleton.sync")
        try host.waitForLine(containing: "completed com.example.Singleton.export.42")
        let history = try workshop.lull("history", "--json").output
        let line = try #require(
            history.split(separator: "\n").first {
                $0.contains("completed") && $0.contains("com.example.Singleton.export.42")
            })
        let number = try #require(line.firstMatch(of: /"run":(\d+)/).flatMap { Int($0.1) })
        let output = try run(number, of: workshop)
        #expect(output.contains("exported com.example.Singleton.export.42: Export 42, 3 of 3"), "\(output)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `2.7: the background fetch of old is the task fetch`() throws {
        let workshop = try workshop(
            "Singleton", "Singleton",
            tasks: """
                sync: { kind: processing }
                fetch: { kind: refresh }
                """)
        let launch = try workshop.lull("launch", "com.example.Singleton.fetch")
        #expect(launch.status == 0, "\(launch.error)\(launch.output)")
        #expect(try run(1, of: workshop).contains("fetched in time"))
        #expect(try workshop.lull("pending").output.contains("com.example.Singleton.fetch"))
    }

    @Test func `a SwiftUI app registers in its init and in its scenes`() throws {
        let workshop = try workshop(
            "SwiftUIApp", "FeedApp",
            tasks: """
                refresh: { kind: refresh }
                cleaning: { kind: processing }
                waiting: { kind: processing, requires: { idle: false } }
                """)
        #expect(try workshop.lull("check").status == 0)
        #expect(try workshop.lull("launch", "com.example.FeedApp.refresh").status == 0)
        #expect(try run(1, of: workshop).contains("loaded the feed"))
        // The observer of the scene's phase submitted it, and the run submitted it again.
        #expect(try workshop.lull("pending").output.contains("com.example.FeedApp.refresh"))
        #expect(try workshop.lull("launch", "com.example.FeedApp.cleaning").status == 0)
        #expect(try run(2, of: workshop).contains("cleaned in the background"))

        #expect(try workshop.lull("submit", "com.example.FeedApp.waiting").status == 0)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "launched com.example.FeedApp.waiting")
        #expect(try workshop.lull("expire", "com.example.FeedApp.waiting").status == 0)
        // Its expiration cancels the scene's Swift task.
        try host.waitForLine(containing: "cut short com.example.FeedApp.waiting")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test(
        arguments: ["Queues", "QueuesIsolated"], ["ask", "wait", "operations", "own", "method"])
    func `2.1: in Swift 5 a handler runs on its queue, also one written in the main actor's code`(
        fixture: String, task: String
    ) throws {
        let workshop = try workshop(fixture, "Queues", tasks: "\(task): { kind: processing }")
        let launch = try workshop.lull("launch", "com.example.Queues.\(task)")
        #expect(launch.status == 0, "\(launch.error)\(launch.output)")
        #expect(!launch.error.contains("belongs to the main actor"), "\(launch.error)")
    }

    @Test(arguments: ["block", "block_main"])
    func `2.3: in Swift 5 an expiration gets through to a handler that blocks its queue`(task: String) throws
    {
        let workshop = try workshop(
            "Queues", "Queues", tasks: "\(task): { kind: processing, requires: { idle: false } }")
        #expect(try workshop.lull("submit", "com.example.Queues.\(task)").status == 0)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "launched com.example.Queues.\(task)")
        #expect(try workshop.lull("expire", "com.example.Queues.\(task)").status == 0)
        try host.waitForLine(containing: "cut short com.example.Queues.\(task)")
        #expect(try run(1, of: workshop).contains("expired"))
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `2.1: in Swift 6 a handler of the main actor is named with its place and what to write`()
        throws
    {
        let workshop = try faults()
        let check = try workshop.lull("check")
        let line = try line(of: "register late") + 1
        #expect(
            (check.output + check.error).contains(
                "The handler of com.example.Faults.task at FixtureFaults/FaultsApp.swift:\(line) belongs to the main actor"
            ),
            "\(check.output)\(check.error)")
    }

    private static let ways = ["MainThread5", "MainThread6", "MainThreadIsolated"]

    private func store(_ fixture: String) throws -> Workshop {
        try workshop(
            fixture, "Store",
            tasks: """
                sync: { kind: processing }
                count: { kind: processing }
                wait: { kind: processing }
                """)
    }

    @Test(arguments: ways)
    func `code of the main actor runs on the main thread, and its run loop's timers fire`(
        fixture: String
    ) throws {
        let workshop = try store(fixture)
        let launch = try workshop.lull("launch", "com.example.Store.sync")
        #expect(launch.status == 0, "\(launch.error)\(launch.output)")
        let output = try run(1, of: workshop)
        #expect(output.contains("asked from elsewhere\nasked from the main thread"), "\(output)")
    }

    @Test(arguments: ways)
    func `an app has a home, a bundle and settings of its own, which last`(fixture: String) throws {
        let workshop = try store(fixture)
        for number in 1...2 {
            let launch = try workshop.lull("launch", "com.example.Store.count")
            #expect(launch.status == 0, "\(launch.error)\(launch.output)")
            // Each launch is in a new worker, so the settings have gone through the disk.
            let output = try run(number, of: workshop)
            #expect(output.contains("runs \(number)\n"), "\(output)")
            #expect(output.contains("bundle com.example.Store 1.0\n"), "\(output)")
            #expect(output.contains("/apps/com.example.Store\nruns"), "\(output)")
            #expect(output.contains("/apps/com.example.Store/Fixture\(fixture).app\n"), "\(output)")
            #expect(!output.contains("can't be written"), "\(output)")
        }
    }

    @Test func `a plugin's own bundle folder beside its library is its bundle`() throws {
        let workshop = try Workshop()
        let products = Workshop.products
        let library = workshop.folder + "/libStore.so"
        try FileManager.default.copyItem(
            atPath: products.appendingPathComponent("libFixtureMainThread6.so").path, toPath: library)
        try FileManager.default.createDirectory(
            atPath: workshop.folder + "/Store.app", withIntermediateDirectories: true)
        try workshop.write(
            """
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>com.example.Shipped</string>
            <key>CFBundleShortVersionString</key><string>2.5</string>
            </dict></plist>
            """, to: "Store.app/Info.plist")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Store:
                plugin: \(library)
                idle_after: never
                tasks:
                  count: { kind: processing }
            """, to: "jobs.yaml")
        let launch = try workshop.lull("launch", "com.example.Store.count")
        #expect(launch.status == 0, "\(launch.error)\(launch.output)")
        let output = try run(1, of: workshop)
        #expect(output.contains("bundle com.example.Shipped 2.5\n"), "\(output)")
    }

    @Test func `who waits for the queue on which it runs is named`() throws {
        let workshop = try store("MainThread6")
        let launch = try workshop.lull("launch", "com.example.Store.wait")
        #expect(launch.status == 1)
        let reason = "It waited for itself: "
        // Without an installed backtracer the reason is a guess.
        #expect(
            launch.output.contains(reason) || launch.output.contains("A trap without a message"),
            "\(launch.output)")
    }

    @Test func `a method that a subclass adds to a delegate is named, for nobody calls it`() throws {
        let workshop = try workshop(
            "MainThread6", "Store", "settings: {}", tasks: "count: { kind: processing }")
        let check = try workshop.lull("check")
        #expect(
            (check.output + check.error).contains(
                "FixtureMainThread6.AppDelegate.applicationDidEnterBackground(_:) is never called"),
            "\(check.output)\(check.error)")
        #expect(
            !(check.output + check.error).contains("didFinishLaunchingWithOptions:) is never"),
            "\(check.output)")
    }

    @Test func `2.1: a second handler ends its app alone, and both places are named`() throws {
        let workshop = try faults("register twice")
        let launch = try workshop.lull("launch", "com.example.Faults.other")
        #expect(launch.status == 1)
        let places =
            "at FixtureFaults/FaultsApp.swift:\(try line(of: "register twice") + 1); "
            + "the first is at FixtureFaults/FaultsApp.swift:\(try line(of: "no handler") + 1)"
        let history = try workshop.lull("history", "--json").output
        #expect(history.contains("\"violation\""), "\(history)")
        #expect(history.contains("It registered a second handler for com.example.Faults.task"), "\(history)")
        #expect(
            history.contains(places.replacing("/", with: "\\/")) || history.contains(places), "\(history)")
    }

    @Test func `2.2: a submit without a handler ends its app alone, and its place is named`() throws {
        let workshop = try faults("no handler")
        let launch = try workshop.lull("launch", "com.example.Faults.other")
        #expect(launch.status == 1)
        let history = try workshop.lull("history", "--json").output
        #expect(history.contains("It submitted com.example.Faults.task at "), "\(history)")
        #expect(history.contains("FaultsApp.swift:"), "\(history)")
        #expect(history.contains("no handler is registered for it"), "\(history)")
        let why = try workshop.lull("why", "com.example.Faults.task")
        #expect(why.output.contains("FaultsApp.swift:"), "\(why.output)")
    }

    /// The first line of the fixture with these words in quotes, counted from 1.
    private func line(of words: String) throws -> Int {
        let source = Workshop.root.appendingPathComponent("Tests/Fixtures/Plugins/Faults/FaultsApp.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
        return try #require(lines.firstIndex { $0.contains("\"\(words)\"") }) + 1
    }

    @Test func `2.3: a task that is dropped without completion fails its run`() throws {
        let workshop = try faults("none", "drop")
        let launch = try workshop.lull("launch", "com.example.Faults.task")
        #expect(launch.status == 1)
        #expect(
            launch.output.contains("com.example.Faults.task dealloc'd without completing"), "\(launch.output)"
        )
    }

    @Test func `2.3: completing twice leaves the first outcome`() throws {
        let workshop = try faults("none", "complete twice")
        // This host stays until the second completion has come.
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Faults")
        #expect(try workshop.lull("launch", "com.example.Faults.task").status == 0)
        try host.waitForLine(containing: "violation com.example.Faults.task")
        host.send(SIGTERM)
        #expect(host.end() == 0)
        let run = try run(1, of: workshop)
        #expect(run.contains("completed  com.example.Faults.task"), "\(run)")
        #expect(run.contains("violation  com.example.Faults.task"), "\(run)")
    }

    @Test(arguments: [
        ("wait", "completed", "– expired"),
        ("wait without expiration handler", "cut short", "has no expirationHandler"),
    ])
    func `2.3: a run that expires is its author's to complete, if he handles it`(
        fault: String, end: String, reason: String
    ) throws {
        let workshop = try faults("none", fault)
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Faults")
        #expect(try workshop.lull("submit", "com.example.Faults.task").status == 0)
        try host.waitForLine(containing: "launched com.example.Faults.task")
        #expect(try workshop.lull("expire", "com.example.Faults.task").status == 0)
        let line = try host.waitForLine(containing: "\(end) com.example.Faults.task")
        #expect(line.contains(reason), "\(line)")
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }

    @Test func `2.2: a second refresh request is refused, and the same identifier replaces`() throws {
        let workshop = try faults("two refreshes")
        let launch = try workshop.lull("launch", "com.example.Faults.task")
        #expect(launch.status == 0, "\(launch.error)\(launch.output)")
        #expect(
            launch.error.contains("code 2: com.example.Faults has 1 refresh request pending"),
            "\(launch.error)")
        let history = try workshop.lull("history", "--events").output
        #expect(history.contains("replaced"), "\(history)")
        #expect(history.contains("refused"), "\(history)")
        // The refresh request decides the class, though the task's kind is processing.
        #expect(try run(1, of: workshop).contains("launched as BGAppRefreshTask"))
        // The launch uses up the request.
        #expect(try !workshop.lull("pending").output.contains("com.example.Faults.task"))
    }

    @Test func `2.2: a task that is not permitted is refused with code 3 and a sentence`() throws {
        let launch = try faults("not permitted").lull("launch", "com.example.Faults.task")
        #expect(launch.status == 0)
        #expect(launch.error.contains("code 3: "), "\(launch.error)")
        #expect(launch.error.contains("com.example.Faults.unheard"), "\(launch.error)")
    }

    @Test func `2.1: a task registered too late is not, and the log says so`() throws {
        let workshop = try faults("register late", "register late")
        #expect(try workshop.lull("launch", "com.example.Faults.other").status == 0)
        let run = try run(1, of: workshop)
        #expect(run.contains("registered late: false"), "\(run)")
    }
}
