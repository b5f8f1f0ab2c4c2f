import LullModel
import Testing

@testable import LullCommands
@testable import lull
@testable import lull_lab

/// The text of `lull simulate` about apps that nobody uses.
struct SimulateIdleTests {
    private let phrases = Phrases(now: WallTime(seconds: 0), zone: .utc)

    private func sentence(_ events: [(HistoryEvent.Name, Int64)], isIdle: Bool = false) throws -> String? {
        let app = try #require(AppIdentifier("com.example.App"))
        let manifest = Manifest(apps: [App(identifier: app, plugin: "App")])
        return SimulateIdle(
            events: events.map { HistoryEvent($0.0, at: WallTime(seconds: $0.1 * 3600), app: app) },
            idle: isIdle ? [app] : [], phrases: phrases
        ).sentences(of: manifest).first
    }

    @Test func `an app is said to be idle from when to when, and why nothing of it is launched`() throws {
        #expect(try sentence([(.used, 1)]) == nil)
        #expect(
            try sentence([(.idled, 30)], isIdle: true)
                == "com.example.App goes idle tomorrow at 06:00: nobody uses it for longer than 7 d (`idle_after`), so "
                + "none of its tasks is launched then. `lull used com.example.App` records a use; `idle_after: never` keeps "
                + "it going.")
        let spans: [([(HistoryEvent.Name, Int64)], Bool, String)] = [
            ([], true, "is idle all the time: "),
            ([(.revived, 30)], false, "is idle until tomorrow 06:00, when it is used again: "),
            (
                [(.idled, 3), (.revived, 30)], false,
                "is idle from 03:00 to tomorrow 06:00, when it is used again: "
            ),
            (
                [(.idled, 3), (.revived, 30), (.idled, 40), (.revived, 50), (.idled, 60)], true,
                "is idle from 03:00 to tomorrow 06:00, when it is used again, and 2 more times: "
            ),
        ]
        for (events, isIdle, words) in spans {
            #expect(try sentence(events, isIdle: isIdle)?.contains(words) == true, "\(words)")
        }
    }
}
