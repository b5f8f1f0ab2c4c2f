import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

/// A worker older than the plugin: the plugin must not read fields that this worker's table lacks.
@Suite struct SmallerHostTests {
    let fixture = Fixture(size: FakeHost.smallestSize)

    @Test func `a refusal has the sentence of its code`() {
        fixture.host.verdict(LULL_NOT_PERMITTED, "not to be read")
        #expect(throws: BGTaskScheduler.Error(.notPermitted, identifier: Fixture.refresh)) {
            try fixture.scheduler.submit(BGAppRefreshTaskRequest(identifier: Fixture.refresh))
        }
    }

    @Test func `a line of a run names its task`() {
        fixture.launch("com.example.Feed.other")
        #expect(fixture.host.lines.map(\.task) == [nil])
        #expect(fixture.host.lines.first?.message.hasPrefix("com.example.Feed.other: ") == true)
    }

    @Test func `the app has no identifier, no settings and no folder`() throws {
        let host = try #require(fixture.scheduler.registry.host)
        #expect(host.app.isEmpty)
        #expect(host.settings == "{}")
        #expect(host.stateDirectory == nil)
    }

    @Test func `a launch without settings has empty ones`() {
        "com.example.Feed.refresh".withCString { identifier in
            "not to be read".withCString { settings in
                var launch = lull_launch(
                    size: 32, kind: 1, task: 9, identifier: identifier, deadline_ns: 0, settings: settings,
                    title: nil, subtitle: nil, protection: nil, origin: nil, payload: nil, payload_size: 0,
                    merged: 0, is_urgent: false
                )
                #expect(Launch(&launch).settings == "{}")
                launch.size = UInt32(MemoryLayout<lull_launch>.size)
                #expect(Launch(&launch).settings == "not to be read")
            }
        }
    }
}
