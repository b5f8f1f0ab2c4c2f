import Foundation
import TestSupport
import Testing

/// Real hosts that share a real PostgreSQL, and their tasks while hosts and database are stopped and killed.
@Suite(.enabled(if: FleetGround.isPossible, FleetGround.absence))
struct FleetTests {
    private func shared(_ ground: FleetGround) -> String {
        """
              shared:
                kind: processing
                repeat: 1s
                scope: any_host
                settings: { run: 'echo "begin $LULL_FENCE $LANG" >> \(ground.notes); sleep 1; echo "end $LULL_FENCE $LANG" >> \(ground.notes)' }

        """
    }

    private func own(_ ground: FleetGround) -> String {
        """
              own: { kind: processing, repeat: 1s, settings: { run: 'echo "own 0 $LANG" >> \(ground.notes)' } }

        """
    }

    @Test func `a host without a fleet maps no libpq`() throws {
        let ground = try FleetGround()
        for fleet in ["", ground.fleet] {
            let workshop = try Workshop()
            try workshop.link("Command")
            // With a fleet, a run that needs it: when it ends, the host has used its database.
            let scope = fleet.isEmpty ? "" : "scope: any_host, "
            try workshop.write(
                """
                version: 1
                \(fleet)
                apps:
                  com.example.Own:
                    plugin: Command
                    idle_after: never
                    tasks:
                      own: { kind: processing, \(scope)repeat: 1s, settings: { run: 'true' } }

                """, to: "jobs.yaml")
            let host = try workshop.start("run", "jobs.yaml")
            try host.waitForLine(containing: "completed com.example.Own.own")
            let maps = try Processes.maps("libpq", in: host.process.processIdentifier)
            #expect(maps == !fleet.isEmpty, "\(host.said)")
            let hasPlace = FileManager.default.fileExists(atPath: workshop.state + "/place")
            #expect(hasPlace == !fleet.isEmpty)
            host.send(SIGTERM)
            #expect(host.end() == 0, "\(host.said)")
        }
    }

    @Test func `three hosts share one database and each time is run once`() throws {
        let ground = try FleetGround()
        let tasks = shared(ground) + own(ground)
        // The lease is longer than a host takes to start again.
        for name in ["a", "b", "c"] { try ground.start(name, tasks: tasks, lease: "1h") }
        try ground.wait(for: 3, "end")
        if FleetGround.namesHosts {
            try ground.wait("all hosts are known") {
                try ground.sql("select distinct name from lull_lull.host order by 1") == "a\nb\nc"
            }
        }

        // A host killed amid a run gives its slot back as soon as it has restarted, before the lease ends.
        let killed = try ground.wait(for: 1, "begin")
        let victim = try ground.host(killed.host)
        victim.program.send(SIGKILL)
        #expect(victim.program.end() == -SIGKILL)
        try ground.start(killed.host, tasks: tasks, lease: "1h")
        try ground.wait("a run after that of the killed host") {
            ground.lines(of: "begin").contains { $0.number > killed.number }
        }
        #expect(
            try ground.sql("select count(*) from lull_lull.slot where reason like 'the lease ended on%'")
                == "0")
        try ground.wait(for: 2, "end")

        // A host stopped amid a run keeps the run.
        let stopped = try ground.wait(for: 1, "begin")
        let sleeper = try ground.host(stopped.host)
        sleeper.program.send(SIGSTOP)
        let wasUnderWay = !ground.lines(of: "end").contains { $0.number == stopped.number }
        try ground.wait(for: 6, "own")
        if wasUnderWay { #expect(ground.lines(of: "begin").last == stopped) }
        sleeper.program.send(SIGCONT)
        try ground.wait(for: 2, "end")

        try ground.wait(for: 1, "begin")
        ground.stopDatabase()
        try ground.startDatabase()
        let back = try ground.sql("select lull_lull.clock()")
        try ground.wait(for: 3, "end")
        try ground.wait("all hosts are heard of again") {
            try ground.sql("select count(distinct place) from lull_lull.host where seen > \(back)") == "3"
        }
        ground.endAll()
        // Each process said goodbye, except the one that was killed.
        #expect(
            try ground.sql(
                "select count(*) filter (where stopped), count(*) from lull_lull.host") == "3|4")

        let begun = ground.lines(of: "begin").map(\.number)
        #expect(zip(begun, begun.dropFirst()).allSatisfy { $0 < $1 }, "\(begun)")
        let ended = ground.lines(of: "end").map(\.number)
        #expect(Set(ended).count == ended.count && Set(ended).isSubset(of: begun), "\(ended)")
        #expect(ended.count >= 11)

