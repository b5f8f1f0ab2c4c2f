import Foundation
import LullHistory
import LullModel
import TestSupport
import Testing

/// Three hosts in separate networks on one PostgreSQL: one is killed, one cut off and one put to sleep, each amid a run. The
/// latter two last longer than a lease and its grace in their real lengths, so this takes three minutes.
@Suite(.enabled(if: FleetYard.isPossible, FleetYard.absence))
struct FleetNightTests {
    /// These tasks begin every minute, on any host.
    private static let long = ["long", "heavy", "weighty"]
    private static let page = ["--http", "127.0.0.1:0"]

    private static func tasks(_ notes: String) -> String {
        func task(_ name: String, _ keys: String, seconds: Double = 0) -> String {
            "      \(name): { \(keys), \(FleetYard.run(name, notes, seconds: seconds)) }\n"
        }
        return task(
            "minutely", "kind: processing, at: \"* * * * *\", missed: all, scope: any_host", seconds: 1)
            + task("quick", "kind: processing, repeat: 2s, scope: any_host")
            + task("fresh", "kind: refresh, repeat: 20s, min_gap: 5s, budget: 100, scope: any_host")
            + task(
                "two", "kind: processing, repeat: 3s, scope: any_host, concurrency: { fleet: 2 }", seconds: 2)
            + long.map {
                task($0, "kind: processing, at: \"* * * * *\", missed: all, scope: any_host", seconds: 20)
            }.joined()
            + task("own", "kind: processing, repeat: 2s")
            + task("turn", "kind: processing, repeat: 5s, concurrency: { fleet: 1 }", seconds: 1)
    }

    @Test func `three hosts are killed, cut off and put to sleep, and each slot ran once or has its reason`()
        throws
    {
        let yard = try FleetYard(["a", "b", "c"], networks: true, tasks: Self.tasks)
        try yard.start(nil, Self.page)
        for name in yard.names {
            try yard.wait("a run of each task on \(name)") {
                yard.noted("end", "own").contains { $0.host == name }
            }
        }

        let killed = try yard.wait(for: 1, "begin", "long")
        yard.kill(killed.host)
        try yard.start(nil, Self.page)
        try yard.wait("a run after the one that was killed") {
            yard.noted("begin", "long").contains { $0.number > killed.number }
        }

        let (lost, slept) = try cutOffTwoHosts(yard)
        let at = try #require(yard.rows("select clock()").first.flatMap { Int64($0) })
        let awake = try #require(yard.names.first { $0 != lost.host && $0 != slept.host })

        // The remaining host's view of the others.
        try expectExplained(lost, slept, from: awake, in: yard)
        try yard.wait("\(lost.host) says that it is cut off") {
            try yard.lull(["why", "\(FleetYard.app).\(lost.task)"], on: lost.host)
                .contains("the fleet's database has not answered for")
        }
        let own = yard.noted("end", "own").count { $0.host == lost.host }
        try yard.wait("what each host does for itself goes on where it is cut off") {
            yard.noted("end", "own").count { $0.host == lost.host } > own + 3
        }
        for note in [lost, slept] {
            try yard.wait("\(awake) takes over what \(note.host) had") {
                try successor(of: note, in: yard) == awake
            }
        }
        try expectShown(silent: 2, from: awake, in: yard)

        try yard.mend(lost.host)
        try yard.send(SIGCONT, to: slept.host)
        for name in [lost.host, slept.host] {
            let from = yard.noted("end", "quick").count
            try yard.wait("\(name) takes slots again") {
                yard.noted("end").dropFirst(from).contains {
                    $0.host == name && $0.number > 0 && $0.number > at
                }
            }
        }
        let until = try yard.waitForAll()
        try expectShown(silent: 0, from: awake, in: yard)
        try yard.endAll()

        #expect(try yard.faults() == [])
        // Both hosts recorded that the end of their run was refused: one slept, the other was cut off.
        for (name, note) in [(lost.host, lost), (slept.host, slept)] {
            let history = try SQLiteHistory.open(folder: yard.host(name).workshop.state, mode: .readOnly)
            let slots = try history.events(matching: HistoryQuery(names: [.slot]))
            let end = slots.first {
                $0.slot?.number == note.number && $0.slot?.name.task.text.hasSuffix(note.task) == true
            }
            #expect(end?.slot?.act == .refused, "\(name): \(String(describing: end))")
        }
        let minutes = try yard.rows(
            "select count(*), (max(nominal) - min(nominal)) / 60000 + 1 from slot where task like '%.minutely' and nominal <= \(until)"
        )
        let counts = minutes.first?.split(separator: "|") ?? []
        #expect(counts.count == 2 && counts[0] == counts[1] && counts[0] != "0", "\(minutes)")
        for task in ["minutely", "quick", "fresh", "two", "own", "turn"] + Self.long {
            #expect(!yard.noted("end", task).isEmpty, "\(task)")
        }
    }

