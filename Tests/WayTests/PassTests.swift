import Foundation
import TestSupport
import Testing

/// `lull run --once` with the real worker and a real plugin, which gcc compiles outside the repository.
struct PassTests {
    @Test func `a pass runs what may run, says what waits, and the next one remembers`() throws {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      talk: { kind: processing, repeat: 1h, requires: { idle: false } }
                      succeed: { kind: processing, requires: { idle: false } }
                """)
        let first = try workshop.lull("run", "--once")
        #expect(first.status == 0, "\(first.error)")
        #expect(first.output.contains("did what it was asked"))
        #expect(first.output.contains("1 ran, 0 failed, 1 wait"))
        let second = try workshop.lull("run", "--once")
        #expect(second.status == 0)
        #expect(second.output.contains("0 ran, 0 failed, 2 wait"), "\(second.output)")
        #expect(second.output.contains("last run"))

        let run = try workshop.lull("history", "--run", "1")
        #expect(run.output.contains("a word on standard output"))
        #expect(run.output.contains("a word on standard error"))
    }

    @Test func `a handler that crashes costs its run, is named, and its neighbours run`() throws {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.Bad:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      crash: { kind: processing, repeat: 1h, requires: { idle: false } }
                  com.example.Rude:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      leave: { kind: processing, repeat: 1h, requires: { idle: false } }
                  com.example.Good:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      succeed: { kind: processing, repeat: 1h, requires: { idle: false } }
                """)
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 1)
        #expect(pass.output.contains("signal 11"), "\(pass.output)")
        #expect(pass.output.contains("exited on its own with status 3"), "\(pass.output)")
        #expect(pass.output.contains("did what it was asked"))
        #expect(pass.output.contains("1 ran, 2 failed. "))
    }

    @Test func `a stubborn handler is killed after its limit and grace`() throws {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.App:
                    plugin: Tasks
                    idle_after: never
                    tasks:
                      stubborn:
                        kind: processing
                        repeat: 1h
                        time_limit: 2s
                        grace: { warning: 1s, kill: 1s }
                        requires: { idle: false }
                """)
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 1)
        #expect(pass.output.contains("killed"), "\(pass.output)")
        let history = try workshop.lull("history", "--event", "expired")
        #expect(history.output.contains("com.example.App.stubborn"))
    }

    @Test func `a manifest with errors starts nothing and every error has its place`() throws {
        let workshop = try Workshop()
        try workshop.write(
            """
            version: 1
            apps:
              com.example.App:
                plugin: Nowhere
                idle_after: never
                tasks:
                  refresh: { kind: refrsh, repaet: 15m }
            """, to: "jobs.yaml")
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 1)
        #expect(pass.error.contains("jobs.yaml:4:13: error: "), "\(pass.error)")
        #expect(pass.error.contains("jobs.yaml:7:24: error: "), "\(pass.error)")
        #expect(pass.error.contains("`repeat`"))
        #expect(!FileManager.default.fileExists(atPath: workshop.state + "/history.sqlite"))
    }

    @Test func `check names an identifier that nobody registers`() throws {
        let workshop = try Workshop()
        try workshop.compile("Refuses", as: "Refuses")
        try workshop.compile("Tasks", as: "Tasks")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Good:
                plugin: Tasks
                idle_after: never
                tasks:
                  succeed: { kind: processing }
              com.example.App:
                plugin: Refuses
                idle_after: never
                tasks:
                  succeed: { kind: processing }
            """, to: "jobs.yaml")
        let check = try workshop.lull("check")
        #expect(check.status == 1)
        #expect(check.error.contains("jobs.yaml:9:13: error"), "\(check.error)")
        #expect(!check.error.contains("com.example.Good"))
    }
}
