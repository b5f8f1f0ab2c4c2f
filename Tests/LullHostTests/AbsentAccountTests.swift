import Glibc
import LullModel
import LullScheduler
import Synchronization
import Testing

@testable import LullHost
@testable import LullManifest

/// An account that a start needs is missing for a while.
struct AbsentAccountTests {
    @Test func `an app whose account is not known is named so, is tried again, and starts when it is back`()
        throws
    {
        let looks = Mutex(0)
        let desk = try HostDesk {
            $0.lookAtStart = { app, _ in
                let count = looks.withLock { looks in
                    looks += 1
                    return looks
                }
                guard count > 1 else { return StartSight(plugin: .failure(.init(sentence: "It is there."))) }
                return StartSight(
                    user: Accounts.User(name: "alice", number: geteuid(), group: getegid()),
                    plugin: .failure(.init(sentence: "It has come this far.")))
            }
        }
        let host = desk.host
        var app = App(identifier: try #require(AppIdentifier("com.example.App")), plugin: "/plugin.so")
        app.user = "alice"
        host.manifest = Manifest(apps: [app])
        var reasons: [String] = []
        host.onEvents = { (events: [HistoryEvent]) in
            for event in events where event.event == .failed { reasons.append(event.reason ?? "") }
            if reasons.count == 2 { host.loop.stop() }
        }
        host.handle(.manifestLoaded(host.manifest, stamps: [:]))
        #expect(try desk.turns())
        let first = try #require(reasons.first)
        let words = "the app runs as 'alice', an account that this machine does not know at the moment"
        #expect(first.hasPrefix(words), "\(first)")
        #expect(!first.contains("chown") && !first.contains("root"), "\(first)")
        #expect(reasons.last == "It has come this far.")
    }

    @Test func `a plugin's file that is not there is an absence, and one that is unsafe is not`() throws {
        var app = App(identifier: try #require(AppIdentifier("com.example.App")), plugin: "/no/plugin.so")
        let absent = #expect(throws: PluginSight.Refusal.self) { try PluginSight.look(at: app) }
        #expect(absent?.isAbsence == true)
        app.plugin = "/"
        let unsafe = #expect(throws: PluginSight.Refusal.self) { try PluginSight.look(at: app) }
        #expect(unsafe?.isAbsence == false)
    }
}