    /// Cuts one host off and puts another to sleep, each amid a long run. If one of the runs has ended by then, it tries again.
    private func cutOffTwoHosts(_ yard: FleetYard) throws -> (lost: FleetYard.Note, slept: FleetYard.Note) {
        for _ in 0..<20 {
            let (lost, slept) = try runsOnTwoHosts(yard)
            try yard.cut(lost.host)
            try yard.send(SIGSTOP, to: slept.host)
            let hasEnded = [lost, slept].contains { note in
                yard.noted("end", note.task).contains { $0.number == note.number }
            }
            if !hasEnded { return (lost, slept) }
            try yard.mend(lost.host)
            try yard.send(SIGCONT, to: slept.host)
        }
        Issue.record("each long run had ended before its host was cut off")
        throw CancellationError()
    }

    /// Two long runs that have just begun. Fencing numbers are milliseconds of the database's clock.
    private func runsOnTwoHosts(_ yard: FleetYard) throws -> (FleetYard.Note, FleetYard.Note) {
        var found: (FleetYard.Note, FleetYard.Note)?
        try yard.wait("long runs on two hosts") {
            let now = try #require(yard.rows("select clock()").first.flatMap { Int64($0) })
            let runs = Self.long.compactMap { yard.noted("begin", $0).last }.filter {
                $0.number > now - 10_000
            }
            guard let first = runs.first, let other = runs.first(where: { $0.host != first.host }) else {
                return false
            }
            found = (first, other)
            return true
        }
        return try #require(found)
    }

    /// The host that has been given the run's slot since.
    private func successor(of note: FleetYard.Note, in yard: FleetYard) throws -> String? {
        try yard.rows(
            """
            select s.last_name from audit a join slot s using (task, target, nominal)
            where a.task = '\(FleetYard.app).\(note.task)' and a.number = \(note.number) and s.number > a.number
            """
        ).first
    }

    private func expectExplained(
        _ lost: FleetYard.Note, _ slept: FleetYard.Note, from awake: String, in yard: FleetYard
    ) throws {
        for note in [lost, slept] {
            for (more, words) in [
                (["--fleet"], ["has had the run for", "has been running it since"]),
                ([], ["has been running it since"]),
            ] {
                try yard.wait("`why \(note.task) \(more)` on \(awake) names \(note.host)") {
                    let why = try yard.lull(["why", "\(FleetYard.app).\(note.task)"] + more, on: awake)
                    return words.allSatisfy { why.contains("\(note.host) \($0)") }
                }
            }
        }
    }

    /// In the output of commands and on the page.
    private func expectShown(silent: Int, from awake: String, in yard: FleetYard) throws {
        try yard.wait("\(silent) are known as silent") {
            try yard.lull(["status", "--fleet"], on: awake).contains("\(3 - silent) of ")
        }
        let night = try yard.lull(["night", "--fleet", "--all", "--span", "day"], on: awake)
        let grid = try page("/api/fleet?span=day", of: awake, in: yard)
        #expect(grid.contains("\"silent_count\":\(silent)"), "\(grid)")
        for name in yard.names {
            #expect(grid.contains("\"host\":\"\(name)\""), "\(grid)")
            #expect(night.contains(" \(name) "), "\(night)")
        }
        // Events that a host could not send while it was cut off come when it is back.
        guard silent == 0 else { return }
        try yard.wait("the page has all tasks") {
            let grid = try page("/api/fleet?span=day", of: awake, in: yard)
            return Self.long.allSatisfy { grid.contains("\(FleetYard.app).\($0)") }
        }
    }

    private func page(_ path: String, of name: String, in yard: FleetYard) throws -> String {
        let (workshop, place) = (try yard.host(name).workshop, try yard.host(name).place)
        let port = try #require(workshop.words.matches(of: /127\.0\.0\.1:(\d+)\//).last?.1)
        let request = "GET \(path) HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n"
        return try place.run(
            ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port) && printf '\(request)' >&3 && cat <&3"])
    }
}
