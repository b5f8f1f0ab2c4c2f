import Foundation
import TestSupport
import Testing

/// `lull simulate`, on the state of an app that people stop using.
struct SimulateTests {
    @Test func `an app that goes idle is named with the time, and the zone of all times`() throws {
        let workshop = try Workshop(
            tasks:
                """
                version: 1
                apps:
                  com.example.Feed:
                    plugin: Tasks
                    usage: manual
                    idle_after: 3d
                    tasks:
                      talk: { kind: refresh, repeat: 15m }

                """)
        #expect(try workshop.lull("run", "--once").status == 0)
        #expect(try workshop.lull("used", "com.example.Feed", "--at", "1d").status == 0)
        for days in ["4", "14"] {
            let result = try workshop.lull("simulate", "--days", days)
            #expect(result.status == 0, "\(result.error)")
            let text = result.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
            #expect(text.contains("Times are in the time zone "), "\(text)")
            #expect(
                text.contains(
                    days == "4" ? "com.example.Feed goes idle on " : "com.example.Feed is idle from "))
            #expect(text.contains("nobody uses it for longer than 3 d (`idle_after`)"), "\(text)")
        }
        let json = try workshop.lull("simulate", "--days", "4", "--json")
        #expect(json.error.contains("com.example.Feed goes idle on "), "\(json.error)")
        #expect(json.output.hasPrefix("["))
    }
}
