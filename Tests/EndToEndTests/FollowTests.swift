import Foundation
import TestSupport
import Testing

/// Real hosts that take their manifest from a real PostgreSQL.
@Suite(.enabled(if: FleetGround.isPossible, FleetGround.absence))
struct FollowTests {
    private func manifest(_ run: String) -> String {
        """
        version: 1
        apps:
          com.example.Shared:
            plugin: Command
            idle_after: never
            user: host
            limits: { privileges: keep }
            tasks:
              job: { kind: processing, repeat: 1s, settings: { run: '\(run)' } }
              second: { kind: processing, repeat: 1s, settings: { run: '\(run)' } }
              third: { kind: processing, repeat: 1s, settings: { run: '\(run)' } }

        """
    }

    @Test func `hosts that follow run what is applied, and go back`() throws {
        let ground = try FleetGround()
        let desk = try Workshop()
        try desk.link("Command")
        func apply(_ run: String, _ words: String...) throws -> Program.Result {
            try desk.write(manifest(run), to: "fleet.yaml")
            return try desk.lull(["fleet", "apply", "fleet.yaml", "--database", ground.owner] + words)
        }
        #expect(try apply("exit 0", "--now").status == 0)

        let hosts = try (0..<2).map { _ in
            let workshop = try Workshop()
            try workshop.link("Command")
            let fleet = ground.fleet.replacing(" }", with: ", follow: fleet.yaml }")
            try workshop.write("version: 1\n\(fleet)\n", to: "jobs.yaml")
            return (workshop: workshop, program: try workshop.start("run", "jobs.yaml"))
        }
        for host in hosts { try host.program.waitForLine(containing: "completed com.example.Shared.job") }
        #expect(
            try desk.lull("fleet", "--database", ground.owner).output.contains("2 hosts that follow have it"))

        // One of the hosts tries it, and all keep the manifest that they had.
        let tried = try apply("exit 3", "--canary", "50%", "--wait")
        #expect(tried.status == 1 && tried.error.contains("runs failed on hosts that had it"), "\(tried)")
        let place = try ground.sql("select place from lull_lull.canary")
        let canary = try #require(
            hosts.first {
                try String(contentsOfFile: $0.workshop.state + "/place", encoding: .utf8).contains(place)
            })
        try canary.program.waitForLine(containing: "Manifest 2 of the fleet is in force")
        try canary.program.waitForLine(containing: "Manifest 1 of the fleet is in force")
        try canary.program.waitForLine(containing: "completed com.example.Shared.job")

        // Without the database a host starts with the manifest that it had.
        let host = canary.workshop
        canary.program.send(SIGTERM)
        #expect(canary.program.end() == 0, "\(canary.program.said)")
        ground.stopDatabase()
        let again = try host.start("run", "jobs.yaml")
        try again.waitForLine(containing: "completed com.example.Shared.job")
        for program in [again] + hosts.map(\.program) where program.process.isRunning {
            program.send(SIGTERM)
            #expect(program.end() == 0, "\(program.said)")
        }
    }
}