        func slots(_ what: String) throws -> [String] {
            try ground.sql("select \(what)").split(separator: "\n").map(String.init)
        }
        let late = "floor(extract(epoch from now()) * 1000)"
        #expect(try slots("* from lull_lull.slot where state = 'open' and ends <= \(late)") == [])
        #expect(try slots("* from lull_lull.slot where state = 'leased'") == [])
        // A slot that no host has had yet may be open without a reason.
        #expect(
            try slots("* from lull_lull.slot where state <> 'done' and attempt > 0 and reason is null") == [])
        let done = try slots("number from lull_lull.slot where state = 'done'").compactMap(Int64.init)
        #expect(Set(done).isSubset(of: ended), "\(done), \(ended)")
        #expect(done.count >= 10, "\(done)")
        // The slot of the killed host was run again, under a greater number.
        let again = try slots("number from lull_lull.slot where attempt > 1 and state = 'done'")
            .compactMap(Int64.init)
        #expect(again.contains { $0 > killed.number } && !done.contains(killed.number), "\(again), \(killed)")
    }

    @Test func `a slot whose worker is killed is run again, and has not failed`() throws {
        let ground = try FleetGround()
        let notes = ground.notes
        let task = """
                  shared:
                    kind: processing
                    repeat: 1h
                    scope: any_host
                    settings: { run: '[ -e \(notes).begun ] && exec echo "end $LULL_FENCE $LANG" >> \(notes); touch \(notes).begun; echo "begin $LULL_FENCE $LANG" >> \(notes); exec sleep 1000' }

            """
        for name in ["a", "b"] { try ground.start(name, tasks: task + own(ground)) }
        let begun = try ground.wait(for: 1, "begin")
        let host = try ground.host(begun.host).program.process.processIdentifier
        // The supervisor too: `pkill -9 lull-worker` asks for no more.
        for process in try Processes.descendants(of: host, named: "lull-worker") { kill(process, SIGKILL) }
        let again = try ground.wait(for: 1, "end")
        #expect(again.number > begun.number)
        let begunSlots = "from lull_lull.slot where attempt > 0"
        try ground.wait("no slot is under way") {
            try ground.sql("select count(*) \(begunSlots) and state in ('open', 'leased')") == "0"
        }
        #expect(try ground.sql("select state, attempt \(begunSlots)") == "done|2")
        let history = try ground.host(begun.host).workshop.lull("history", "--failed").output.unwrapped
        #expect(history.contains("its worker ended while it ran"), "\(history)")
        ground.endAll()
    }

    @Test func `the manual's backup and restore work while hosts run`() throws {
        let manual = try String(
            contentsOf: Workshop.root.appendingPathComponent("docs/fleet.md"), encoding: .utf8)
        let section = try #require(manual.components(separatedBy: "## Backup and restore\n").last)
        let lines = section.replacing(" \\\n    ", with: " ").split(separator: "\n")
        let commands = lines.prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("$ ") }
            .map { String($0.dropFirst(2)) }
        try #require(commands.count == 2)
        let ground = try FleetGround()
        try ground.start("a", tasks: shared(ground))
        for command in commands {
            try ground.wait(for: 2, "end")
            try ground.administer(command.replacing("--dbname lull ", with: "--dbname postgres "))
        }
        try ground.wait(for: 3, "end")
        ground.endAll()
        let begun = ground.lines(of: "begin").map(\.number)
        #expect(zip(begun, begun.dropFirst()).allSatisfy { $0 < $1 }, "\(begun)")
        #expect(try ground.sql("select count(*) > 0 from lull_lull.slot where state = 'done'") == "t")
        // The table of slots has its primary key.
        #expect(
            try ground.sql(
                "select count(*) from pg_constraint where contype = 'p' and conrelid = 'lull_lull.slot'::regclass"
            ) == "1")
    }

    @Test func `a database that is away keeps no other task waiting`() throws {
        let ground = try FleetGround()
        try ground.start("a", tasks: shared(ground) + own(ground))
        try ground.wait(for: 1, "end")
        try ground.wait(for: 2, "own")
        ground.stopDatabase()
        try ground.wait(for: 4, "own")
        let host = try ground.host("a")
        try ground.wait("why says that the database is away") {
            let why = try host.workshop.lull("why", "com.example.Shared.shared").output.unwrapped
            return why.contains("the fleet's database has not answered for")
                && why.contains("tasks that need it wait, the others run")
        }
        try ground.startDatabase()
        try ground.wait(for: 2, "end")
        // The drained host says who drained it, and why.
        let drained = try host.workshop.lull(
            "fleet", "drain", "--reason", "new disk", "--for", "2h", "--database", ground.owner)
        #expect(drained.status == 0, "\(drained)")
        try ground.wait("why says that the host is drained") {
            let why = try host.workshop.lull("why", "com.example.Shared.shared").output.unwrapped
            return why.contains("this host is drained by") && why.contains("(new disk), and takes no slots")
                && !why.contains("only time holds it back")
        }
        ground.endAll()
    }
}
