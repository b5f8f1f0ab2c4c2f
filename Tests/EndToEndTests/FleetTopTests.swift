import TestSupport
import Testing

/// `lull top --fleet` on a real terminal, of real hosts and a real PostgreSQL.
@Suite(.enabled(if: FleetGround.isPossible, FleetGround.absence))
struct FleetTopTests {
    @Test func `it shows who runs what, says since when the database is away, and goes on when it is back`()
        throws
    {
        let ground = try FleetGround()
        let tasks = """
                  shared:
                    kind: processing
                    repeat: 1s
                    scope: any_host
                    settings: { run: 'echo "begin $LULL_FENCE $LANG" >> \(ground.notes); sleep 1000' }

            """
        for name in ["a", "b"] { try ground.start(name, tasks: tasks) }
        try ground.wait(for: 1, "begin")
        let view = try Pseudoterminal(ground.host("a").workshop, ["top", "--fleet"], columns: 100, rows: 24)
        try view.wait(for: "Fleet lull")
        try view.wait(for: "2 hosts · 1 running")
        try view.wait(for: "com.example.Shared.shared")
        view.type("w")
        try view.wait(for: "has had the run for")
        ground.stopDatabase()
        try view.wait(for: "This is how it was at")
        try ground.startDatabase()
        try view.wait(for: "Fleet lull")
        view.type("qq")
        #expect(try view.end() == 0)
        #expect(view.said.hasSuffix("\u{1B}[?1049l"))
        ground.endAll()
    }
}
